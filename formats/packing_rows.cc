#include "formats/packing_rows.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kMostText = 500;

void add_cause(const PackingGap& gap, Damage& row) {
  if (row.kind != DamageKind::packing) {
    row.kind = DamageKind::packing;
    row.what = gap.what;
  } else if (row.what.size() < kMostText) {
    row.what += "; " + gap.what;
  }
}

}  // namespace

void add_packing_rows(const std::vector<PackingGap>& gaps, DumpDamage& damage) {
  for (const auto& gap : gaps) {
    auto& rows = damage.rows;
    const auto behind = std::find_if(rows.begin(), rows.end(), [&](const Damage& row) {
      return row.lost() != 0 ? row.resume >= gap.position : row.position > gap.position;
    });
    if (behind != rows.end() && behind->lost() != 0 && behind->position <= gap.position) {
      add_cause(gap, *behind);
    } else {
      rows.insert(behind, {.kind = DamageKind::packing,
                           .position = gap.position,
                           .resume = gap.position,
                           .what = gap.what});
    }
  }
}

void uncut_at_gaps(const std::vector<PackingGap>& gaps, DumpDamage& damage) {
  for (const auto& gap : gaps) {
    for (auto& row : damage.rows) {
      if (row.kind == DamageKind::cut && row.position <= gap.position &&
          gap.position < row.resume) {
        row.kind = DamageKind::garbled;
      }
    }
  }
}

}  // namespace hprof
