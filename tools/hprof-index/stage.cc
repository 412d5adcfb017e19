#include "tools/hprof-index/stage.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/lenient_reader.h"
#include "tools/hprof-index/resolve.h"

namespace hprof {
namespace {

struct Reading {
  Collector collected;
  std::uint32_t dumps = 0;
  std::uint32_t dump_micros = 0;
  DumpDamage damage;
};

Reading read_dump(const std::string& path, const HprofHeader& header, BufferedInput& input,
                  std::uint32_t dump_number, Progress& progress) {
  Reading reading{.collected = Collector(header.identifier_size), .damage = {}};
  const std::uint64_t size = file_size(open_input(path), path);
  LenientReader<Collector> reader(input, header, path, reading.collected);
  reading.dumps = reader.read({.number = dump_number},
                              [&](std::uint64_t position) { progress.update(position, size); });
  reading.dump_micros = reader.dump_micros();
  reading.damage = reader.found();
  return reading;
}

void check_dump_number(const std::string& path, std::uint32_t number, std::uint32_t dumps,
                       const Steps& steps) {
  const std::string name = printable(path);
  if (dumps == 0) {
    fail(ExitCode::bad_data, name,
         ": has a header but no heap records; was the disk full when it was written?");
  }
  if (number > dumps) {
    fail(ExitCode::usage, name, ": holds ", dumps, " heap dump(s), there is no number ", number,
         "; give --dump-number a smaller number");
  }
  if (dumps > 1 && number == 1) {
    steps.warn(concat(name, ": holds ", dumps,
                      " heap dumps, the first is read; choose with --dump-number N"));
  }
}

/// One line for all damage, with the first as the example.
std::string damage_text(const std::string& path, const DumpDamage& damage) {
  const auto& first = damage.rows.front();
  const std::string more =
      damage.rows.size() == 1 ? "" : concat(" (and ", damage.rows.size() - 1, " more places)");
  return concat(printable(path), ": byte ", hex_address(first.position), ": ", first.what, more,
                "; ", damage.lost_bytes(), " of ", damage.bytes, " bytes are not used");
}

void report_damage(const std::string& path, const DumpDamage& damage, Strictness strictness,
                   const Steps& steps) {
  if (!damage.any()) {
    return;
  }
  const std::string text = damage_text(path, damage);
  if (strictness == Strictness::strict) {
    fail(ExitCode::bad_data, text,
         ", and --strict takes no damaged dump; copy or take the dump again");
  }
  steps.warn(text + ", every total is a lower bound");
}

}  // namespace

HeapIndex build_index(const std::string& path, const HprofHeader& header, BufferedInput& input,
                      std::uint32_t dump_number, Strictness strictness, Steps& steps) {
  auto reading = steps.run("reading the dump", [&](Progress& progress) {
    return read_dump(path, header, input, dump_number, progress);
  });
  check_dump_number(path, dump_number, reading.dumps, steps);
  report_damage(path, reading.damage, strictness, steps);
  return steps.run("resolving classes and roots", [&](Progress&) {
    auto index = resolve(std::move(reading.collected), header);
    index.summary.dumps_in_file = reading.dumps;
    index.summary.dump_micros = reading.dump_micros;
    index.damage = std::move(reading.damage);
    return index;
  });
}

void count_index(const HeapIndex& index, const BufferedInput& input, Stats& stats) {
  std::uint64_t records = 0;
  for (const auto& row : index.sub_records) {
    records += row.count;
  }
  stats.set("passes", 1);
  stats.set("dump_bytes_read", input.source().bytes_read());
  stats.set("heap_records", records);
  stats.set("objects", index.addresses.size());
  stats.set("classes", index.classes.size());
  stats.set("roots", index.roots.size());
  stats.set("duplicate_ids", index.summary.duplicate_ids);
  stats.set("shadowed_class_dumps", index.summary.shadowed_class_dumps);
  stats.set("dangling_roots", index.summary.dangling_roots);
  stats.set("lost_locals", index.summary.lost_locals);
  stats.set("fake_classes", index.summary.fake_classes);
  stats.set("damaged_places", index.damage.rows.size());
  stats.set("lost_bytes", index.damage.lost_bytes());
  stats.set("address_pages", index.addresses.page_count());
  std::vector<std::pair<std::string, std::uint64_t>> rows;
  for (const auto& type : index.types) {
    rows.emplace_back(std::string(index.class_name(type.class_index)) +
                          (type.kind == RecordKind::class_object ? " (class objects)" : ""),
                      type.records);
  }
  stats.set_table("records_by_class", std::move(rows));
}

}  // namespace hprof
