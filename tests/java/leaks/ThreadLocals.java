package leaks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Every request makes a ThreadLocal of its own in a pooled thread and never removes its value. */
public class ThreadLocals {
  static final class RequestContext {
    final byte[] attachments = HeapDump.payload(100_000);
  }

  static final class Request {
    final ThreadLocal<RequestContext> context = ThreadLocal.withInitial(RequestContext::new);

    void serve() {
      if (context.get().attachments[0] != 1) {
        throw new AssertionError();
      }
    }
  }

  /** All requests are under way at the same time, so that no entry is cleaned up while others are made. */
  static void serveAll() {
    List<Request> open = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Request request = new Request();
      open.add(request);
      request.serve();
    }
  }

  static Thread worker(Runnable task) {
    Thread thread = new Thread(task, "request-worker");
    thread.setDaemon(true);
    return thread;
  }

  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newSingleThreadExecutor(ThreadLocals::worker);
    pool.submit(ThreadLocals::serveAll).get();
    HeapDump.write(args[0]);
    pool.shutdownNow();
  }
}
