import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Dumps itself, then writes what the JVM says of the sizes of all classes: Sizes DUMP HISTOGRAM. */
public class Sizes {
  static class Empty {}

  static class Flag {
    boolean flag;
  }

  static class Wide {
    long l;
    boolean flag;
  }

  /** Fields that fit into the gaps of Wide. */
  static class Late extends Wide {
    short s;
    Object o;
    int i;
  }

  static class Later extends Late {
    byte b;
    double d;
    Object p, q;
  }

  static class Statics {
    static long l = 1;
    static byte b = 2;
    static Object o = new Object();
    char c;
  }

  static class OwnThread extends Thread {
    boolean flag;
    int i;
  }

  static class OwnLoader extends ClassLoader {
    byte b;
  }

  static final List<Object> KEPT = new ArrayList<>();

  static void fill() {
    for (int i = 0; i < 20; i++) {
      KEPT.add(new Empty());
      KEPT.add(new Flag());
      KEPT.add(new Wide());
      KEPT.add(new Late());
      KEPT.add(new Later());
      KEPT.add(new Statics());
      KEPT.add(new OwnThread());
      KEPT.add(new OwnLoader());
      KEPT.add(new InternalError());
      KEPT.add(new byte[i]);
      KEPT.add(new char[i]);
      KEPT.add(new int[i]);
      KEPT.add(new long[i]);
      KEPT.add(new Object[i]);
      KEPT.add(new double[3][4]);
      KEPT.add(new short[5]);
      KEPT.add(new Late[2]);
    }
  }

  public static void main(String[] arguments) throws Exception {
    fill();
    java.util.concurrent.atomic.LongAdder adder = new java.util.concurrent.atomic.LongAdder();
    Thread[] threads = new Thread[8];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                for (int n = 0; n < 200_000; n++) {
                  adder.increment();
                }
              });
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    KEPT.add(adder);
    KEPT.add(new java.util.concurrent.ForkJoinPool(2).submit(() -> 1).get());
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    HotSpotDiagnosticMXBean bean =
        ManagementFactory.newPlatformMXBeanProxy(
            server,
            "com.sun.management:type=HotSpotDiagnostic",
            HotSpotDiagnosticMXBean.class);
    ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
    Object[] all = {new String[] {"-all"}};
    String[] signature = {String[].class.getName()};
    bean.dumpHeap(arguments[0], false);
    Object text = server.invoke(commands, "gcClassHistogram", all, signature);
    Files.writeString(Path.of(arguments[1]), text.toString());
  }
}
