#include "tests/support/dump_reading.h"
#include "tests/support/hprof_builder.h"

#include <doctest/doctest.h>

#include <map>

using namespace hprof;
using namespace hprof::test;

namespace {

/// Notes what a reader tells, in order.
struct Log : HprofVisitor {
  static constexpr bool kWantsReferences = true;

  std::map<unsigned, int> sub_records;
  std::vector<std::uint64_t> instances;
  std::vector<std::uint64_t> elements;
  std::vector<RootRecord> roots;
  std::map<std::uint64_t, std::string> strings;
  std::uint64_t element_width = 8;

  void on_string(std::uint64_t id, std::span<const std::uint8_t> text) {
    strings[id] = as_text(text);
  }
  void on_sub_record(std::uint8_t tag) { ++sub_records[tag]; }
  void on_root(const RootRecord& record) { roots.push_back(record); }
  void on_instance(std::uint64_t id, std::uint64_t /*class_id*/, std::uint32_t /*trace*/,
                   std::uint32_t bytes, const std::uint8_t* data) {
    instances.push_back(id);
    unsigned sum = 0;
    for (std::uint32_t i = 0; i < bytes; ++i) {
      sum += data[i];
    }
    CHECK(sum < 0xffffffU);
  }
  void on_elements(std::span<const std::uint8_t> ids) {
    for (std::size_t at = 0; at < ids.size(); at += element_width) {
      elements.push_back(element_width == 8 ? load_big_endian<std::uint64_t>(ids.data() + at)
                                            : load_big_endian<std::uint32_t>(ids.data() + at));
    }
  }
};

Bytes small_dump(HeapOptions options = {}) {
  HeapBuilder heap(options);
  const Id node =
      heap.add_class({.name = "demo.Node", .fields = {{"next"}, {"count", Type::int32}}});
  const Id last = heap.add_object(node, {{"count", 7}});
  const Id first = heap.add_object(node, {{"next", last}});
  heap.add_array("demo.Node[]", {first, 0, last});
  heap.add_zeros(Type::int64, 5);
  heap.root(Root::jni_global, first);
  heap.finish();
  return heap.bytes();
}

ExitCode code_of(const Bytes& bytes) {
  try {
    Log log;
    read_dump(bytes, log);
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::ok;
}

}  // namespace

TEST_CASE("records of both id widths arrive, whatever kind of heap record they stand in") {
  for (const std::uint32_t id_size : {4U, 8U}) {
    for (const Record segment : {Record::heap_dump, Record::heap_dump_segment}) {
      CAPTURE(id_size);
      Log log;
      log.element_width = id_size;
      CHECK(read_dump(small_dump({.format = {.id_size = id_size}, .segment = segment}), log) == 1);
      CHECK(log.instances.size() == 2);
      CHECK(log.elements == std::vector<std::uint64_t>{log.instances[1], 0, log.instances[0]});
      CHECK(log.roots.back().tag == sub::kRootJniGlobal);
      CHECK(log.roots.back().id == log.instances[1]);
    }
  }
}

TEST_CASE("an array larger than the read buffer arrives whole") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node"});
  const Id one = heap.add_object(node);
  const std::vector<Id> many(300000, one);
  heap.add_array("demo.Node[]", many);
  heap.finish();
  Log log;
  read_dump(heap.bytes(), log);
  CHECK(log.elements == many);
}

TEST_CASE("a dump cut at any byte is an error or ends between records, never something else") {
  const Bytes whole = small_dump();
  int complete = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    const auto code =
        code_of(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)));
    REQUIRE((code == ExitCode::ok || code == ExitCode::bad_data));
    complete += code == ExitCode::ok ? 1 : 0;
  }
  CHECK(complete > 0);
  CHECK(complete < 40);
}

TEST_CASE("a dump with any byte changed is read or refused, never something else") {
  const Bytes whole = small_dump();
  int refused = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const int value : {0x00, 0x7f, 0x80, 0xff}) {
      Bytes bytes = whole;
      bytes[at] = static_cast<std::uint8_t>(value);
      CAPTURE(at);
      const auto code = code_of(bytes);
      REQUIRE((code == ExitCode::ok || code == ExitCode::bad_data));
      refused += code == ExitCode::bad_data ? 1 : 0;
    }
  }
  CHECK(refused > 100);
}

TEST_CASE("several dumps in a file are told apart") {
  HeapBuilder heap;
  const Id node = heap.add_class({.name = "demo.Node"});
  heap.add_object(node);
  heap.end_dump();
  heap.next_dump();
  heap.add_object(node);
  heap.add_object(node);
  heap.finish();
  Log first;
  CHECK(read_dump(heap.bytes(), first, 1) == 2);
  CHECK(first.instances.size() == 1);
  Log second;
  read_dump(heap.bytes(), second, 2);
  CHECK(second.instances.size() == 2);
}

TEST_CASE("other files are named for what they look like") {
  const auto message_of = [](std::string_view text) {
    try {
      Log log;
      const auto bytes = as_bytes(text);
      read_dump(bytes, log);
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::bad_data);
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(message_of("").find("is empty") != std::string::npos);
  CHECK(message_of("<html>Error 404</html>").find("HTML") != std::string::npos);
  CHECK(message_of("{\"error\": 1}").find("JSON") != std::string::npos);
  CHECK(message_of("PK\x03\x04 and more").find("zip") != std::string::npos);
  CHECK(message_of("portable heap dump").find("PHD") != std::string::npos);
  CHECK(message_of("JAVA PROFILE 1.0.1, created Mon Jan 1").find("not a binary dump") !=
        std::string::npos);
  CHECK(message_of(std::string_view("JAVA PROFILE 1.0.2\0\0\0\0\x10", 23)).find("header") !=
        std::string::npos);
  CHECK(message_of(
            "JAVA PROFILE 1.0.2 without an end, and so on for more than sixty-four bytes in all")
            .find("JAVA PROFILE") != std::string::npos);
}
