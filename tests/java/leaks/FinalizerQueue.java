package leaks;

import java.util.concurrent.CountDownLatch;

/** The finalizer of the first object waits, so thousands of later ones queue up behind it. */
public class FinalizerQueue {
  static final CountDownLatch BLOCKED = new CountDownLatch(1);
  static final CountDownLatch NEVER = new CountDownLatch(1);

  static final class NativeHandle {
    final byte[] buffer = HeapDump.payload(10_000);

    @Override
    @SuppressWarnings({"deprecation", "removal"})
    protected void finalize() throws InterruptedException {
      BLOCKED.countDown();
      NEVER.await();
    }
  }

  static void use() {
    for (int i = 0; i < 3000; i++) {
      new NativeHandle();
    }
  }

  public static void main(String[] args) throws Exception {
    use();
    while (BLOCKED.getCount() != 0) {
      System.gc();
      Thread.sleep(10);
    }
    System.gc();
    HeapDump.write(args[0]);
    Runtime.getRuntime().halt(0);
  }
}
