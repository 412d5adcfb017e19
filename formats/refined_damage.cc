#include "formats/refined_damage.h"

#include <algorithm>
#include <utility>

namespace hprof {
namespace {

/// A dump that was cut or whose packing is damaged stays so when all records before that are found.
void keep_kind(const Damage& row, std::vector<Damage>& gaps) {
  if (row.kind == DamageKind::garbled) {
    return;
  }
  Damage& last = gaps.back();
  if (last.resume != row.resume || last.heap_left != 0) {
    gaps.push_back({.kind = row.kind,
                    .position = row.resume,
                    .resume = row.resume,
                    .what = row.kind == DamageKind::packing
                                ? row.what
                                : "HEAP_DUMP_SEGMENT: the file ends inside this record"});
    return;
  }
  last.kind = row.kind;
  if (row.kind == DamageKind::packing || last.position == row.position) {
    last.what = row.what;
  }
}

/// A heap record that is none needs no length.
void forget_record(std::uint64_t position, DumpDamage& damage) {
  std::erase_if(damage.lengths, [&](const LengthFix& fix) { return fix.position == position; });
}

/// Nothing is cut where only a record that is none was too long for the file.
void forget_cut(DumpDamage& damage) {
  const bool is_cut = std::any_of(damage.lengths.begin(), damage.lengths.end(),
                                  [](const auto& fix) { return fix.kind == DamageKind::cut; });
  auto& rows = damage.rows;
  if (!is_cut && !rows.empty() && rows.back().kind == DamageKind::cut && rows.back().lost() == 0) {
    rows.pop_back();
  }
}

}  // namespace

bool refine_damage(DumpDamage& damage, const std::vector<BrokenHeap>& broken, HeapScan& scan) {
  std::vector<Damage> rows;
  bool changed = false;
  std::uint64_t no_record = 0;
  auto next = broken.begin();
  for (const Damage& row : damage.rows) {
    if (no_record != 0 && row.position == no_record && row.lost() == 0) {
      continue;
    }
    if (next == broken.end() || row.position != next->failed || row.resume != next->end) {
      rows.push_back(row);
      continue;
    }
    const std::size_t room = kMostDamage - std::min(kMostDamage - 1, rows.size());
    auto gaps = scan.gaps(*next++, room);
    if (!gaps.empty()) {
      changed = changed || gaps.front().position != row.position || gaps.front().heap_left != 0;
      if (gaps.back().resume + gaps.back().heap_left > row.resume + row.heap_left) {
        no_record = row.resume;
        forget_record(no_record, damage);
      }
      keep_kind(row, gaps);
      std::move(gaps.begin(), gaps.end(), std::back_inserter(rows));
    }
  }
  damage.rows = std::move(rows);
  if (no_record != 0) {
    forget_cut(damage);
  }
  return changed;
}

}  // namespace hprof
