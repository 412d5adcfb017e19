// Small dumps whose numbers can be worked out by hand, and damaged ones made of them.
#include "tests/support/sample_dumps.h"

#include "tests/support/files.h"
#include "tests/support/hprof_builder.h"
#include "tests/support/mixed_heap.h"
#include "tests/support/story_dumps.h"

#include <algorithm>
#include <string_view>

namespace hprof::test {
namespace {

/// A static cache: demo.Cache.entries → demo.Entry[4] → three entries with a key string and a
/// byte[] each; the first two share one payload. One thread with a local. One unreachable entry.
void fill_cache(HeapBuilder& heap) {
  const Id entry = heap.add_class(
      {.name = "demo.Entry", .fields = {{"key"}, {"payload"}, {"hits", Type::int32}}});
  const Id entries = heap.reserve(64);
  const Id cache =
      heap.add_class({.name = "demo.Cache",
                      .statics = {{"entries", Type::object, entries}, {"limit", Type::int32, 3}}});
  const Id shared = heap.add_zeros(Type::int8, 1000);
  const Id first =
      heap.add_object(entry, {{"key", heap.add_string("alpha")}, {"payload", shared}, {"hits", 1}});
  const Id second =
      heap.add_object(entry, {{"key", heap.add_string("beta")}, {"payload", shared}, {"hits", 2}});
  const Id own = heap.add_zeros(Type::int8, 500);
  const Id third =
      heap.add_object(entry, {{"key", heap.add_string("gamma")}, {"payload", own}, {"hits", 3}});
  heap.add_array("demo.Entry[]", {first, second, third, 0}, entries);
  heap.root(Root::sticky_class, cache);
  const Thread main = heap.add_thread(
      {.name = "main", .frames = {{.method = "main", .class_address = cache, .line = 42}}});
  heap.local(main, heap.add_zeros(Type::int64, 16));
  heap.add_object(entry, {{"hits", 4}});
}

/// demo.Registry.LISTENERS → ArrayList → N listeners with a message of 200 bytes each, beside a
/// static buffer that never changes; taken N seconds after one of none.
void registry(const std::string& path, std::uint64_t count) {
  HeapBuilder heap({.format = {.timestamp_ms = 1'700'000'000'000 + count * 1000}}, path);
  const Id listener =
      heap.add_class({.name = "demo.Listener", .fields = {{"message"}, {"seen", Type::int32}}});
  const Id list_class = heap.add_class(
      {.name = "java.util.ArrayList", .fields = {{"elementData"}, {"size", Type::int32}}});
  const Id buffer = heap.add_zeros(Type::int8, 20'000);
  const Id list = heap.reserve(64);
  const Id owner = heap.add_class(
      {.name = "demo.Registry",
       .statics = {{"LISTENERS", Type::object, list}, {"BUFFER", Type::object, buffer}}});
  std::vector<std::uint64_t> listeners;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Id message = heap.add_zeros(Type::int8, 200);
    listeners.push_back(heap.add_object(listener, {{"message", message}, {"seen", i}}));
  }
  const Id elements = heap.add_array("java.lang.Object[]", listeners);
  heap.add_object(list_class, {{"elementData", elements}, {"size", count}}, list);
  heap.root(Root::sticky_class, owner);
  heap.finish();
}

HeapOptions options_for(std::uint32_t id_size, std::uint32_t reference_size) {
  return {.format = {.id_size = id_size}, .reference_size = reference_size};
}

void write_cache(const std::string& path, const HeapOptions& options) {
  HeapBuilder heap(options, path);
  fill_cache(heap);
  heap.finish();
}

void sample(const std::string& path, std::uint64_t) {
  write_cache(path, options_for(8, 8));
}

void sample_narrow(const std::string& path, std::uint64_t) {
  write_cache(path, options_for(8, 4));
}

void sample_32bit(const std::string& path, std::uint64_t) {
  write_cache(path, options_for(4, 4));
}

void sample_agent(const std::string& path, std::uint64_t) {
  write_cache(path, {.format = {.version = "JAVA PROFILE 1.0.1"},
                     .segment = Record::heap_dump,
                     .dotted_names = true,
                     .strings = StringLayout::chars});
}

void sample_gz(const std::string& path, std::uint64_t) {
  HeapBuilder heap(options_for(8, 8));
  fill_cache(heap);
  heap.finish();
  write_file(path, gzip_members(heap.bytes(), 1000));
}

void android(const std::string& path, std::uint64_t) {
  HeapOptions options;
  options.format.version = "JAVA PROFILE 1.0.3";
  options.format.id_size = 4;
  options.dotted_names = true;
  options.strings = StringLayout::chars;
  HeapBuilder heap(options, path);
  heap.writer().heap_info('A', heap.name("app"));
  const Id holder = heap.add_class({.name = "demo.Holder", .fields = {{"content"}}});
  heap.root(Root::vm_internal, heap.add_object(holder, {{"content", heap.add_string("held")}}));
  heap.root(Root::interned_string, heap.add_string("interned"));
  heap.writer().heap_info('Z', heap.name("zygote"));
  heap.writer().primitive_array_without_data(heap.reserve(4096), Type::int32, 1000);
  heap.finish();
}

void chain(const std::string& path, std::uint64_t length) {
  HeapBuilder heap({}, path);
  const Id node = heap.add_class({.name = "demo.Node", .fields = {{"next"}}});
  Id next = 0;
  for (std::uint64_t i = 0; i < length; ++i) {
    next = heap.add_object(node, {{"next", next}});
  }
  heap.root(Root::jni_global, next);
  heap.finish();
}

void shared_strings(const std::string& path, std::uint64_t count) {
  HeapBuilder heap({.reference_size = 4}, path);
  const Id content = heap.add_zeros(Type::int8, 1'000'000);
  std::vector<Id> strings;
  for (std::uint64_t i = 0; i < count; ++i) {
    strings.push_back(heap.add_string_over(content));
  }
  heap.root(Root::jni_global, heap.add_array("java.lang.Object[]", strings));
  heap.finish();
}

void two_dumps(const std::string& path, std::uint64_t) {
  HeapOptions options = options_for(8, 8);
  options.segment = Record::heap_dump;
  HeapBuilder heap(options, path);
  fill_cache(heap);
  heap.next_dump();
  heap.root(Root::jni_global, heap.add_string("in the second dump"));
  heap.finish();
}

Bytes sample_bytes() {
  HeapBuilder heap(options_for(8, 8));
  fill_cache(heap);
  heap.finish();
  return heap.bytes();
}

void write_text(const std::string& path, std::string_view text) {
  write_file(path, Bytes(text.begin(), text.end()));
}

void empty(const std::string& path, std::uint64_t) {
  write_text(path, "");
}

void html(const std::string& path, std::uint64_t) {
  write_text(path, "<html><body>404 Not Found</body></html>\n");
}

void header_only(const std::string& path, std::uint64_t) {
  HprofWriter writer(FileFormat{}, path);
  writer.finish();
}

void cut(const std::string& path, std::uint64_t kept_bytes) {
  Bytes bytes = sample_bytes();
  bytes.resize(std::min<std::size_t>(bytes.size(), kept_bytes));
  write_file(path, bytes);
}

void bad_id_size(const std::string& path, std::uint64_t) {
  HprofWriter writer(FileFormat{}, path);
  writer.finish();
  Bytes bytes = read_file(path);
  bytes[bytes.size() - 9] = 16;
  write_file(path, bytes);
}

void bad_heap_tag(const std::string& path, std::uint64_t) {
  HeapBuilder heap(options_for(8, 8), path);
  fill_cache(heap);
  heap.writer().heap_raw({0x77, 1, 2, 3});
  heap.finish();
}

void huge_array(const std::string& path, std::uint64_t) {
  HeapBuilder heap(options_for(8, 8), path);
  fill_cache(heap);
  heap.writer().primitive_array(heap.reserve(), Type::int64, 0xffffffff, {});
  heap.finish();
}

}  // namespace

const std::vector<SampleDump>& sample_dumps() {
  static const std::vector<SampleDump> dumps{
      {"sample", "a static cache with shared and own content, 64 bit", 0, sample},
      {"sample-narrow", "the same with compressed references", 0, sample_narrow},
      {"sample-32bit", "the same with ids of 4 bytes", 0, sample_32bit},
      {"sample-agent", "the same as the hprof agent writes it: 1.0.1, one HEAP_DUMP, dotted names",
       0, sample_agent},
      {"sample-gz", "the same in gzip members of 1000 bytes", 0, sample_gz},
      {"android", "1.0.3 with heaps, Android roots and an array without data", 0, android},
      {"chain", "a linked list of N objects (default 200000)", 200'000, chain},
      {"shared-strings", "N strings over one array of 1000000 bytes (default 200)", 200,
       shared_strings},
      {"registry", "N listeners in a static list (default 100), taken after N seconds", 100,
       registry},
      {"threads", "platform and virtual threads, one of which ran out of memory", 0, write_threads},
      {"references", "soft, weak and final references, ThreadLocals, direct buffers", 0,
       write_references},
      {"plugins", "N class loaders with the same classes (default 5)", 5, write_plugins},
      {"allocations", "the hprof agent's allocation stacks", 0, write_allocations},
      {"duplicates", "equal texts, arrays and boxed numbers in lists that are too large", 0,
       write_duplicates},
      {"two-dumps", "two HEAP_DUMP records in one file", 0, two_dumps},
      {"heap", "maps, strings, arrays and lists, at least N megabytes (default 300)", 300,
       write_mixed_heap},
      {"empty", "no byte at all", 0, empty},
      {"html", "a web page", 0, html},
      {"header-only", "a header without records", 0, header_only},
      {"cut", "the first N bytes of sample (default 1500)", 1500, cut},
      {"bad-id-size", "a header with ids of 16 bytes", 0, bad_id_size},
      {"bad-heap-tag", "sample with an unknown heap record at the end of its segment", 0,
       bad_heap_tag},
      {"huge-array", "sample with an array longer than its segment", 0, huge_array},
  };
  return dumps;
}

}  // namespace hprof::test
