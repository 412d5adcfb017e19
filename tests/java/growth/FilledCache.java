package growth;

import java.util.HashMap;
import java.util.Map;

/** A cache of bounded size that is full after a while, and work that leaves nothing behind. */
public class FilledCache {
  static final class Rates {
    static final Map<Integer, Rates> BY_DAY = new HashMap<>();

    final byte[] values = Dumps.payload(4_000);

    static Rates of(int day) {
      return BY_DAY.computeIfAbsent(day % 365, d -> new Rates());
    }
  }

  static long work(int days) {
    long sum = 0;
    for (int day = 0; day < days; day++) {
      sum += Rates.of(day).values.length + new String("day " + day).length();
    }
    return sum;
  }

  public static void main(String[] args) throws Exception {
    Dumps dumps = new Dumps(args[0]);
    dumps.next();
    work(1_000);
    dumps.next();
    work(5_000);
    dumps.next();
    work(5_000);
    dumps.next();
  }
}
