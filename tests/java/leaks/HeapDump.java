package leaks;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** Writes the heap that a program has filled. */
final class HeapDump {
  private HeapDump() {}

  /** Dumps what is reachable; the program may go on. */
  static void write(String path) throws Exception {
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(path, true);
  }

  /** A payload that no two callers share. */
  static byte[] payload(int bytes) {
    byte[] content = new byte[bytes];
    content[0] = 1;
    return content;
  }
}
