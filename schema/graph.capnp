@0x9c52e07b8d14f36a;
# X.graph: what every object is, how large, and what it references.
# Written by hprof-graph; read by hprof-domtree and hprof-report. Rows are object indices: objects in address order.

using Cxx = import "/capnp/c++.capnp";
using Common = import "common.capnp";
$Cxx.namespace("hprof::schema");

struct GraphFrame {
  magic @0 :UInt64;  # "HPROFGRF" in the first frame, 0 in the others
  union {
    header   @1 :Common.FileHeader;
    footer   @2 :Common.FileFooter;
    summary  @3 :GraphSummary;
    types    @4 :GraphTypeChunk;
    roots    @5 :RootSet;
    objects  @6 :ObjectChunk;
    edges    @7 :EdgeChunk;
    excluded @8 :ExcludedChunk;
    totals   @9 :GraphTotals;
    places   @10 :PlaceChunk;
    otherSizes @11 :OtherSizes;
    heapRuns   @12 :HeapRunChunk;
  }
}

struct GraphSummary {
  # Known before the first object is written.
  objects     @0 :UInt64;
  classes     @1 :UInt64;
  sizeUnit    @2 :UInt32;  # every shallow size is a multiple of this many bytes
  sizeModel   @3 :Text;    # "mat", "dumped", "hotspot"
  javaLangClass @4 :UInt32;  # class index of java.lang.Class
  classObjects  @5 :List(UInt32);  # per class index the object index of its class object, as in the index
  contentHashes @6 :Bool;  # object chunks have hashes
  layout @7 :JvmLayout;    # of objects in the JVM; absent: it has none (Android)
}

struct JvmLayout {
  # Inferred from the distances between objects, or told by --layout.
  header    @0 :UInt8;   # bytes before the first field: 8, 12 or 16
  reference @1 :UInt8;   # bytes of a reference: 4 or 8
  word      @2 :UInt8;   # bytes of a native pointer
  alignment @3 :UInt32;  # of objects
  arrayBase @4 :UInt8;   # bytes before the elements of an array; elements of 8 bytes begin at a multiple of 8
  packing   @5 :UInt8;   # 0 filled (JDK 15 and later), 1 stacked (before)
  equal     @6 :UInt64;  # classes and kinds of arrays whose least distance is just the size
  larger    @7 :UInt64;  # it is larger
  smaller   @8 :UInt64;  # it is smaller, which contradicts the layout
  given     @9 :Bool;    # some of it was told
}

struct OtherSizes {
  # Shallow sizes by another model, where they differ from the file's own: MAT's beside the JVM's, the JVM's beside MAT's.
  model      @0 :Text;
  base       @1 :List(UInt64);  # by type, as in GraphTypeChunk
  scale      @2 :List(UInt32);
  align      @3 :List(UInt32);
  classBytes @4 :List(UInt64);  # by class, of its class object
}

struct GraphTypeChunk {
  # Table "types", the same rows as in the index, with what gives an object's shallow size:
  # alignUp(base + length · scale, align); fixed types have scale 0.
  classIndex  @0 :List(UInt32);
  classObject @1 :List(UInt32);  # object index of the class object
  kind        @2 :Data;
  base        @3 :List(UInt64);
  scale       @4 :List(UInt32);
  align       @5 :List(UInt32);
}

struct RootSet {
  objects @0 :List(UInt32);  # distinct GC roots, ascending; thread locals are edges
}

struct ObjectChunk {
  # Rows [firstRow, firstRow + rows).
  firstRow @0 :UInt64;
  rows     @1 :UInt32;
  types    @2 :Data;   # varint per row
  lengths  @3 :Data;   # varint per row whose type has scale > 0: elements of an array, static bytes of a class object
  hashes   @4 :Data;   # with contentHashes, 8 bytes, low first, per row of a primitive array: a hash of its type, length and
                       # elements (formats/content_hash.h); 0: the dump does not have the elements
}

struct EdgeChunk {
  # References of the objects [firstRow, firstRow + rows), the implicit one to the object's class left out.
  firstRow @0 :UInt64;
  rows     @1 :UInt32;
  lengths  @2 :Data;   # a byte per row: encoded bytes of its references; 255: the row starts with that number as a varint
  bytes    @3 :Data;   # per row varints: first zigzag(target - self) · 2 + mode, then zigzag(target - base);
                       # base is self in mode 0, the target before in mode 1
}

struct ExcludedChunk {
  # References through java.lang.ref.Reference.referent, java.lang.ref.Finalizer.unfinalized and
  # java.lang.Runtime.<Unfinalized>, ascending by source.
  sources  @0 :List(UInt32);
  ordinals @1 :List(UInt32);  # position among the source's encoded references
}

struct HeapRunChunk {
  # Which of Android's heaps objects lie in: the heap of all objects from one index up to the next.
  firsts @0 :List(UInt32);  # object index, ascending; the first is 0
  heaps  @1 :Data;          # row of the index's heaps
}

struct PlaceChunk {
  # Heap records from which the dump can be read on, one in at least 128 KiB, ascending.
  positions @0 :List(UInt64);  # byte of the inflated dump
  lefts     @1 :List(UInt64);  # bytes left of the segment from there
  lowest    @2 :List(UInt32);  # lowest object index among the records up to the next place
  highest   @3 :List(UInt32);  # highest; below the lowest where there are no objects
}

struct GraphTotals {
  # Known after the last object.
  edges              @0 :UInt64;  # encoded references, parallel ones included, class references left out
  danglingReferences @1 :UInt64;
  danglingInstance   @2 :UInt64;  # of these, from instance fields
  danglingArray      @3 :UInt64;  # from array elements
  danglingClass      @4 :UInt64;  # from class objects
  stringsHarvested   @5 :UInt64;  # instances of java.lang.String whose content array was read while streaming past
  stringsFallback    @6 :UInt64;  # instances whose layout was not known
  shortInstances     @7 :UInt64;  # instance records shorter than their class's fields
  excludedEdges      @8 :UInt64;
  allShallow         @9 :UInt64;  # shallow sum over all objects of the dump
  heapEnd            @10 :UInt64; # byte of the inflated dump after its last heap record
}
