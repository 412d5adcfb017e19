import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A small program with an ordinary leak, which dumps its own heap: java Sample OUT.hprof
 *
 * <p>What is in the heap on purpose: a static cache that is never emptied (300 sessions of 20 kB, most of the
 * heap), a linked list of 1000 events, strings that occur many times, and a thread named "importer" that holds
 * 500 kB in a local variable.
 */
public class Sample {
  static final Map<String, Session> CACHE = new HashMap<>();
  static final LinkedList<Event> EVENTS = new LinkedList<>();

  static final class Session {
    final String user;
    final byte[] attributes = new byte[20_000];
    final List<String> visited = new ArrayList<>();

    Session(String user) {
      this.user = user;
    }
  }

  static final class Event {
    final long at;
    final String text;

    Event(long at, String text) {
      this.at = at;
      this.text = text;
    }
  }

  static void importRows(CountDownLatch started, CountDownLatch done) {
    byte[] rows = new byte[500_000];
    rows[0] = 1;
    started.countDown();
    try {
      done.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    if (rows[0] != 1) {
      throw new AssertionError();
    }
  }

  static void fill() {
    for (int i = 0; i < 300; i++) {
      Session session = new Session("user-" + i % 40);
      session.visited.add("/start");
      session.visited.add("/item/" + i);
      CACHE.put("session-" + i, session);
    }
    for (int i = 0; i < 1000; i++) {
      EVENTS.add(new Event(i, "event " + i % 7));
    }
  }

  public static void main(String[] args) throws Exception {
    fill();
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Thread importer = new Thread(() -> importRows(started, done), "importer");
    importer.start();
    started.await();
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
    done.countDown();
    importer.join();
  }
}
