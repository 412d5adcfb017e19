#include "tools/hprof-index/stage.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/damage_words.h"
#include "formats/dump_parts.h"
#include "formats/gap_reading.h"
#include "formats/hprof_tags.h"
#include "formats/lenient_reader.h"
#include "formats/packing_rows.h"
#include "formats/refined_damage.h"
#include "formats/text_transfer.h"
#include "tools/hprof-index/contradictions.h"
#include "tools/hprof-index/known_heap.h"
#include "tools/hprof-index/oddities.h"
#include "tools/hprof-index/resolve.h"

#include <algorithm>
#include <functional>

namespace hprof {
namespace {

constexpr std::size_t kMostPartWarnings = 10;

struct Reading {
  std::uint64_t begin = 0;  ///< of the first record
  Collector collected;
  std::uint32_t dumps = 0;
  std::uint32_t dump_micros = 0;
  DumpDamage damage;
  std::uint64_t passes = 1;
  std::uint64_t looked_at = 0;  ///< bytes of the file, beside the passes
  bool is_open = false;         ///< nothing says that the dump is at an end
  std::uint64_t ignored = 0;    ///< bytes of the file behind what is packed
};

/// A dump in segments has a last record that says so. Without it others may be missing: the JVM was
/// stopped before it had put the parts that lie beside it together, or the file was cut between
/// two.
void note_missing_end(const DumpToRead& dump, Reading& reading) {
  auto& damage = reading.damage;
  const bool reaches_end = !damage.rows.empty() && damage.rows.back().resume == damage.bytes;
  if (!reading.is_open || reaches_end || !dump.parts.empty() || reading.ignored != 0) {
    return;
  }
  damage.rows.push_back(
      {.kind = parts_beside(dump.path).empty() ? DamageKind::cut : DamageKind::unfinished,
       .position = damage.bytes,
       .resume = damage.bytes,
       .what = "the dump has no end: the file ends behind a HEAP_DUMP_SEGMENT"});
}

/// What is to be said of the files that are read as one.
void add_parts(const DumpToRead& dump, Reading& reading) {
  reading.damage.parts = dump.parts;
  reading.damage.bytes += reading.damage.left_over();
  const auto unfinished = unfinished_rows(dump.path, dump.parts);
  auto& rows = reading.damage.rows;
  rows.insert(rows.end(), unfinished.begin(), unfinished.end());
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Damage& a, const Damage& b) { return a.position < b.position; });
  note_missing_end(dump, reading);
}

/// Whether the last record is one that ends a dump.
bool has_end(const Collector& collected) {
  return collected.record_counts[tag::kHeapDumpEnd] != 0 ||
         collected.record_counts[tag::kHeapDumpSegment] == 0;
}

std::string ignored_text(std::uint64_t bytes) {
  return format_count(bytes, "byte behind the gzip stream is no gzip data",
                      "bytes behind the gzip stream are no gzip data");
}

/// What follows a gzip stream and is none does no harm where the dump has its end; else it may be
/// the rest of the dump, damaged.
void note_ignored_bytes(const DumpToRead& dump, Reading& reading, const Steps& steps) {
  const std::uint64_t ignored = reading.ignored;
  if (ignored == 0) {
    return;
  }
  const std::string what = ignored_text(ignored);
  if (has_end(reading.collected)) {
    steps.warn(concat(printable(dump.path), ": ", what, ignored == 1 ? " and was" : " and were",
                      " ignored"));
    return;
  }
  auto& damage = reading.damage;
  if (damage.rows.empty() || damage.rows.back().kind != DamageKind::cut ||
      damage.rows.back().resume != damage.bytes) {
    damage.rows.push_back({.position = damage.bytes, .resume = damage.bytes, .what = ""});
  }
  damage.rows.back().kind = DamageKind::packing;
  damage.rows.back().what = what;
}

Collector new_collector(const DumpToRead& dump) {
  Collector collected(dump.header.identifier_size);
  if (dump.roots == RootPolicy::strict) {
    collected.leave_out_weak_roots();
  }
  return collected;
}

/// Tells broken heap records from those behind them, by what the others tell of the heap; false if
/// there are none to be found.
bool find_behind_damage(const DumpToRead& dump, const std::vector<BrokenHeap>& broken,
                        Reading& reading) {
  if (broken.empty()) {
    return false;
  }
  const unsigned id_size = dump.header.identifier_size;
  auto known = known_heap(reading.collected, id_size);
  DumpView view(open_dump(dump.path, dump.parts));
  HeapScan scan(view, known, id_size);
  const bool found = refine_damage(reading.damage, broken, scan);
  reading.looked_at += view.bytes_read();
  return found;
}

/// Both readings share its type, so that the code of the inner loop is there once.
using OnPosition = std::function<void(std::uint64_t)>;

/// Reads the dump again when it is known what of it can be used.
void read_again(const DumpToRead& dump, BufferedInput& input, const OnPosition& progress,
                Reading& reading) {
  ++reading.passes;
  input.go_to(reading.begin);
  reading.collected = new_collector(dump);
  HprofReader<Collector> reader(input, dump.header, base_name(dump.path), reading.collected);
  reader.set_input_size(input.source().is_compressed() ? 0 : reading.damage.bytes);
  reader.pass_over(reading.damage);
  reading.dumps = reader.read({.number = dump.number}, progress);
  reading.dump_micros = reader.dump_micros();
}

bool can_read_again(const DumpToRead& dump, BufferedInput& input, const OnPosition& progress,
                    Reading& reading) {
  try {
    read_again(dump, input, progress, reading);
    return true;
  } catch (const DamagedRecord&) {
    return false;
  }
}

/// Reads the dump again where instances contradict their classes, without what they cover; as
/// before where that loses others than these.
void settle_contradictions(const DumpToRead& dump, BufferedInput& input, const OnPosition& progress,
                           Reading& reading) {
  const unsigned id_size = dump.header.identifier_size;
  const auto garbled = garbled_instances(reading.collected, known_heap(reading.collected, id_size));
  if (!garbled.empty()) {
    const DumpDamage before = reading.damage;
    const std::uint64_t objects = reading.collected.addresses.size();
    std::vector<BrokenHeap> broken;
    add_garbled(garbled, id_size, reading.damage, broken);
    find_behind_damage(dump, broken, reading);
    if (!can_read_again(dump, input, progress, reading) ||
        reading.collected.addresses.size() + garbled.size() < objects) {
      reading.damage = before;
      read_again(dump, input, progress, reading);
    }
  }
  note_contradictions(reading.collected, known_heap(reading.collected, id_size), reading.damage);
}

/// What a first reading found. A record in which bytes only seemed to end for a gap is not cut.
DumpDamage damage_found(const LenientReader<Collector>& reader, const BufferedInput& input) {
  DumpDamage found = reader.found();
  uncut_at_gaps(input.source().gaps(), found);
  return found;
}

Reading read_dump(const DumpToRead& dump, BufferedInput& input, Progress& progress) {
  Reading reading{.begin = input.position(), .collected = new_collector(dump), .damage = {}};
  const std::uint64_t size = bytes_of_files(dump.path, dump.parts);
  const OnPosition on_position = [&](std::uint64_t position) { progress.update(position, size); };
  LenientReader<Collector> reader(input, dump.header, dump.path, reading.collected);
  reading.dumps = read_over_gaps(reader, input, {.number = dump.number}, on_position);
  reading.dump_micros = reader.dump_micros();
  reading.damage = damage_found(reader, input);
  reading.is_open = reader.is_open();
  reading.ignored = input.source().ignored_bytes();
  const bool found = find_behind_damage(dump, reader.broken(), reading);
  if (found || reader.told_too_much()) {
    if (!can_read_again(dump, input, on_position, reading)) {
      // What was found behind the damage is not what it seemed; the first reading stands.
      reading.damage = damage_found(reader, input);
      read_again(dump, input, on_position, reading);
    }
  }
  settle_contradictions(dump, input, on_position, reading);
  add_parts(dump, reading);
  add_packing_rows(input.source().gaps(), reading.damage);
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

/// Why a dump in which something is wrong may be so; "" where nothing is known of it.
std::string likely_cause(const DumpToRead& dump, BufferedInput& input) {
  constexpr std::size_t kSampleBytes = 1U << 18U;
  std::string hint = hint_at_parts(dump);
  if (!hint.empty()) {
    return hint;
  }
  input.go_to(0);
  input.peek(kSampleBytes);
  const auto bytes = input.buffered();
  return text_transfer(bytes.first(std::min(bytes.size(), kSampleBytes)));
}

/// What to do about a dump without heap records.
std::string hint_at_loss(const DumpToRead& dump, BufferedInput& input) {
  if (const std::string packing = input.source().damage(); !packing.empty()) {
    return concat("; its packing is damaged: ", packing, "; copy it again");
  }
  if (const auto gaps = input.source().gaps(); !gaps.empty()) {
    return concat("; its packing is damaged: ", gaps.front().what, "; copy it again");
  }
  if (const auto ignored = input.source().ignored_bytes(); ignored != 0) {
    return concat("; ", ignored_text(ignored), ", copy it again");
  }
  const std::string cause = likely_cause(dump, input);
  return cause.empty() ? "; was the disk full when it was written?" : cause;
}

void check_dump_number(const DumpToRead& dump, BufferedInput& input, const Reading& reading,
                       const Steps& steps) {
  const std::string name = printable(dump.path);
  const auto number = dump.number;
  const auto dumps = reading.dumps;
  if (dumps == 0) {
    fail(ExitCode::bad_data, name, ": has a header but no heap records", hint_at_loss(dump, input));
  }
  if (number > dumps) {
    fail(ExitCode::usage, name, ": holds ", format_count(dumps, "heap dump", "heap dumps"),
         ", there is no number ", number, "; give --dump-number a smaller number");
  }
  if (dumps > 1 && number == 1) {
    steps.warn(concat(
        name, ": holds ", dumps, " heap dumps, the first is read; choose with --dump-number N",
        reading.damage.any() ? "; since the file is damaged, they may be pieces of one" : ""));
  }
}

std::string used_text(const DumpDamage& damage) {
  const std::uint64_t lost = damage.lost_bytes();
  const std::string all = format_count(damage.bytes, "byte", "bytes");
  if (lost != 0) {
    return grouped(lost) + " of " + all + (lost == 1 ? " is not used" : " are not used");
  }
  return damage.unused_bytes() != 0 ? "no byte of this dump is passed over"
                                    : "all " + all + (damage.bytes == 1 ? " is used" : " are used");
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

void refuse_damage(const DumpToRead& dump, BufferedInput& input, const DumpDamage& damage,
                   Strictness strictness) {
  if (damage.any() && strictness == Strictness::strict) {
    const std::string cause = likely_cause(dump, input);
    fail(ExitCode::bad_data, damage_text(dump.path, damage), ", and --strict takes no damaged dump",
         cause.empty() ? "; copy or take the dump again" : cause);
  }
}

/// What is wrong with the files of a dump that lies in several, beside the first thing that is.
void warn_of_parts(const DumpToRead& dump, const DumpDamage& damage, const Steps& steps) {
  for (std::size_t i = 1; i < std::min(damage.rows.size(), kMostPartWarnings); ++i) {
    if (damage.rows[i].kind == DamageKind::unfinished) {
      steps.warn(concat(printable(dump.path), ": ", printable(damage.rows[i].what)));
    }
  }
}

void warn_of_damage(const DumpToRead& dump, BufferedInput& input, const HeapIndex& index,
                    const Steps& steps) {
  if (index.damage.any()) {
    steps.warn(concat(damage_text(dump.path, index.damage), "; ",
                      worth_of_damaged(!index.summary.root_fallback), likely_cause(dump, input)));
    warn_of_parts(dump, index.damage, steps);
  }
}

HeapIndex index_of(const DumpToRead& dump, BufferedInput& input, Strictness strictness,
                   Steps& steps) {
  auto reading = steps.run("reading the dump",
                           [&](Progress& progress) { return read_dump(dump, input, progress); });
  steps.stats().set("passes", reading.passes);
  steps.stats().set("dump_bytes_read", input.source().bytes_read() + reading.looked_at);
  check_dump_number(dump, input, reading, steps);
  note_ignored_bytes(dump, reading, steps);
  auto index = steps.run("resolving classes and roots", [&](Progress&) {
    auto resolved = resolve(std::move(reading.collected), dump.header);
    resolved.summary.dumps_in_file = reading.dumps;
    resolved.summary.dump_micros = reading.dump_micros;
    resolved.damage = std::move(reading.damage);
    note_missing_records(resolved);
    return resolved;
  });
  refuse_damage(dump, input, index.damage, strictness);
  warn_of_damage(dump, input, index, steps);
  warn_of_oddities(printable(dump.path), index, steps);
  return index;
}

}  // namespace

HeapIndex build_index(const DumpToRead& dump, BufferedInput& input, Strictness strictness,
                      Steps& steps) {
  return placing(printable(dump.path), "take the dump again",
                 [&] { return index_of(dump, input, strictness, steps); });
}

void count_index(const HeapIndex& index, Stats& stats) {
  std::uint64_t records = 0;
  for (const auto& row : index.sub_records) {
    records += row.count;
  }
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
