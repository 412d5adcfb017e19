package leaks;

import java.util.HashMap;
import java.util.Map;

/** Prices are looked up once and kept for ever in a static map. */
public class StaticCache {
  static final class PriceTable {
    static final Map<String, PriceTable> BY_CUSTOMER = new HashMap<>();

    final byte[] prices = HeapDump.payload(30_000);

    static PriceTable of(String customer) {
      return BY_CUSTOMER.computeIfAbsent(customer, name -> new PriceTable());
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 1000; i++) {
      PriceTable.of("customer-" + i);
    }
    HeapDump.write(args[0]);
  }
}
