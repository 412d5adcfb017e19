#include "tools/hprof-index/stage.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/damage_words.h"
#include "formats/dump_parts.h"
#include "formats/hprof_tags.h"
#include "formats/lenient_reader.h"
#include "tools/hprof-index/resolve.h"

#include <algorithm>

namespace hprof {
namespace {

struct Reading {
  Collector collected;
  std::uint32_t dumps = 0;
  std::uint32_t dump_micros = 0;
  DumpDamage damage;
};

/// A dump is whole without its last record, but not where parts of it lie beside it: then the JVM
/// was stopped before it had put them together.
void note_missing_parts(const DumpToRead& dump, Reading& reading) {
  const bool ended = reading.collected.record_counts[tag::kHeapDumpEnd] != 0;
  if (ended || reading.damage.any() || !dump.parts.empty() || parts_beside(dump.path).empty()) {
    return;
  }
  reading.damage.rows.push_back({.kind = DamageKind::unfinished,
                                 .position = reading.damage.bytes,
                                 .resume = reading.damage.bytes,
                                 .what = "the dump has no end"});
}

/// Whether the last record is one that ends a dump.
bool has_end(const Collector& collected) {
  return collected.record_counts[tag::kHeapDumpEnd] != 0 ||
         collected.record_counts[tag::kHeapDumpSegment] == 0;
}

/// What follows a gzip stream and is none does no harm where the dump has its end; else it may be
/// the rest of the dump, damaged.
void note_ignored_bytes(const DumpToRead& dump, const BufferedInput& input, Reading& reading,
                        const Steps& steps) {
  const std::uint64_t ignored = input.source().ignored_bytes();
  if (ignored == 0) {
    return;
  }
  const std::string what = format_count(ignored, "byte behind the gzip stream is no gzip data",
                                        "bytes behind the gzip stream are no gzip data");
  if (has_end(reading.collected)) {
    steps.warn(concat(printable(dump.path), ": ", what, ignored == 1 ? " and was" : " and were",
                      " ignored"));
  } else {
    reading.damage.rows.push_back({.kind = DamageKind::packing,
                                   .position = reading.damage.bytes,
                                   .resume = reading.damage.bytes,
                                   .what = what});
  }
}

Reading read_dump(const DumpToRead& dump, BufferedInput& input, Progress& progress) {
  Reading reading{.collected = Collector(dump.header.identifier_size), .damage = {}};
  if (dump.roots == RootPolicy::strict) {
    reading.collected.leave_out_weak_roots();
  }
  const std::uint64_t size = bytes_of_files(dump.path, dump.parts);
  LenientReader<Collector> reader(input, dump.header, dump.path, reading.collected);
  reading.dumps = reader.read({.number = dump.number},
                              [&](std::uint64_t position) { progress.update(position, size); });
  reading.dump_micros = reader.dump_micros();
  reading.damage = reader.found();
  reading.damage.parts = dump.parts;
  reading.damage.bytes += reading.damage.left_over();
  const auto unfinished = unfinished_rows(dump.path, dump.parts);
  auto& rows = reading.damage.rows;
  rows.insert(rows.end(), unfinished.begin(), unfinished.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Damage& a, const Damage& b) { return a.position < b.position; });
  note_missing_parts(dump, reading);
  return reading;
}

/// What to do about parts that lie beside a dump that was not read together with them.
std::string hint_at_parts(const DumpToRead& dump) {
  const auto suffixes = dump.parts.empty() ? parts_beside(dump.path) : std::vector<std::string>();
  if (suffixes.empty()) {
    return "";
  }
  const auto name = [&](const std::string& suffix) {
    return printable(base_name(path_of_part(dump.path, suffix)));
  };
  const bool one = suffixes.size() == 1;
  return concat("; ", name(suffixes.front()), one ? "" : concat(" to ", name(suffixes.back())),
                one ? " beside it holds the rest, read it with --salvage"
                    : " beside it hold the rest, read them with --salvage");
}

void check_dump_number(const DumpToRead& dump, std::uint32_t dumps, const Steps& steps) {
  const std::string name = printable(dump.path);
  const auto number = dump.number;
  if (dumps == 0) {
    const std::string hint = hint_at_parts(dump);
    fail(ExitCode::bad_data, name, ": has a header but no heap records",
         hint.empty() ? "; was the disk full when it was written?" : hint);
  }
  if (number > dumps) {
    fail(ExitCode::usage, name, ": holds ", format_count(dumps, "heap dump", "heap dumps"),
         ", there is no number ", number, "; give --dump-number a smaller number");
  }
  if (dumps > 1 && number == 1) {
    steps.warn(concat(name, ": holds ", dumps,
                      " heap dumps, the first is read; choose with --dump-number N"));
  }
}

std::string used_text(const DumpDamage& damage) {
  const std::uint64_t unused = damage.unused_bytes();
  const std::string all = format_count(damage.bytes, "byte", "bytes");
  return unused == 0
             ? "all " + all + (damage.bytes == 1 ? " is used" : " are used")
             : grouped(unused) + " of " + all + (unused == 1 ? " is not used" : " are not used");
}

/// One line for all damage, with the first as the example.
std::string damage_text(const std::string& path, const DumpDamage& damage) {
  const auto& first = damage.rows.front();
  const std::string more =
      damage.rows.size() == 1
          ? ""
          : " (and " + format_count(damage.rows.size() - 1, "more place)", "more places)");
  return concat(printable(path), ": byte ", hex_address(first.position), ": ", first.what, more,
                "; ", used_text(damage));
}

void refuse_damage(const DumpToRead& dump, const DumpDamage& damage, Strictness strictness) {
  if (damage.any() && strictness == Strictness::strict) {
    fail(ExitCode::bad_data, damage_text(dump.path, damage),
         ", and --strict takes no damaged dump; copy or take the dump again");
  }
}

void warn_of_damage(const DumpToRead& dump, const HeapIndex& index, const Steps& steps) {
  if (index.damage.any()) {
    steps.warn(concat(damage_text(dump.path, index.damage), "; ",
                      worth_of_damaged(!index.summary.root_fallback), hint_at_parts(dump)));
  }
}

HeapIndex index_of(const DumpToRead& dump, BufferedInput& input, Strictness strictness,
                   Steps& steps) {
  auto reading = steps.run("reading the dump",
                           [&](Progress& progress) { return read_dump(dump, input, progress); });
  check_dump_number(dump, reading.dumps, steps);
  note_ignored_bytes(dump, input, reading, steps);
  refuse_damage(dump, reading.damage, strictness);
  auto index = steps.run("resolving classes and roots", [&](Progress&) {
    auto resolved = resolve(std::move(reading.collected), dump.header);
    resolved.summary.dumps_in_file = reading.dumps;
    resolved.summary.dump_micros = reading.dump_micros;
    resolved.damage = std::move(reading.damage);
    return resolved;
  });
  warn_of_damage(dump, index, steps);
  return index;
}

}  // namespace

HeapIndex build_index(const DumpToRead& dump, BufferedInput& input, Strictness strictness,
                      Steps& steps) {
  return placing(printable(dump.path), "take the dump again",
                 [&] { return index_of(dump, input, strictness, steps); });
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
