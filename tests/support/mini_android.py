"""A reader of Android heap dumps (ids of 4 bytes) that keeps everything in memory: an independent witness for tests."""

import collections
import gzip
import struct

WIDTHS = {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
OBJECT = 2
# Bytes of a root record after its tag and id.
ROOT_BYTES = {0xFF: 0, 0x01: 4, 0x02: 8, 0x03: 8, 0x04: 4, 0x05: 0, 0x06: 4, 0x07: 0, 0x08: 8, 0x89: 0, 0x8A: 0,
              0x8B: 0, 0x8C: 0, 0x8D: 0, 0x8E: 8}


class AndroidDump:
    """Objects with their heap and size as dumped, classes with fields, references by kind, roots."""

    def __init__(self, path):
        self.data = gzip.decompress(path.read_bytes())
        self.names, self.class_names, self.classes = {}, {}, {}
        self.sizes, self.heaps = {}, {}
        self.instances, self.object_arrays, self.primitive_arrays = [], [], []
        self.roots = collections.defaultdict(set)
        self.root_records = collections.Counter()
        self._read()

    def u4(self, at):
        return struct.unpack_from(">I", self.data, at)[0]

    def u2(self, at):
        return struct.unpack_from(">H", self.data, at)[0]

    def _read(self):
        at = self.data.index(b"\0") + 13
        assert self.u4(at - 12) == 4
        while at < len(self.data):
            tag, length = self.data[at], self.u4(at + 5)
            at += 9
            if tag == 0x01:
                self.names[self.u4(at)] = self.data[at + 4:at + length].decode("utf-8", "replace")
            elif tag == 0x02:
                self.class_names[self.u4(at + 4)] = self.u4(at + 12)
            elif tag in (0x0C, 0x1C):
                self._read_heap(at, at + length)
            at += length

    def _read_heap(self, at, end):
        heap = "default"
        while at < end:
            tag, start = self.data[at], at + 1
            if tag in ROOT_BYTES:
                self.roots[tag].add(self.u4(start))
                self.root_records[tag] += 1
                at = start + 4 + ROOT_BYTES[tag]
                continue
            if tag == 0xFE:
                heap = self.names[self.u4(start + 4)]
                at = start + 8
                continue
            at = {0x20: self._read_class, 0x21: self._read_instance, 0x22: self._read_object_array,
                  0x23: self._read_primitive_array}[tag](start)
            self.heaps[self.u4(start)] = heap

    def _value(self, at):
        """Type and value of a member whose type stands at `at`, and where it ends."""
        kind = self.data[at]
        width = 4 if kind == OBJECT else WIDTHS[kind]
        return kind, int.from_bytes(self.data[at + 1:at + 1 + width], "big"), at + 1 + width

    def _read_class(self, at):
        address, super_class, loader = self.u4(at), self.u4(at + 8), self.u4(at + 12)
        at += 36
        count, at = self.u2(at), at + 2
        for _ in range(count):
            at = self._value(at + 2)[2]
        count, at = self.u2(at), at + 2
        statics, size = [], 0
        for _ in range(count):
            kind, value, after = self._value(at + 4)
            size += after - at - 5
            at = after
            statics += [value] if kind == OBJECT else []
        count, at = self.u2(at), at + 2
        fields = [self.data[at + 5 * i + 4] for i in range(count)]
        self.classes[address] = (super_class, loader, statics, fields)
        self.sizes[address] = size
        return at + 5 * count

    def _read_instance(self, at):
        self.instances.append((self.u4(at), self.u4(at + 8), at + 16))
        return at + 16 + self.u4(at + 12)

    def _read_object_array(self, at):
        count = self.u4(at + 8)
        self.object_arrays.append((self.u4(at), self.u4(at + 12), struct.unpack_from(f">{count}I", self.data, at + 16)))
        self.sizes[self.u4(at)] = 4 * count
        return at + 16 + 4 * count

    def _read_primitive_array(self, at):
        size = self.u4(at + 8) * WIDTHS[self.data[at + 12]]
        self.primitive_arrays.append(self.u4(at))
        self.sizes[self.u4(at)] = size
        return at + 13 + size

    def references_of(self, class_address, at):
        """What the reference fields of an instance hold; `at`: where its fields begin."""
        while class_address:
            super_class, _, _, fields = self.classes[class_address]
            for kind in fields:
                if kind == OBJECT:
                    yield self.u4(at)
                at += 4 if kind == OBJECT else WIDTHS[kind]
            class_address = super_class

    def class_called(self, name):
        return next(a for a in self.classes if self.names[self.class_names[a]].replace("/", ".") == name)
