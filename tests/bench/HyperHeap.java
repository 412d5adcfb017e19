import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The profile "collections" of make-heap in a real JVM: fills the heap with about 1 GiB of live objects and dumps
 * itself.
 *
 * <pre>javac -d /tmp/hyper tests/bench/HyperHeap.java
 * java -Xmx2200m -cp /tmp/hyper HyperHeap OUT.hprof [MIB]</pre>
 *
 * <p>About 40 % of the bytes are byte arrays of 128 to 1024 bytes under linked nodes; the rest are strings, maps of
 * 4 to 32 entries, lists and boxed numbers. A pool references all of them at random. The numbers come from a fixed
 * seed, so two runs on one JVM differ by the JVM's own objects only.
 */
public class HyperHeap {
  static final int CHAINS = 64;
  static final int KINDS = 2360;

  static final class Node {
    final Node next;
    final byte[] payload;
    final long id;

    Node(Node next, byte[] payload, long id) {
      this.next = next;
      this.payload = payload;
      this.id = id;
    }
  }

  static Node[] chains = new Node[CHAINS];
  static Object[] pool;

  private final SplittableRandom random = new SplittableRandom(1);
  private final List<Object> units = new ArrayList<>();
  private long bytes;

  private String text(int least, int most) {
    byte[] letters = new byte[random.nextInt(least, most + 1)];
    for (int i = 0; i < letters.length; i++) {
      letters[i] = (byte) random.nextInt('a', 'z' + 1);
    }
    bytes += 24 + 16 + letters.length;
    return new String(letters, StandardCharsets.ISO_8859_1);
  }

  private void addNode() {
    byte[] payload = new byte[random.nextInt(128, 1025)];
    int chain = random.nextInt(CHAINS);
    chains[chain] = new Node(chains[chain], payload, random.nextLong());
    bytes += 32 + 16 + payload.length;
    if (random.nextInt(2) == 0) {
      units.add(payload);
    }
  }

  private Map<String, Integer> map() {
    Map<String, Integer> map = new HashMap<>();
    for (int entries = random.nextInt(4, 33); entries > 0; entries--) {
      map.put(text(4, 80), random.nextInt(128, Integer.MAX_VALUE));
      bytes += 32 + 16 + 8;
    }
    bytes += 48 + 16;
    return map;
  }

  private List<Object> list() {
    List<Object> list = new ArrayList<>();
    for (int fresh = random.nextInt(2, 15); fresh > 0; fresh--) {
      boolean small = random.nextInt(2) == 0;
      list.add(small ? (Object) random.nextInt(128, Integer.MAX_VALUE) : (Object) random.nextLong());
      bytes += (small ? 16 : 24) + 6;
    }
    for (int known = units.isEmpty() ? 0 : random.nextInt(21); known > 0; known--) {
      list.add(units.get(random.nextInt(units.size())));
      bytes += 6;
    }
    bytes += 24 + 16;
    return list;
  }

  private void fill(long wanted) {
    while (bytes < wanted) {
      int kind = random.nextInt(KINDS);
      if (kind < 1000) {
        addNode();
      } else if (kind < 2100) {
        units.add(text(16, 400));
      } else if (kind < 2160) {
        units.add(map());
      } else {
        units.add(list());
      }
      bytes += 8;
    }
    pool = new Object[2 * units.size()];
    for (int i = 0; i < pool.length; i++) {
      pool[i] = units.get(i < units.size() ? i : random.nextInt(units.size()));
    }
    for (int i = pool.length; i > 1; i--) {
      int other = random.nextInt(i);
      Object swapped = pool[i - 1];
      pool[i - 1] = pool[other];
      pool[other] = swapped;
    }
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 1 || arguments.length > 2) {
      System.err.println("usage: HyperHeap OUT.hprof [MIB]");
      System.exit(64);
    }
    long mebibytes = arguments.length == 2 ? Long.parseLong(arguments[1]) : 1024;
    new HyperHeap().fill(mebibytes << 20);
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(arguments[0], true);
  }
}
