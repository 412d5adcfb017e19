@0xd48f1b26a0c7e953;
# X.domtree: the dominator tree and what follows from it.
# Written by hprof-domtree; read by hprof-report. Rows are object indices, as in X.graph.

using Cxx = import "/capnp/c++.capnp";
using Common = import "common.capnp";
$Cxx.namespace("hprof::schema");

struct DomtreeFrame {
  magic @0 :UInt64;  # "HPROFDOM" in the first frame, 0 in the others
  union {
    header  @1 :Common.FileHeader;
    footer  @2 :Common.FileFooter;
    summary @3 :DomtreeSummary;
    nodes   @4 :NodeChunk;
    classes @5 :ClassTotalChunk;
  }
}

struct DomtreeSummary {
  objects            @0 :UInt64;  # rows of the node table
  sizeUnit           @1 :UInt32;  # retained sizes are multiples of this many bytes
  reachableObjects   @2 :UInt64;
  reachableShallow   @3 :UInt64;  # bytes; = the virtual root's retained size
  unreachableObjects @4 :UInt64;
  unreachableShallow @5 :UInt64;
  roots              @6 :UInt64;
  depths             @7 :DepthTotals;
}

struct DepthTotals {
  # How deep the reachable objects lie in the dominator tree; those under the virtual root have depth 1.
  p90     @0 :UInt64;        # 90 % of the objects are no deeper
  deepest @1 :UInt64;
  # By row: 0 is empty, 1 to 64 are those levels, then one row up to each power of two.
  objects @2 :List(UInt64);
  shallow @3 :List(UInt64);  # bytes
}

struct NodeChunk {
  firstRow   @0 :UInt64;
  rows       @1 :UInt32;
  dominators @2 :Data;  # varint per row: 0 unreachable, 1 the virtual root, else 2 + zigzag(dominator - self)
  retained   @3 :Data;  # varint per reachable row: retained size / sizeUnit
}

struct ClassTotalChunk {
  # Rows [firstRow, …) of table "classes", as in the index: sums over direct instances.
  firstRow             @0 :UInt64;
  reachableInstances   @1 :List(UInt64);
  reachableShallow     @2 :List(UInt64);  # bytes
  largestShallow       @3 :List(UInt64);  # bytes of the largest reachable instance
  retained             @4 :List(UInt64);  # bytes; top members of {class object} ∪ instances
  unreachableInstances @5 :List(UInt64);
  unreachableShallow   @6 :List(UInt64);
}
