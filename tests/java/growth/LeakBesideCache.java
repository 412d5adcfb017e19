package growth;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Orders that are never taken off a list, beside a cache that fills at once and stays. */
public class LeakBesideCache {
  static final class Order {
    final byte[] document = Dumps.payload(1_500);
  }

  static final class Journal {
    static final List<Order> ORDERS = new ArrayList<>();
  }

  static final class Templates {
    static final Map<String, byte[]> BY_NAME = new HashMap<>();

    static byte[] of(String name) {
      return BY_NAME.computeIfAbsent(name, n -> Dumps.payload(6_000));
    }
  }

  static void serve(int orders) {
    for (int i = 0; i < orders; i++) {
      Templates.of("template-" + i % 300);
      Journal.ORDERS.add(new Order());
    }
  }

  public static void main(String[] args) throws Exception {
    Dumps dumps = new Dumps(args[0]);
    serve(1);
    dumps.next();
    serve(1_000);
    dumps.next();
    serve(1_000);
    dumps.next();
  }
}
