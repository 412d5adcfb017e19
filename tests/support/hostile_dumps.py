"""Dumps that are shaped to be expensive: each shape is a function of a size n that yields the bytes of a dump piece by
piece. Ids have 4 bytes where nothing else is said."""

import struct

OBJECT_CLASS, CLASS_CLASS, LOADER_CLASS, ARRAY_CLASS, FIRST_CLASS = 0x10, 0x20, 0x30, 0x40, 0x1000
FIRST_OBJECT = 0x40000000
NAMES = {1: "java/lang/Object", 2: "java/lang/Class", 3: "java/lang/ClassLoader", 4: "[Ljava/lang/Object;", 5: "x"}
PIECE = 4096


class Dump:
    """Records of a dump with ids of one width."""

    def __init__(self, ids=4, form="1.0.2"):
        self.form = form
        self.ids = ids
        self.id = "I" if ids == 4 else "Q"

    def pack(self, layout, *values):
        """As struct.pack, big-endian; @ is an id."""
        return struct.pack(">" + layout.replace("@", self.id), *values)

    def header(self):
        return f"JAVA PROFILE {self.form}\0".encode() + struct.pack(">IQ", self.ids, 1_500_000_000_000)

    def record(self, tag, body):
        return struct.pack(">BII", tag, 0, len(body)) + body

    def string(self, number, text):
        return self.record(0x01, self.pack("@", number) + text)

    def load(self, number, address, name):
        return self.record(0x02, self.pack("I@I@", number, address, 0, name))

    def class_dump(self, address, superclass, fields=(), size=0, loader=0):
        return (self.pack("B@I@@@@@@IHHH", 0x20, address, 0, superclass, loader, 0, 0, 0, 0, size, 0, 0, len(fields))
                + b"".join(self.pack("@B", name, kind) for name, kind in fields))

    def instance(self, address, of, data=b""):
        return self.pack("B@I@I", 0x21, address, 0, of, len(data)) + data

    def array(self, address, elements, of=ARRAY_CLASS):
        return self.pack(f"B@II@{len(elements)}{self.id}", 0x22, address, 0, len(elements), of, *elements)

    def bytes_array(self, address, data):
        return self.pack("B@IIB", 0x23, address, 0, len(data), 8) + data

    def root(self, address):
        return self.pack("B@", 0x05, address)

    def segment(self, parts):
        return self.record(0x1C, b"".join(parts))

    def segments(self, parts):
        """Sub-records in segments of moderate size."""
        some = []
        for part in parts:
            some.append(part)
            if len(some) == PIECE:
                yield self.segment(some)
                some = []
        yield self.segment(some)

    def start(self):
        """The header, and what the JDK's basic classes need."""
        yield self.header()
        for number, name in NAMES.items():
            yield self.string(number, name.encode())
        for number, address in enumerate((OBJECT_CLASS, CLASS_CLASS, LOADER_CLASS, ARRAY_CLASS), 1):
            yield self.load(number, address, number)
        others = (CLASS_CLASS, LOADER_CLASS, ARRAY_CLASS)
        yield self.segment([self.class_dump(OBJECT_CLASS, 0)]
                           + [self.class_dump(address, OBJECT_CLASS) for address in others]
                           + [self.root(address) for address in (OBJECT_CLASS, *others)])

    def end(self):
        yield self.record(0x2C, b"")


def classes(dump, count, super_of):
    """So many classes, by the super class of each, and an instance of each, rooted."""
    yield from dump.start()
    for i in range(count):
        yield dump.string(100 + i, f"demo/C{i}".encode())
        yield dump.load(100 + i, FIRST_CLASS + 16 * i, 100 + i)
    yield from dump.segments(dump.class_dump(FIRST_CLASS + 16 * i, super_of(i), ((5, 8),), i + 1) for i in range(count))
    yield from dump.segments(dump.instance(FIRST_OBJECT + 16 * i, FIRST_CLASS + 16 * i, b"\1") for i in range(count))
    yield from dump.segments(dump.root(FIRST_OBJECT + 16 * i) for i in range(count))
    yield from dump.end()


def class_number(i):
    return FIRST_CLASS + 16 * i


def one_superclass(n):
    return classes(Dump(), n, lambda i: OBJECT_CLASS if i == 0 else class_number(0))


def super_chain(n):
    return classes(Dump(), n, lambda i: OBJECT_CLASS if i == 0 else class_number(i - 1))


def super_cycle(n):
    return classes(Dump(), n, lambda i: class_number((i + 1) % n))


def with_objects(dump, count, tail, step=16):
    yield from dump.start()
    yield from dump.segments(dump.instance(FIRST_OBJECT + step * i, OBJECT_CLASS) for i in range(count))
    yield from tail
    yield from dump.end()


def roots(n):
    dump = Dump()
    jni_globals = (dump.pack("B@@", 0x01, FIRST_OBJECT + 16 * (i % 10), i) for i in range(n))
    return with_objects(dump, 10, dump.segments(jni_globals))


def rooted_objects(n):
    dump = Dump()
    return with_objects(dump, n, dump.segments(dump.root(FIRST_OBJECT + 16 * i) for i in range(n)))


def threads(n):
    dump = Dump()

    def tail():
        yield from dump.segments(dump.pack("B@II", 0x08, FIRST_OBJECT + 16 * i, i + 1, i + 1) for i in range(n))
        yield from dump.segments(dump.pack("B@II", 0x03, FIRST_OBJECT + 16 * (i // 2), i + 1, 0) for i in range(n))
    return with_objects(dump, n, tail())


def stacks(n):
    """As many frames as traces, each trace a thread's."""
    dump = Dump()

    def tail():
        for i in range(n):
            yield dump.record(0x04, dump.pack("@@@@II", i + 1, 5, 5, 5, 1, i))
        for i in range(n):
            yield dump.record(0x05, dump.pack("III@", i + 1, i + 1, 1, i + 1))
        yield from dump.segments(dump.pack("B@II", 0x08, FIRST_OBJECT + 16 * (i % 10), i + 1, i + 1) for i in range(n))
    return with_objects(dump, 10, tail())


def tiny_segments(n):
    dump = Dump()
    return with_objects(dump, 0, (dump.segment([dump.instance(FIRST_OBJECT + 16 * i, OBJECT_CLASS)]) for i in range(n)))


def heap_infos(n):
    dump = Dump(form="1.0.3")
    return with_objects(dump, n, dump.segments(dump.pack("BI@", 0xFE, i % 300, 5) for i in range(n)))


def same_strings(n):
    dump = Dump()
    return with_objects(dump, 10, (dump.string(1000, b"name") for i in range(n)))


def long_names(n):
    dump = Dump()

    def tail():
        for i in range(n):
            yield dump.string(100 + i, b"n/%d" % i + b"x" * 70_000)
            yield dump.load(100 + i, class_number(i), 100 + i)
        yield from dump.segments(dump.class_dump(class_number(i), OBJECT_CLASS) for i in range(n))
        yield from dump.segments(dump.instance(FIRST_OBJECT + 0x1000 + 16 * i, class_number(i)) for i in range(n))
        yield from dump.segments(dump.root(FIRST_OBJECT + 0x1000 + 16 * i) for i in range(n))
    return with_objects(dump, 10, tail())


def wide_arrays(n):
    """Arrays of 300 000 elements that all reference the same objects."""
    dump = Dump()
    elements = [FIRST_OBJECT + 16 * i for i in range(300_000)]
    first = FIRST_OBJECT + 16 * 300_000

    def tail():
        for i in range(n):
            yield dump.segment([dump.array(first + 0x200000 * i, elements), dump.root(first + 0x200000 * i)])
    return with_objects(dump, 300_000, tail())


def wide_class(n):
    """Instances with 65 535 fields that are references."""
    dump = Dump()
    data = struct.pack(">65535I", *(FIRST_OBJECT + 16 * (i % 10) for i in range(65535)))
    first = FIRST_OBJECT + 0x1000

    def tail():
        yield dump.string(100, b"demo/Wide") + dump.load(100, FIRST_CLASS, 100)
        yield dump.segment([dump.class_dump(FIRST_CLASS, OBJECT_CLASS, [(5, 2)] * 65535, 4 * 65535)])
        for i in range(n):
            yield dump.segment([dump.instance(first + 0x80000 * i, FIRST_CLASS, data), dump.root(first + 0x80000 * i)])
    return with_objects(dump, 10, tail())


def many_dumps(n):
    dump = Dump()
    one = b"".join(with_objects(dump, 3, iter(())))
    return (one for i in range(n))


def sparse(n):
    """An object in every 512 KiB of an address space of 64 bits."""
    dump = Dump(ids=8)

    def tail():
        yield from dump.segments(dump.root(FIRST_OBJECT + (i << 19)) for i in range(0, n, 7))
    return with_objects(dump, n, tail(), step=1 << 19)


def sparse_backwards(n):
    dump = Dump(ids=8)
    yield from dump.start()
    yield from dump.segments(dump.instance(FIRST_OBJECT + (i << 19), OBJECT_CLASS) for i in reversed(range(n)))
    yield from dump.segments(dump.root(FIRST_OBJECT + (i << 19)) for i in range(0, n, 7))
    yield from dump.end()


def chain(n):
    """A list, its nodes in falling order of address, held by its head."""
    dump = Dump()
    yield from dump.start()
    yield dump.string(100, b"demo/Node") + dump.load(100, FIRST_CLASS, 100)
    yield dump.segment([dump.class_dump(FIRST_CLASS, OBJECT_CLASS, ((5, 2),), 4)])
    ids = [0, *range(FIRST_OBJECT, FIRST_OBJECT + 16 * n, 16)]
    yield from dump.segments(dump.instance(ids[i + 1], FIRST_CLASS, struct.pack(">I", ids[i])) for i in reversed(range(n)))
    yield dump.segment([dump.root(FIRST_OBJECT + 16 * (n - 1))])
    yield from dump.end()


def zeros(n):
    dump = Dump()
    return with_objects(dump, 1, (dump.segment([dump.bytes_array(FIRST_OBJECT + 0x1000 + 0x200000 * i, bytes(1 << 20))])
                                  for i in range(n)))


def huge_counts(n):
    """Headers and counts that promise far more than there is."""
    dump = Dump()
    lies = [dump.pack("B@II@", 0x22, FIRST_OBJECT + 0x1000, 0, 0xFFFFFFF0, ARRAY_CLASS),
            dump.pack("B@IIB", 0x23, FIRST_OBJECT + 0x2000, 0, 0x7FFFFFFF, 11),
            dump.pack("B@I@I", 0x21, FIRST_OBJECT + 0x3000, 0, OBJECT_CLASS, 0xFFFFFFFF),
            dump.pack("B@I@@@@@@IHHH", 0x20, FIRST_CLASS, 0, OBJECT_CLASS, *[0] * 5, 0xFFFFFFFF, 0, 0xFFFF, 0xFFFF)]

    def tail():
        for i in range(n):
            yield dump.segment([lies[i % len(lies)]])
        yield struct.pack(">BII", 0x05, 0, 20) + dump.pack("III@@", 1, 1, 0xFFFFFFFF, 1, 1)
        yield struct.pack(">BII", 0x01, 0, 0xFFFFFFFF)
    return with_objects(dump, 10, tail())
