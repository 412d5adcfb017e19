import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * Content with many holders, which must be counted once: java SharedContent OUT.hprof latin1|utf16
 *
 * <p>200 strings over one array of 1 000 000 characters, in an Object[200]; one Integer in 200 arrays
 * Integer[200], in another Object[200]. The string that the 200 were made from is garbage at the time of the
 * dump, so the Object[200] alone keeps the characters.
 */
public class SharedContent {
  static final int HOLDERS = 200;
  static final int CHARACTERS = 1_000_000;

  static Object[] strings;
  static Object[] numbers;

  static Object[] stringsOver(String original) {
    Object[] holders = new Object[HOLDERS];
    for (int i = 0; i < HOLDERS; i++) {
      holders[i] = new String(original);
    }
    return holders;
  }

  static Object[] arraysOf(Integer number) {
    Object[] holders = new Object[HOLDERS];
    for (int i = 0; i < HOLDERS; i++) {
      Integer[] array = new Integer[HOLDERS];
      Arrays.fill(array, number);
      holders[i] = array;
    }
    return holders;
  }

  @SuppressWarnings("removal")
  static Integer freshInteger() {
    return new Integer(1_234_567);
  }

  public static void main(String[] args) throws Exception {
    char letter = args[1].equals("utf16") ? '\u20ac' : 'a';
    strings = stringsOver(String.valueOf(letter).repeat(CHARACTERS));
    numbers = arraysOf(freshInteger());
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
    if (strings.length != numbers.length) {
      throw new AssertionError();
    }
  }
}
