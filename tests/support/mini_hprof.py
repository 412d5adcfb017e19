"""A reader of HotSpot heap dumps that keeps everything in memory: an independent witness for tests on small dumps."""

import struct

WIDTHS = {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
ROOT_BYTES = {0xFF: 0, 0x01: 1, 0x02: 8, 0x03: 8, 0x04: 4, 0x05: 0, 0x06: 4, 0x07: 0, 0x08: 8}


class Dump:
    """Classes, instances and arrays of a dump with ids of 8 bytes."""

    def __init__(self, path):
        self.data = path.read_bytes()
        self.names = {}
        self.class_names = {}
        self.supers = {}
        self.fields = {}
        self.instances = {}
        self.object_arrays = {}
        self.primitive_arrays = {}
        self.contents_at = {}
        self._read()

    def number(self, at, width):
        return int.from_bytes(self.data[at:at + width], "big")

    def _read(self):
        at = self.data.index(b"\0") + 13
        assert self.number(at - 12, 4) == 8
        while at < len(self.data):
            tag, length = self.data[at], self.number(at + 5, 4)
            at += 9
            if tag == 0x01:
                self.names[self.number(at, 8)] = self.data[at + 8:at + length].decode("utf-8", "replace")
            elif tag == 0x02:
                self.class_names[self.number(at + 4, 8)] = self.number(at + 16, 8)
            elif tag in (0x0C, 0x1C):
                self._read_heap(at, at + length)
            at += length
        self.class_names = {a: self.names[n].replace("/", ".") for a, n in self.class_names.items()}

    def _read_heap(self, at, end):
        while at < end:
            tag = self.data[at]
            at += 1
            if tag in ROOT_BYTES:
                at += 8 + (8 if tag == 0x01 else ROOT_BYTES[tag])
            elif tag == 0x20:
                at = self._read_class(at)
            elif tag == 0x21:
                size = self.number(at + 20, 4)
                self.instances[self.number(at, 8)] = (self.number(at + 12, 8), at + 24)
                at += 24 + size
            elif tag == 0x22:
                count = self.number(at + 12, 4)
                self.object_arrays[self.number(at, 8)] = (
                    self.number(at + 16, 8), struct.unpack_from(f">{count}Q", self.data, at + 24))
                at += 24 + 8 * count
            elif tag == 0x23:
                count, kind = self.number(at + 12, 4), self.data[at + 16]
                self.primitive_arrays[self.number(at, 8)] = (kind, count)
                self.contents_at[self.number(at, 8)] = at + 17
                at += 17 + count * WIDTHS[kind]
            else:
                raise ValueError(f"heap record {tag:#x}")

    def _read_class(self, at):
        address = self.number(at, 8)
        self.supers[address] = self.number(at + 12, 8)
        at += 8 + 4 + 6 * 8 + 4
        for _ in range(self.number(at, 2)):
            raise ValueError("constant pool")
        at += 2
        statics = self.number(at, 2)
        at += 2
        for _ in range(statics):
            kind = self.data[at + 8]
            at += 9 + (8 if kind == 2 else WIDTHS[kind])
        fields = []
        count = self.number(at, 2)
        at += 2
        for _ in range(count):
            fields.append((self.number(at, 8), self.data[at + 8]))
            at += 9
        self.fields[address] = fields
        return at

    def contents(self, array):
        """The elements of a primitive array as bytes."""
        kind, count = self.primitive_arrays[array]
        at = self.contents_at[array]
        return self.data[at:at + count * WIDTHS[kind]]

    def class_address(self, name):
        """The only class of that name."""
        (address,) = {a for a, n in self.class_names.items() if n == name and a in self.supers}
        return address

    def instances_of(self, name):
        wanted = self.class_address(name)
        return [address for address, (class_address, _) in self.instances.items() if class_address == wanted]

    def field(self, address, wanted):
        """The bits of an instance's field."""
        class_address, at = self.instances[address]
        while class_address:
            for name, kind in self.fields[class_address]:
                width = 8 if kind == 2 else WIDTHS[kind]
                if self.names[name] == wanted:
                    return self.number(at, width)
                at += width
            class_address = self.supers[class_address]
        raise KeyError(wanted)
