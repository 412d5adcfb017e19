@0xb7d3f0a51c2e4968;
# What every stage file has: a header that says where its contents come from, and a footer that proves it whole.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("hprof::schema");

struct DumpIdentity {
  # Which dump, and which heap in it; compared field by field before the dump is read again.
  name        @0 :Data;    # base name of the file, as bytes
  sizeBytes   @1 :UInt64;  # size of the file
  timestampMs @2 :UInt64;  # capture time from the HPROF header, milliseconds since 1970 UTC
  edgeCrc32   @3 :UInt32;  # CRC-32 of the first and the last 64 KiB of the file
  dumpNumber  @4 :UInt32;  # 1-based number of the heap in a file that holds several
}

struct InputRef {
  # A stage file this one was made from.
  kind  @0 :Text;    # "index", "graph"
  crc32 @1 :UInt32;  # its footer's checksum
  bytes @2 :UInt64;  # its length before the footer frame
}

struct FileHeader {
  formatVersion @0 :UInt16;      # bumped when an old reader would misread; additions do not bump
  tool          @1 :Text;
  toolVersion   @2 :Text;
  options       @3 :List(Text);  # "name=value": every option that changes the contents
  dump          @4 :DumpIdentity;
  inputs        @5 :List(InputRef);
}

struct FileFooter {
  crc32  @0 :UInt32;  # CRC-32 of all bytes before the footer frame
  bytes  @1 :UInt64;  # number of those bytes
  frames @2 :UInt64;  # number of frames before the footer frame
}
