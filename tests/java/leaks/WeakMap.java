package leaks;

import java.util.Map;
import java.util.WeakHashMap;

/** Entries of a WeakHashMap that never go, because each value refers to its own key. */
public class WeakMap {
  static final class Document {
    final byte[] text = HeapDump.payload(15_000);
  }

  static final class Outline {
    static final Map<Document, Outline> BY_DOCUMENT = new WeakHashMap<>();

    final Document document;

    Outline(Document document) {
      this.document = document;
    }
  }

  public static void main(String[] args) throws Exception {
    for (int i = 0; i < 2000; i++) {
      Document document = new Document();
      Outline.BY_DOCUMENT.put(document, new Outline(document));
    }
    HeapDump.write(args[0]);
  }
}
