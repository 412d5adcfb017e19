package growth;

import java.util.ArrayDeque;
import java.util.Deque;

/** A worker that collects events in a local variable. */
public class LocalBuffer {
  static final class Event {
    final byte[] body = Dumps.payload(2_000);
  }

  static void collect(Dumps dumps) throws Exception {
    Deque<Event> pending = new ArrayDeque<>();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 800; i++) {
        pending.add(new Event());
      }
      dumps.next();
    }
    System.out.println(pending.size());
  }

  public static void main(String[] args) throws Exception {
    Dumps dumps = new Dumps(args[0]);
    Thread worker = new Thread(() -> {
      try {
        collect(dumps);
      } catch (Exception failure) {
        throw new IllegalStateException(failure);
      }
    }, "collector-7");
    worker.start();
    worker.join();
  }
}
