package growth;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** Writes the heap of a program several times. */
final class Dumps {
  private final String stem;
  private int written;

  Dumps(String stem) {
    this.stem = stem;
  }

  /** Dumps what is reachable to STEM1.hprof, STEM2.hprof and so on. */
  void next() throws Exception {
    written++;
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpHeap(stem + written + ".hprof", true);
    Thread.sleep(20);
  }

  static byte[] payload(int bytes) {
    byte[] content = new byte[bytes];
    content[0] = 1;
    return content;
  }
}
