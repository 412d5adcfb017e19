import java.util.ArrayList;
import java.util.List;

/** Holds so many items, says that it is ready, and waits to be dumped and stopped. */
public class Unfinished {
  static final class Item {
    final long[] payload = new long[20];
    final int number;

    Item(int number) {
      this.number = number;
    }
  }

  static final List<Item> ITEMS = new ArrayList<>();

  public static void main(String[] arguments) throws Exception {
    for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
      ITEMS.add(new Item(i));
    }
    System.out.println("ready");
    Thread.sleep(600_000);
  }
}
