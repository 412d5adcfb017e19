import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.PrintWriter;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads in every state, with known locals, and system properties; dumps the heap and writes beside it what the JVM
 * itself says of them: Threads DUMP EXPECTED.
 */
public final class Threads {
    static final Object MONITOR = new Object();
    static final CountDownLatch NEVER = new CountDownLatch(1);

    static Thread start(String name, boolean daemon, int priority, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(daemon);
        thread.setPriority(priority);
        thread.start();
        return thread;
    }

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            Thread.sleep(5);
        }
    }

    /** Two frames with an array each; the lower one also has the upper one's. */
    static void hold() {
        byte[] lower = new byte[3_000_000];
        holdMore(lower);
        lower[0] = 1;
    }

    static void holdMore(byte[] passed) {
        byte[] upper = new byte[2_000_000];
        LockSupport.park();
        upper[0] = passed[0];
    }

    static void waitForever() {
        synchronized (NEVER) {
            try {
                NEVER.wait();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }

    static void sleepLong() {
        try {
            Thread.sleep(3_600_000);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    static String escaped(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            out.append(String.format("\\u%04x", (int) c));
        }
        return out.append('"').toString();
    }

    /** Starts virtual threads where the JDK has them. */
    static int startVirtual(int count) throws Exception {
        java.lang.reflect.Method starter;
        try {
            starter = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException none) {
            return 0;
        }
        for (int i = 0; i < count; ++i) {
            ((Thread) starter.invoke(null, (Runnable) LockSupport::park)).setName("virtual-" + i);
        }
        Thread.sleep(500);
        return count;
    }

    static void write(String path, int virtuals) throws Exception {
        try (PrintWriter out = new PrintWriter(path, StandardCharsets.UTF_8)) {
            out.println("{\"virtual\": " + virtuals + ", \"threads\": [");
            String comma = "";
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                out.printf("%s {\"name\": %s, \"class\": %s, \"daemon\": %b, \"priority\": %d, \"state\": \"%s\"}%n", comma,
                        escaped(thread.getName()), escaped(thread.getClass().getName()), thread.isDaemon(),
                        thread.getPriority(), thread.getState());
                comma = ",";
            }
            out.println("], \"properties\": {");
            comma = "";
            Properties properties = System.getProperties();
            for (String key : properties.stringPropertyNames()) {
                out.printf("%s %s: %s%n", comma, escaped(key), escaped(properties.getProperty(key)));
                comma = ",";
            }
            out.println("}, \"collectors\": [");
            comma = "";
            for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
                out.println(comma + escaped(bean.getName()));
                comma = ",";
            }
            out.println("], \"arguments\": [");
            comma = "";
            for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
                out.println(comma + escaped(argument));
                comma = ",";
            }
            out.println("], \"started_ms\": " + ManagementFactory.getRuntimeMXBean().getStartTime()
                    + ", \"process_id\": " + ProcessHandle.current().pid()
                    + ", \"processors\": " + Runtime.getRuntime().availableProcessors() + "}");
        }
    }

    public static void main(String[] arguments) throws Exception {
        Properties withDefaults = new Properties(System.getProperties());
        withDefaults.setProperty("test.password", "hunter2");
        withDefaults.setProperty("test.url", "jdbc:test://scott:tiger@host/db");
        withDefaults.setProperty("test.wide", "\u4e16\u754c \ud83d\ude00");
        for (int i = 0; i < 3000; ++i) {
            withDefaults.setProperty("test.many." + i, "value " + i);
        }
        System.setProperties(withDefaults);
        await(start("parked \u00fc", true, 3, Threads::hold), Thread.State.WAITING);
        await(start("waiting", false, 5, Threads::waitForever), Thread.State.WAITING);
        await(start("sleeping", true, 10, Threads::sleepLong), Thread.State.TIMED_WAITING);
        Thread fresh = new Thread(() -> { }, "fresh");
        int virtuals = startVirtual(20);
        synchronized (MONITOR) {
            await(start("blocked", true, 1, () -> {
                synchronized (MONITOR) {
                    fresh.start();
                }
            }), Thread.State.BLOCKED);
            write(arguments[1], virtuals);
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpHeap(Path.of(arguments[0]).toString(), true);
        }
        System.exit(0);
    }
}
