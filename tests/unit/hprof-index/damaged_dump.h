#pragma once

#include "formats/dump_parts.h"
#include "formats/hprof_reader.h"
#include "tests/support/files.h"
#include "tests/support/hprof_builder.h"
#include "tools/hprof-index/stage.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace hprof::test {

/// What a later stage is told of each object: its class or element type, and how long it is.
struct KeptObjects : HprofVisitor {
  static constexpr bool kWantsReferences = true;
  using Row = std::tuple<std::uint64_t, std::uint32_t>;

  void on_instance(std::uint64_t id, std::uint64_t class_id, std::uint32_t /*trace*/,
                   std::uint32_t bytes, const std::uint8_t* /*data*/) {
    add(id, {class_id, bytes});
  }
  void on_object_array(std::uint64_t id, std::uint64_t class_id, std::uint32_t /*trace*/,
                       std::uint32_t elements) {
    add(id, {class_id, elements});
  }
  void on_primitive_array(std::uint64_t id, std::uint8_t type, std::uint32_t /*trace*/,
                          std::uint32_t elements) {
    add(id, {type, elements});
  }
  void on_class(const ClassDumpRecord& record) { add(record.id, {record.super_id, 0}); }
  void add(std::uint64_t id, Row row) { repeated += rows.emplace(id, row).second ? 0 : 1; }

  std::map<std::uint64_t, Row> rows;
  unsigned repeated = 0;
};

/// What is found in a dump.
struct DamagedRead {
  KeptObjects objects;
  DumpDamage damage;
  std::uint64_t indexed = 0;
  std::uint32_t dumps = 0;       ///< in the file, as the index has it
  std::uint32_t dumps_read = 0;  ///< as a later stage finds them
  std::string stats;
};

/// How a dump is read: whether it is packed, and which of its heaps.
struct ReadingWay {
  bool packed = false;
  std::uint32_t number = 1;
  bool is_gzip = false;  ///< the bytes are packed already
};

/// Indexes a dump and reads it again as the later stages do.
inline DamagedRead read_all(const Bytes& bytes, ReadingWay way = {}) {
  const TempFolder folder;
  const std::string path = folder / "x.hprof";
  write_file(path, way.packed ? gzip(bytes) : bytes);
  CommonOptions quiet;
  quiet.quiet = true;
  const ToolInfo tool{.name = "test", .synopsis = "", .purpose = "", .example = ""};
  Steps steps(tool, quiet);
  DamagedRead out;
  {
    BufferedInput input(open_dump(path, {}));
    const auto header = read_hprof_header(input, path);
    const auto index =
        build_index({.path = path, .header = header, .number = way.number, .parts = {}}, input,
                    Strictness::lenient, steps);
    out.damage = index.damage;
    out.indexed = index.addresses.size();
    out.dumps = index.summary.dumps_in_file;
    out.stats = steps.stats().to_json();
  }
  BufferedInput input(open_damaged_source(path, out.damage));
  const auto header = read_hprof_header(input, path);
  HprofReader<KeptObjects> reader(input, header, path, out.objects);
  reader.set_input_size(way.packed || way.is_gzip ? 0 : bytes.size());
  reader.pass_over(out.damage);
  out.dumps_read = reader.read({.number = way.number}, [](std::uint64_t) {});
  return out;
}

/// Objects that are kept as they were, and a failure if more than `most` are not.
inline std::size_t check_kept(const DamagedRead& result, const KeptObjects& whole,
                              std::size_t most = 0) {
  std::size_t wrong = 0;
  for (const auto& [id, row] : result.objects.rows) {
    const auto found = whole.rows.find(id);
    wrong += found == whole.rows.end() || found->second != row ? 1 : 0;
  }
  CHECK(wrong <= most);
  CHECK(result.objects.repeated == 0);
  return result.objects.rows.size() - wrong;
}

inline std::string describe(const DumpDamage& damage) {
  std::string out;
  for (const auto& row : damage.rows) {
    out += concat(kDamageWords[static_cast<std::size_t>(row.kind)], " ", row.position, "-",
                  row.resume, "+", row.heap_left, " ", row.what, "; ");
  }
  return out;
}

}  // namespace hprof::test
