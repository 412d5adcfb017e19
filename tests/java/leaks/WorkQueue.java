package leaks;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** One thread makes jobs faster than another takes them from the queue between the two. */
public class WorkQueue {
  static final class Job {
    final byte[] document = HeapDump.payload(20_000);
  }

  static final class Pipeline {
    private final BlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
    private final CountDownLatch stuck = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    void produce() {
      for (int i = 0; i < 1500; i++) {
        jobs.add(new Job());
      }
    }

    void consume() {
      try {
        Job first = jobs.take();
        stuck.countDown();
        go.await();
        if (first.document[0] != 1) {
          throw new AssertionError();
        }
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Pipeline pipeline = new Pipeline();
    Thread consumer = new Thread(pipeline::consume, "slow-consumer");
    consumer.setDaemon(true);
    consumer.start();
    Thread producer = new Thread(pipeline::produce, "producer");
    producer.start();
    producer.join();
    pipeline.stuck.await();
    HeapDump.write(args[0]);
    pipeline.go.countDown();
    consumer.join();
  }
}
