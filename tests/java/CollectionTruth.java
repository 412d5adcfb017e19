import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.util.*;
import java.util.concurrent.*;

/**
 * Builds one collection of each sort in several sizes, each in a static field's list of its own, works out from inside
 * what a report on its heap must say, and dumps itself. Arguments: the dump, and the file for the figures, one line per
 * class of collections: class, collections, empty ones, elements, slots, used buckets (or -), bytes wasted in arrays of
 * empty ones, bytes wasted in arrays that are too large (arrays of four bytes per element after a header of 16).
 * Only subclasses made here are counted, so that the JVM's own collections do not disturb.
 */
public final class CollectionTruth {
    static class OwnArrayList<T> extends ArrayList<T> { OwnArrayList(int n) { super(n); } OwnArrayList() { } }
    static class OwnLinkedList<T> extends LinkedList<T> { }
    static class OwnVector<T> extends Vector<T> { }
    static class OwnStack<T> extends Stack<T> { }
    static class OwnArrayDeque<T> extends ArrayDeque<T> { }
    static class OwnPriorityQueue<T> extends PriorityQueue<T> { }
    static class OwnHashMap<K, V> extends HashMap<K, V> { OwnHashMap(int n) { super(n); } OwnHashMap() { } }
    static class OwnLinkedHashMap<K, V> extends LinkedHashMap<K, V> { }
    static class OwnHashSet<T> extends HashSet<T> { }
    static class OwnLinkedHashSet<T> extends LinkedHashSet<T> { }
    static class OwnTreeMap<K, V> extends TreeMap<K, V> { }
    static class OwnTreeSet<T> extends TreeSet<T> { }
    static class OwnHashtable<K, V> extends Hashtable<K, V> { }
    static class OwnProperties extends Properties { }
    static class OwnIdentityHashMap<K, V> extends IdentityHashMap<K, V> { }
    static class OwnWeakHashMap<K, V> extends WeakHashMap<K, V> { }
    static class OwnConcurrentHashMap<K, V> extends ConcurrentHashMap<K, V> { }
    static class OwnSkipListMap<K, V> extends ConcurrentSkipListMap<K, V> { }
    static class OwnSkipListSet<T> extends ConcurrentSkipListSet<T> { }
    static class OwnCopyOnWriteArrayList<T> extends CopyOnWriteArrayList<T> { }
    static class OwnCopyOnWriteArraySet<T> extends CopyOnWriteArraySet<T> { }
    static class OwnArrayBlockingQueue<T> extends ArrayBlockingQueue<T> { OwnArrayBlockingQueue() { super(1500); } }
    static class OwnLinkedBlockingQueue<T> extends LinkedBlockingQueue<T> { }
    static class OwnLinkedBlockingDeque<T> extends LinkedBlockingDeque<T> { }
    static class OwnPriorityBlockingQueue<T> extends PriorityBlockingQueue<T> { }
    static class OwnConcurrentLinkedQueue<T> extends ConcurrentLinkedQueue<T> { }
    static class OwnConcurrentLinkedDeque<T> extends ConcurrentLinkedDeque<T> { }
    static class OwnLinkedTransferQueue<T> extends LinkedTransferQueue<T> { }
    enum Colour { RED, GREEN, BLUE, GREY, BLACK }
    static class OwnEnumMap extends EnumMap<Colour, Object> { OwnEnumMap() { super(Colour.class); } }

    /** All of the same hash, in the same bucket; comparable, so that long chains become trees. */
    static final class Clash implements Comparable<Clash> {
        final int number;
        Clash(int number) { this.number = number; }
        @Override public int hashCode() { return 42; }
        @Override public boolean equals(Object other) { return other instanceof Clash && ((Clash) other).number == number; }
        @Override public int compareTo(Clash other) { return Integer.compare(number, other.number); }
    }

    static final class Cache {
        final OwnHashMap<Object, Object> entries = new OwnHashMap<>(100_000);
    }

    static final List<Object> everything = new ArrayList<>();
    static final List<Object> keys = new ArrayList<>();
    static final Cache cache = new Cache();
    static final OwnArrayList<Object> events = new OwnArrayList<>(50_000);
    static final int[] SIZES = {0, 1, 3, 10, 11, 12, 13, 48, 97, 1000};

    interface Maker { Object make(); }

    static Object element(int i) {
        return Integer.valueOf(1_000_000 + i * 7919);
    }

    @SuppressWarnings("unchecked")
    static void fill(Object made, int size) {
        for (int i = 0; i < size; i++) {
            if (made instanceof OwnProperties) {
                ((OwnProperties) made).setProperty("key" + i, "value");
            } else if (made instanceof EnumMap) {
                ((EnumMap<Colour, Object>) made).put(Colour.values()[i % 5], element(i));
            } else if (made instanceof Map) {
                Object key = element(i);
                keys.add(key); // for weak maps
                ((Map<Object, Object>) made).put(key, element(i + 1));
            } else {
                ((Collection<Object>) made).add(element(i));
            }
        }
    }

    static void several(Maker maker) {
        for (int size : SIZES) {
            Object made = maker.make();
            fill(made, size);
            everything.add(made);
        }
    }

    static void build() throws Exception {
        Maker[] makers = {OwnArrayList::new, OwnLinkedList::new, OwnVector::new, OwnStack::new, OwnArrayDeque::new,
            OwnPriorityQueue::new, OwnHashMap::new, OwnLinkedHashMap::new, OwnHashSet::new, OwnLinkedHashSet::new,
            OwnTreeMap::new, OwnTreeSet::new, OwnHashtable::new, OwnProperties::new, OwnIdentityHashMap::new,
            OwnWeakHashMap::new, OwnConcurrentHashMap::new, OwnSkipListMap::new, OwnSkipListSet::new,
            OwnCopyOnWriteArrayList::new, OwnCopyOnWriteArraySet::new, OwnArrayBlockingQueue::new,
            OwnLinkedBlockingQueue::new, OwnLinkedBlockingDeque::new, OwnPriorityBlockingQueue::new,
            OwnConcurrentLinkedQueue::new, OwnConcurrentLinkedDeque::new, OwnLinkedTransferQueue::new, OwnEnumMap::new};
        for (Maker maker : makers) {
            several(maker);
        }
        OwnHashMap<Object, Object> clashing = new OwnHashMap<>();
        for (int i = 0; i < 200; i++) {
            clashing.put(new Clash(i), i % 2 == 0 ? null : element(i));
        }
        everything.add(clashing);
        OwnArrayDeque<Object> wrapped = new OwnArrayDeque<>();
        OwnConcurrentLinkedQueue<Object> drained = new OwnConcurrentLinkedQueue<>();
        OwnLinkedTransferQueue<Object> handed = new OwnLinkedTransferQueue<>();
        for (int i = 0; i < 30; i++) {
            for (Queue<Object> queue : List.of(wrapped, drained, handed)) {
                queue.add(element(i));
                if (i % 3 != 0) {
                    queue.poll();
                }
            }
        }
        Collections.addAll(everything, wrapped, drained, handed);
        OwnArrayList<Object> trimmed = new OwnArrayList<>(1000);
        trimmed.add("one");
        trimmed.trimToSize();
        OwnArrayList<Object> nulls = new OwnArrayList<>(64);
        nulls.add(null);
        nulls.add(null);
        Collections.addAll(everything, trimmed, nulls);
        contended();
        for (int i = 0; i < 300; i++) {
            cache.entries.put(element(i), new int[10]);
            events.add(new StringBuilder("event " + i));
        }
    }

    /** Counter cells appear where threads add at the same time. */
    static void contended() throws Exception {
        OwnConcurrentHashMap<Object, Object> shared = new OwnConcurrentHashMap<>();
        OwnSkipListMap<Object, Object> sorted = new OwnSkipListMap<>();
        Thread[] threads = new Thread[8];
        for (int t = 0; t < threads.length; t++) {
            final int first = t * 5000;
            threads[t] = new Thread(() -> {
                for (int i = 0; i < 5000; i++) {
                    shared.put(element(first + i), "x");
                    sorted.put(first + i, "x");
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        Collections.addAll(everything, shared, sorted);
    }

    static Object field(Object owner, String name) throws Exception {
        for (Class<?> at = owner.getClass(); at != null; at = at.getSuperclass()) {
            try {
                Field field = at.getDeclaredField(name);
                field.setAccessible(true);
                return field.get(owner);
            } catch (NoSuchFieldException | InaccessibleObjectException next) {
                continue;
            }
        }
        throw new NoSuchFieldException(name + " in " + owner.getClass());
    }

    static final Map<Class<?>, String> ARRAYS = new LinkedHashMap<>();
    static final Map<Class<?>, String> INNER = new LinkedHashMap<>();
    static {
        ARRAYS.put(ArrayList.class, "elementData");
        ARRAYS.put(Vector.class, "elementData");
        ARRAYS.put(ArrayDeque.class, "elements");
        ARRAYS.put(PriorityQueue.class, "queue");
        ARRAYS.put(PriorityBlockingQueue.class, "queue");
        ARRAYS.put(ArrayBlockingQueue.class, "items");
        ARRAYS.put(CopyOnWriteArrayList.class, "array");
        ARRAYS.put(HashMap.class, "table");
        ARRAYS.put(IdentityHashMap.class, "table");
        ARRAYS.put(WeakHashMap.class, "table");
        ARRAYS.put(ConcurrentHashMap.class, "table");
        ARRAYS.put(EnumMap.class, "vals");
        INNER.put(HashSet.class, "map");
        INNER.put(TreeSet.class, "m");
        INNER.put(ConcurrentSkipListSet.class, "m");
        INNER.put(CopyOnWriteArraySet.class, "al");
        INNER.put(Properties.class, "map");
        ARRAYS.put(Hashtable.class, "table");
    }

    /** The array of a collection, through what it keeps its elements in; null if it has none. */
    static Object array(Object collection) throws Exception {
        for (Map.Entry<Class<?>, String> inner : INNER.entrySet()) {
            if (inner.getKey().isInstance(collection)) {
                return array(field(collection, inner.getValue()));
            }
        }
        for (Map.Entry<Class<?>, String> entry : ARRAYS.entrySet()) {
            if (entry.getKey().isInstance(collection)) {
                return field(collection, entry.getValue());
            }
        }
        return null;
    }

    static boolean hasBuckets(Object collection) {
        return collection instanceof HashMap || collection instanceof HashSet || collection instanceof Hashtable
            || collection instanceof WeakHashMap || collection instanceof ConcurrentHashMap;
    }

    static long bytes(long length) {
        return (16 + 4 * length + 7) / 8 * 8;
    }

    /** Length of the smallest array that holds so many elements. */
    static long needed(Object collection, int size) {
        boolean hash = collection instanceof HashMap || collection instanceof HashSet;
        boolean concurrent = collection instanceof ConcurrentHashMap || collection instanceof Properties;
        long length = 1;
        if (collection instanceof WeakHashMap || concurrent) {
            while (length - length / 4.0 <= size) {
                length *= 2;
            }
        } else if (hash) {
            while (length * 3 / 4 < size) {
                length *= 2;
            }
        } else if (collection instanceof Hashtable) {
            while (length * 3 / 4 < size) {
                length++;
            }
        } else if (collection instanceof IdentityHashMap) {
            for (length = 8; length < 3L * size;) {
                length *= 2;
            }
        } else {
            length = collection instanceof ArrayDeque ? size + 1 : size;
        }
        return length;
    }

    static final class Figures {
        long collections, empty, elements, slots, used, wastedEmpty, wastedCapacity;
        boolean buckets;

        void add(Object collection) throws Exception {
            int size = collection instanceof Map ? ((Map<?, ?>) collection).size() : ((Collection<?>) collection).size();
            collections++;
            empty += size == 0 ? 1 : 0;
            elements += size;
            Object array = array(collection);
            if (array != null) {
                int length = Array.getLength(array);
                slots += length;
                boolean isFixed = collection instanceof ArrayBlockingQueue;
                if (size == 0 && length > 0 && !isFixed) {
                    wastedEmpty += bytes(length);
                } else if (!isFixed && !(collection instanceof EnumMap)) {
                    wastedCapacity += bytes(length) - bytes(Math.min(length, needed(collection, size)));
                }
                buckets = hasBuckets(collection);
                for (int i = 0; i < length && buckets; i++) {
                    used += Array.get(array, i) == null ? 0 : 1;
                }
            }
        }
    }


    /** By class. Nothing of it is left when the heap is dumped, so that collections keep their one holder. */
    static Map<String, Figures> figures() throws Exception {
        List<Object> all = new ArrayList<>(everything);
        all.add(cache.entries);
        all.add(events);
        Map<String, Figures> figures = new TreeMap<>();
        for (Object collection : all) {
            figures.computeIfAbsent(collection.getClass().getName(), name -> new Figures()).add(collection);
        }
        return figures;
    }

    static void write(String file) throws Exception {
        try (PrintWriter out = new PrintWriter(file, "UTF-8")) {
            figures().forEach((name, f) -> out.println(name + "\t" + f.collections + "\t" + f.empty + "\t" + f.elements
                + "\t" + f.slots + "\t" + (f.buckets ? Long.toString(f.used) : "-") + "\t" + f.wastedEmpty + "\t"
                + f.wastedCapacity));
        }
    }

    public static void main(String[] arguments) throws Exception {
        build();
        write(arguments[1]);
        dump(arguments[0]);
    }

    static void dump(String file) throws IOException {
        com.sun.management.HotSpotDiagnosticMXBean bean =
            ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
        bean.dumpHeap(file, true);
    }
}
