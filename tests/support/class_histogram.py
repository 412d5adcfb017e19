"""What a JVM says of the sizes of its classes (jcmd GC.class_histogram), and how a report is compared with it."""

import collections
import re

VARYING = {"java.lang.Class", "jdk.internal.vm.StackChunk"}
PRIMITIVES = {"Z": "boolean", "C": "char", "F": "float", "D": "double", "B": "byte", "S": "short", "I": "int",
              "J": "long"}


def java_name(name):
    """'[[Ljava.lang.String;' as 'java.lang.String[][]'; hidden classes without their address."""
    depth = len(name) - len(name.lstrip("["))
    element = name[depth:]
    if depth:
        element = element[1:-1] if element.startswith("L") else PRIMITIVES[element]
    return re.sub(r"[+/]0x[0-9a-f]+$", "", element) + "[]" * depth


def parse(text):
    """(instances, bytes) of the JVM's rows by Java name."""
    rows = collections.defaultdict(list)
    for line in text.splitlines():
        match = re.match(r"\s*\d+:\s+(\d+)\s+(\d+)\s+(\S+)", line)
        if match:
            rows[java_name(match[3])].append((int(match[1]), int(match[2])))
    return rows


class OurSizes:
    """What a report says of the sizes of instances, reachable or not."""

    def __init__(self, overview):
        self.sizes = collections.defaultdict(set)
        self.totals = collections.defaultdict(lambda: [0, 0])
        self.one_size = {}
        for row in overview["histogram"] + overview["unreachable_histogram"]:
            if row["instances"]:
                self._add(java_name_of_ours(row["class"]), row)

    def _add(self, name, row):
        if row["shallow"] % row["instances"] == 0:
            self.sizes[name].add(row["shallow"] // row["instances"])
        same = "max_instance_shallow" in row and row["shallow"] == row["instances"] * row["max_instance_shallow"]
        self.one_size[name] = same and name not in self.one_size
        self.totals[name][0] += row["instances"]
        self.totals[name][1] += row["shallow"]


def java_name_of_ours(name):
    """A class of a report as java_name() has it."""
    array = re.search(r"(\[\])*$", name)[0]
    return re.sub(r"[+/]0x[0-9a-f]+$", "", name[:len(name) - len(array)]) + array


def compare_instances(theirs, ours):
    """Rows that are equal, and those that are not."""
    equal, unequal = 0, []
    for class_name, rows in theirs.items():
        if class_name.endswith("]") or class_name in VARYING or class_name not in ours.sizes:
            continue
        for instances, size in rows:
            if size / instances in ours.sizes[class_name]:
                equal += 1
            else:
                unequal.append((class_name, size // instances, sorted(ours.sizes[class_name])))
    return equal, unequal


def compare_arrays(theirs, ours):
    """The same for arrays, of classes whose arrays have one size here and are as many there."""
    equal, unequal = 0, []
    for class_name, rows in theirs.items():
        if not class_name.endswith("]") or len(rows) != 1 or not ours.one_size.get(class_name):
            continue
        instances, size = ours.totals[class_name]
        if rows[0][0] != instances:
            continue
        if rows[0][1] == size:
            equal += 1
        else:
            unequal.append((class_name, rows[0][1] // instances, size // instances))
    return equal, unequal
