#include "formats/dump_damage.h"

#include <algorithm>
#include <numeric>

namespace hprof {

bool DumpDamage::packing_damaged() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const Damage& row) { return row.kind == DamageKind::packing; });
}

std::uint64_t DumpDamage::lost_bytes() const {
  return std::accumulate(rows.begin(), rows.end(), left_over(),
                         [](std::uint64_t sum, const Damage& row) { return sum + row.lost(); });
}

std::uint64_t DumpDamage::unused_bytes() const {
  return std::min(bytes, lost_bytes() + other_dumps);
}

std::uint64_t DumpDamage::left_over() const {
  return std::accumulate(
      parts.begin(), parts.end(), std::uint64_t{0},
      [](std::uint64_t sum, const DumpPart& part) { return sum + part.left_over; });
}

void DamageGaps::look_at(std::size_t row) {
  const auto& rows = known_->rows;
  while (row < rows.size() && rows[row].is_note(known_->bytes)) {
    ++row;
  }
  row_ = row;
  next_ = row < rows.size() ? rows[row].position : kNone;
}

void DamageGaps::start_at(std::uint64_t position) {
  if (known_ != nullptr) {
    const auto& rows = known_->rows;
    const auto found = std::lower_bound(
        rows.begin(), rows.end(), position,
        [](const Damage& row, std::uint64_t wanted) { return row.position < wanted; });
    look_at(static_cast<std::size_t>(found - rows.begin()));
  }
}

const Damage& DamageGaps::pass() {
  const Damage& gap = known_->rows[row_];
  look_at(row_ + 1);
  return gap;
}

}  // namespace hprof
