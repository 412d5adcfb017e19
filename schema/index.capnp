@0xe1a6c94d3b7f2058;
# X.index: everything that one front-to-back reading of a dump tells, short of the references.
# Written by hprof-index; read by hprof-graph and hprof-report.

using Cxx = import "/capnp/c++.capnp";
using Common = import "common.capnp";
$Cxx.namespace("hprof::schema");

struct IndexFrame {
  magic @0 :UInt64;  # "HPROFIDX" in the first frame, 0 in the others
  union {
    header  @1 :Common.FileHeader;
    footer  @2 :Common.FileFooter;
    summary @3 :IndexSummary;
    names   @4 :NameChunk;
    classes @5 :ClassChunk;
    types   @6 :TypeChunk;
    objects @7 :AddressChunk;
    roots   @8 :RootChunk;
    threads @9 :ThreadChunk;
    frames  @10 :StackFrameChunk;
    traces  @11 :StackTraceChunk;
    census  @12 :CensusChunk;
    damage  @13 :DamageChunk;
    spacing @14 :SpacingChunk;
    heaps   @15 :HeapChunk;
  }
}

struct IndexSummary {
  format           @0 :Text;    # e.g. "JAVA PROFILE 1.0.2"
  identifierSize   @1 :UInt8;   # bytes of an id: 4 or 8
  referenceSize    @2 :UInt8;   # bytes of a reference in the heap: 4 when compressed references were detected
  objectAlignment  @3 :UInt32;  # bytes, 8…256
  objects          @4 :UInt64;  # objects of the dump, the pseudo object at 0 and faked classes included
  duplicateIds     @5 :UInt64;  # records whose id an earlier record has; not used
  danglingRoots    @6 :UInt64;  # root records whose id is no object
  dumpsInFile      @7 :UInt32;
  addressesAscend  @8 :Bool;    # instance and array records stand in strictly ascending address order
  rootFallback     @9 :Bool;    # no STICKY_CLASS root in the dump: classes of the boot loader were made roots
  stringClass      @10 :UInt32; # class index of java.lang.String; 0xffffffff: none
  stringValueField @11 :UInt32; # byte offset of its content array's id in an instance record; 0xffffffff: unknown
  lostLocals       @12 :UInt64; # locals whose thread's object is not in the dump
  fakeClasses      @13 :UInt64; # classes that records name but no CLASS_DUMP describes
  javaLangClass    @15 :UInt32; # class index of java.lang.Class, the class of class objects
  classLoaderClass @16 :UInt32; # class index of java.lang.ClassLoader, the class of the pseudo object at 0
  shadowedClassDumps @14 :UInt64; # further CLASS_DUMP records of an id; not used
  strictRoots      @18 :Bool;   # VM-internal and interned-string roots were left out
  rootsLeftOut     @19 :UInt64; # records of these
  dumpMicros       @17 :UInt32; # when this heap was dumped, microseconds after the header's timestamp
}

struct NameChunk {
  # Rows [firstRow, …) of table "names": class names in Java form, field and method names as they are (bytes).
  firstRow @0 :UInt64;
  ends     @1 :List(UInt32);  # end offset of each name in bytes
  bytes    @2 :Data;
}

struct ClassChunk {
  # Rows [firstRow, …) of table "classes", ascending by address.
  firstRow @0 :UInt64;
  rows     @1 :List(ClassRow);
}

struct ClassRow {
  address      @0 :UInt64;
  name         @1 :UInt32;  # row in names
  superClass   @2 :UInt32;  # class index; 0xffffffff: none
  loaderObject @3 :UInt32;  # object index of the class loader; the object at address 0 for the boot loader
  object       @4 :UInt32;  # object index of the class object
  instanceSize @5 :UInt32;  # bytes, as the record says
  stackTrace   @6 :UInt32;  # serial
  faked        @7 :Bool;    # no CLASS_DUMP describes it
  ownsObject   @8 :Bool;    # false: an earlier record of another kind has the id
  fieldNames   @9 :List(UInt32);   # rows in names; own instance fields in record order
  fieldTypes   @10 :Data;          # HPROF basic type of each
  staticNames  @11 :List(UInt32);
  staticTypes  @12 :Data;
  staticValues @13 :List(UInt64);  # raw bits; ids for references
  loaderAddress @14 :UInt64;       # as the record says
  signers      @15 :UInt64;
  domain       @16 :UInt64;
}

struct TypeChunk {
  # Rows [firstRow, …) of table "types": the pairs of class and record kind that occur, most frequent first.
  firstRow   @0 :UInt64;
  classIndex @1 :List(UInt32);
  kind       @2 :Data;          # RecordKind: 0 instance, 1 object array, 2 class object, 4…11 primitive array of that basic type
  records    @3 :List(UInt64);  # records of the dump, duplicates left out
}

struct SpacingChunk {
  # How near behind objects the next one of the file was seen: an upper bound of their true size. Two rows for object
  # arrays with ids of 8 bytes, one for each width that references may have; no row for what was never measured.
  kind       @0 :Data;          # RecordKind
  classIndex @1 :List(UInt32);  # of instances; 0xffffffff for arrays
  width      @2 :Data;          # bytes of an element
  least      @3 :List(Int64);   # bytes from an object to the next, its elements taken off; the least
  seen       @4 :List(UInt64);  # objects with just that distance
}

struct HeapChunk {
  # Android's heaps by HEAP_DUMP_INFO, at most 255; first that of objects of which no record tells one. Absent: none is told.
  id   @0 :List(UInt32);
  name @1 :List(UInt32);  # row in names
}

struct AddressChunk {
  # A stretch of the set of object addresses. A page is 2^16 granules of heap, `pages` ascend over the whole file.
  granuleShift @0 :UInt8;         # log2 of the granule in bytes
  pages        @1 :List(UInt64);  # address >> (16 + granuleShift)
  counts       @2 :List(UInt32);  # objects in each page
  bits         @3 :Data;          # per page: its objects' u16 granule numbers when there are under 4096, else a bitmap of 8 KiB
}

struct RootChunk {
  # Distinct GC roots and thread locals, ascending by object, then kind, thread, frame.
  object @0 :List(UInt32);
  kind   @1 :Data;          # HPROF sub-record tag
  thread @2 :List(UInt32);  # object index of the thread of a local; 0xffffffff: a root of its own
  frame  @3 :List(UInt32);  # frame number in the thread's stack, 0xffffffff: none
}

struct ThreadChunk {
  # THREAD_OBJ roots, in file order.
  serial     @0 :List(UInt32);
  object     @1 :List(UInt32);  # object index; 0xffffffff: not in the dump
  traceSerial @2 :List(UInt32);
}

struct StackFrameChunk {
  id          @0 :List(UInt64);
  methodName  @1 :List(UInt32);  # rows in names; 0xffffffff: missing
  signature   @2 :List(UInt32);
  sourceFile  @3 :List(UInt32);
  className   @4 :List(UInt32);
  line        @5 :List(Int32);   # > 0 a line; 0 unknown, -1 unknown, -2 compiled, -3 native
}

struct StackTraceChunk {
  serial       @0 :List(UInt32);
  threadSerial @1 :List(UInt32);
  frameEnds    @2 :List(UInt32);  # end offset of each trace's frames in frameIds
  frameIds     @3 :List(UInt64);
}

struct DamageChunk {
  # What is wrong with the dump; absent when nothing is. Later readings pass over the same bytes.
  struct Row {
    kind     @0 :UInt8;   # 0 cut, 1 garbled, 2 zeros, 3 packing, 4 length, 6 unfinished
    position @1 :UInt64;  # byte of the inflated dump: start of the first record that is not used
    resume   @2 :UInt64;  # where reading goes on, or the end
    what     @3 :Text;
    heapLeft @4 :UInt64;  # bytes of heap records from there to the next record header; 0: that is there
  }
  struct Fix {
    position @0 :UInt64;  # of the header of a heap record, or of one that must be HEAP_DUMP_END's
    length   @1 :UInt64;  # bytes of its body, whatever the header says; 0 and kind 4: it ends a dump
    kind     @2 :UInt8;   # as above; 5: complete all the same
    continues @3 :Bool;   # goes on with the dump before it, although it looks like another's begin
    begins   @4 :Bool;    # another dump begins with it, although it looks like going on
  }
  rows    @0 :List(Row);
  lengths @1 :List(Fix);
  bytes   @2 :UInt64;     # of the inflated dump, as far as it could be read
  struct Part {
    suffix   @0 :Text;    # what follows the dump's name without .gz, "" for the dump itself
    bytes    @1 :UInt64;  # of the inflated file, whole records
    leftOver @2 :UInt64;  # bytes behind them
  }
  parts   @3 :List(Part); # read one after the other as one dump; empty for a dump in one file
  otherDumps @4 :UInt64;  # bytes in heap records of other dumps in the file
}

struct CensusChunk {
  # Records by tag: top-level records, then heap sub-records.
  tags     @0 :Data;
  counts   @1 :List(UInt64);
  bytes    @2 :List(UInt64);   # bodies, without the tag and record header
  subTags   @3 :Data;
  subCounts @4 :List(UInt64);
}
