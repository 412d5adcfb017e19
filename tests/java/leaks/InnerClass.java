package leaks;

import java.util.ArrayList;
import java.util.List;

/** A small task of an inner class stays with the scheduler and holds the whole form around it. */
public class InnerClass {
  static final class Scheduler {
    static final List<Runnable> TASKS = new ArrayList<>();
  }

  static final class Form {
    private final byte[] image = HeapDump.payload(150_000);

    /** Holds its form by the hidden field this$0. */
    final class Redraw implements Runnable {
      @Override
      public void run() {
        image[1]++;
      }
    }

    void show() {
      Scheduler.TASKS.add(new Redraw());
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 200; i++) {
      new Form().show();
    }
    HeapDump.write(args[0]);
  }
}
