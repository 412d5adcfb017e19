import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** A list of N nodes, each kept by the one before it alone: java DeepChain OUT.hprof N */
public class DeepChain {
  static Node head;

  static final class Node {
    final Node next;
    final long value;

    Node(Node next, long value) {
      this.next = next;
      this.value = value;
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = Integer.parseInt(args[1]); i > 0; i--) {
      head = new Node(head, i);
    }
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[0], true);
    if (head == null) {
      throw new AssertionError();
    }
  }
}
