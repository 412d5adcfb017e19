package leaks;

import java.util.ArrayList;
import java.util.List;

/** Windows register with the event bus when they open and stay registered when they are closed. */
public class ListenerList {
  interface Listener {
    void changed(String what);
  }

  static final class EventBus {
    static final EventBus INSTANCE = new EventBus();

    private final List<Listener> listeners = new ArrayList<>();

    void register(Listener listener) {
      listeners.add(listener);
    }
  }

  static final class Window implements Listener {
    private final byte[] pixels = HeapDump.payload(60_000);

    @Override
    public void changed(String what) {
      pixels[1]++;
    }

    void open() {
      EventBus.INSTANCE.register(this);
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 500; i++) {
      new Window().open();
    }
    HeapDump.write(args[0]);
  }
}
