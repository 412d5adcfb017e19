import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Equal texts, arrays and boxed numbers: java --add-opens java.base/java.lang=ALL-UNNAMED Duplicates OUT.hprof
 *
 * <p>Beside the dump it writes OUT.hprof.expected, what it finds by walking what it made, arrays of Strings by
 * reflection: a line per text (characters in hex, Strings, arrays), per kind of array and per boxed class.
 */
public class Duplicates {
  static final class Named {
    final String name;

    Named(String name) {
      this.name = name;
    }
  }

  static final List<String[]> texts = new ArrayList<>();
  static final List<Named> named = new ArrayList<>();
  static int[][] ints;
  static long[][] longs;
  static Object[] boxes;
  static Object[] cached;

  static String own(String text) {
    return new String(text.toCharArray());
  }

  /** `own` Strings with an array each and `sharing` more over one further array. */
  static void add(String text, int own, int sharing) {
    String[] strings = new String[own + sharing];
    String shared = own(text);
    for (int i = 0; i < strings.length; i++) {
      strings[i] = i < own ? own(text) : i == own ? shared : new String(shared);
    }
    texts.add(strings);
  }

  /** No text is a literal, which would be one String more of it. */
  static void makeTexts() {
    add("alpha ".repeat(4), 400, 0);
    add("beta ".repeat(5), 0, 151);
    add("gamma ".repeat(3), 40, 60);
    add("\u20ac \u20ac ".concat("delta"), 200, 10);
    // The bytes of the next two are the same on a little-endian machine; only the coder differs.
    add("\u20ac\u20ad".repeat(40), 90, 0);
    add("\u00ac\u0020\u00ad\u0020".repeat(40), 80, 0);
    for (int i = 0; i < 300; i++) {
      named.add(new Named(own("epsilon in ".concat("a field"))));
    }
  }

  static void makeArrays() {
    ints = new int[300][];
    longs = new long[120][];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = new int[37];
      Arrays.fill(ints[i], 1_000 + i / 150);
    }
    for (int i = 0; i < longs.length; i++) {
      longs[i] = new long[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    }
  }

  @SuppressWarnings("removal")
  static void makeBoxes() {
    cached = new Object[] {Integer.valueOf(1), Long.valueOf(1), Character.valueOf('a')};
    boxes = new Object[1_000];
    for (int i = 0; i < boxes.length; i++) {
      boxes[i] = switch (i % 5) {
        case 0 -> new Integer(i % 100);
        case 1 -> new Integer(50_000 + i % 7);
        case 2 -> new Long(-i % 128);
        case 3 -> new Double(i % 3);
        default -> new Character((char) (i % 128));
      };
    }
  }

  static void writeTexts(PrintWriter out) throws ReflectiveOperationException {
    Field value = String.class.getDeclaredField("value");
    value.setAccessible(true);
    List<String[]> all = new ArrayList<>(texts);
    all.add(named.stream().map(n -> n.name).toArray(String[]::new));
    for (String[] strings : all) {
      Set<Object> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
      for (String string : strings) {
        arrays.add(value.get(string));
      }
      StringBuilder hex = new StringBuilder();
      for (char c : strings[0].toCharArray()) {
        hex.append(String.format("%04x", (int) c));
      }
      out.println("text\t" + hex + "\t" + strings.length + "\t" + arrays.size());
    }
  }

  static void writeBoxes(PrintWriter out) {
    Map<Class<?>, int[]> counts = new LinkedHashMap<>();
    for (Object box : boxes) {
      int[] count = counts.computeIfAbsent(box.getClass(), c -> new int[1]);
      boolean cachable = box instanceof Integer i ? i >= -128 && i <= 127
          : box instanceof Long l ? l >= -128 && l <= 127 : box instanceof Character c && c <= 127;
      count[0] += cachable ? 1 : 0;
    }
    counts.forEach((type, count) -> out.println("bypassing\t" + type.getName() + "\t" + count[0]));
  }

  public static void main(String[] args) throws Exception {
    makeTexts();
    makeArrays();
    makeBoxes();
    try (PrintWriter out = new PrintWriter(args[0] + ".expected", "US-ASCII")) {
      writeTexts(out);
      out.println("array\tint[]\t37\t150");
      out.println("array\tint[]\t37\t150");
      out.println("array\tlong[]\t11\t120");
      writeBoxes(out);
    }
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
    if (texts.isEmpty() || named.isEmpty() || ints.length + longs.length + boxes.length + cached.length == 0) {
      throw new AssertionError();
    }
  }
}
