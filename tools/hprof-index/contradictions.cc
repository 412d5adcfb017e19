// All instances of a class have as many bytes of fields as the class and its super classes have
// fields for. Where most instances and the class agree, an instance that does not has a garbled
// length or class, and may cover other records; where they disagree, it is the class that is
// garbled. A class that cannot be asked, for want of a super class, is what most instances are.
#include "tools/hprof-index/contradictions.h"

#include "common/concat.h"
#include "common/text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace hprof {
namespace {

/// Reading that fails so near behind a garbled instance fails because of it: few bytes that are no
/// records can be read as such.
constexpr std::uint64_t kNear = 256;
constexpr std::uint64_t kFewMissing = 8;  ///< GC roots, whose objects some dumps lack
constexpr std::uint64_t kMissingShare = 100;

/// What the instances of a class say of it.
struct Votes {
  std::uint64_t records = 0;
  std::map<std::uint32_t, std::uint64_t> by_bytes;  ///< instances by their bytes of fields
  std::optional<std::uint64_t> fields;              ///< bytes that the class's fields take

  std::uint64_t of(std::uint64_t bytes) const {
    const auto found = by_bytes.find(static_cast<std::uint32_t>(bytes));
    return found == by_bytes.end() || found->first != bytes ? 0 : found->second;
  }
  std::uint32_t most_common() const {
    return std::max_element(by_bytes.begin(), by_bytes.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }
  bool bear_out_class() const { return fields && 2 * of(*fields) >= records; }
  /// Bytes that every instance has to have; nothing where that cannot be told.
  std::optional<std::uint64_t> expected() const {
    if (bear_out_class()) {
      return fields;
    }
    const std::uint32_t common = most_common();
    return 2 * of(common) > records ? std::optional<std::uint64_t>(common) : std::nullopt;
  }
};

/// Of the types of instances whose records do not agree with one another, or not with the class.
std::map<std::uint32_t, Votes> contested(const Collector& collected, const HeapKnowledge& known) {
  std::map<std::uint32_t, Votes> out;
  const auto& types = collected.instances.rows;
  for (std::uint32_t row = 0; row < types.size(); ++row) {
    const RawType& type = types[row];
    const auto fields = known.field_bytes(type.class_id);
    if (type.others != 0 || fields.value_or(type.data_bytes) != type.data_bytes) {
      out[row] = {.records = type.records,
                  .by_bytes = {{type.data_bytes, type.records - type.others}},
                  .fields = fields};
    }
  }
  for (const OddInstance& odd : collected.odd_instances) {
    ++out.at(odd.type).by_bytes[odd.data_bytes];
  }
  return out;
}

/// A row that loses nothing: reading goes on with the very record.
Damage note(const HeapPlace& place, std::string what) {
  return {.kind = DamageKind::garbled,
          .position = place.position,
          .resume = place.position,
          .what = std::move(what),
          .heap_left = place.heap_end - place.position};
}

void insert(DumpDamage& damage, Damage row) {
  const auto at = std::lower_bound(
      damage.rows.begin(), damage.rows.end(), row.position,
      [](const Damage& other, std::uint64_t position) { return other.position < position; });
  damage.rows.insert(at, std::move(row));
}

const std::string kOddLength = "INSTANCE_DUMP: its length is not that of its class";

/// Takes the first row in [from, end) out, if reading failed there because of what is before it.
std::optional<Damage> take_consequence(DumpDamage& damage, std::uint64_t from, std::uint64_t end) {
  auto& rows = damage.rows;
  const auto at = std::find_if(rows.begin(), rows.end(), [&](const Damage& row) {
    return row.position >= from && row.position < std::min(end, from + kNear) && row.lost() != 0;
  });
  if (at == rows.end()) {
    return std::nullopt;
  }
  Damage taken = std::move(*at);
  rows.erase(at);
  return taken;
}

std::string and_more(std::size_t count, const char* one, const char* many) {
  return count == 1 ? "" : concat(" (and ", format_count(count - 1, one, many), ")");
}

/// A class that is contradicted.
struct OddClass {
  HeapPlace place;
  std::string what;
};

OddClass odd_fields(const RawClass& of, const Votes& votes) {
  const std::uint64_t bytes = votes.most_common();
  const std::string instances = votes.records == 1
                                    ? "its only instance has "
                                    : concat(grouped(votes.of(bytes)), " of its ",
                                             grouped(votes.records), " instances have ");
  return {of.place, concat("its fields take ", format_count(*votes.fields, "byte", "bytes"), ", ",
                           instances, grouped(bytes))};
}

}  // namespace

std::vector<GarbledInstance> garbled_instances(const Collector& collected,
                                               const HeapKnowledge& known) {
  const auto votes = contested(collected, known);
  std::vector<GarbledInstance> out;
  const auto take = [&](std::uint32_t type, std::uint32_t bytes, const HeapPlace& place) {
    const Votes& of = votes.at(type);
    const auto expected = of.expected();
    // A single instance against its class: there is none to ask.
    if (of.records > 1 && expected && *expected != bytes) {
      out.push_back({.place = place, .bytes = bytes, .expected = *expected});
    }
  };
  for (const auto& [row, of] : votes) {
    const RawType& type = collected.instances.rows[row];
    if (of.of(type.data_bytes) == 1) {
      take(row, type.data_bytes, type.first);
    }
  }
  for (const OddInstance& odd : collected.odd_instances) {
    take(odd.type, odd.data_bytes, odd.place);
  }
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return a.place.position < b.place.position; });
  out.resize(std::min(out.size(), kMostDamage));
  return out;
}

void add_garbled(const std::vector<GarbledInstance>& instances, unsigned identifier_size,
                 DumpDamage& damage, std::vector<BrokenHeap>& broken) {
  std::uint64_t covered = 0;
  for (const auto& [place, bytes, expected] : instances) {
    if (place.position < covered || damage.rows.size() >= kMostDamage) {
      continue;
    }
    const std::uint64_t data = place.position + 9 + std::uint64_t{2} * identifier_size;
    Damage row{.kind = DamageKind::garbled,
               .position = place.position,
               .resume = data + bytes,
               .what = kOddLength,
               .heap_left = place.heap_end - (data + bytes)};
    if (auto consequence = take_consequence(damage, row.resume, place.heap_end)) {
      row.kind = consequence->kind;
      row.what = row.kind == DamageKind::garbled ? row.what : std::move(consequence->what);
      row.resume = consequence->resume;
      row.heap_left = consequence->heap_left;
    }
    broken.push_back({.begin = place.position,
                      .failed = place.position,
                      .end = row.resume,
                      .heap_left = row.heap_left,
                      .likely_next = data + expected,
                      .what = kOddLength});
    covered = row.resume;
    insert(damage, std::move(row));
  }
}

void note_contradictions(const Collector& collected, const HeapKnowledge& known,
                         DumpDamage& damage) {
  std::vector<OddClass> classes;
  for (const auto& [row, votes] : contested(collected, known)) {
    const std::uint32_t at = collected.class_row(collected.instances.rows[row].class_id);
    if (at != U64Map::kNone && votes.fields && !votes.bear_out_class()) {
      classes.push_back(odd_fields(collected.classes[at], votes));
    }
  }
  const auto first = std::min_element(
      classes.begin(), classes.end(),
      [](const auto& a, const auto& b) { return a.place.position < b.place.position; });
  if (first != classes.end()) {
    insert(damage, note(first->place, "CLASS_DUMP: " + first->what +
                                          and_more(classes.size(), "more class", "more classes")));
  }
  const auto left = garbled_instances(collected, known);
  if (!left.empty()) {
    insert(damage, note(left.front().place,
                        kOddLength + and_more(left.size(), "more record", "more records")));
  }
}

void note_missing_records(HeapIndex& index) {
  const std::uint64_t missing = index.summary.dangling_roots;
  const std::uint64_t roots = missing + index.roots.size();
  if (missing <= kFewMissing || kMissingShare * missing <= roots) {
    return;
  }
  const std::uint64_t end = index.damage.bytes;
  index.damage.rows.push_back(
      {.kind = DamageKind::garbled,
       .position = end,
       .resume = end,
       .what = concat(grouped(missing), " of ",
                      format_count(roots, "GC root names an object", "GC roots name objects"),
                      " that the dump does not have: records are missing")});
}

}  // namespace hprof
