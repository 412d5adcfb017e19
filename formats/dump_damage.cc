#include "formats/dump_damage.h"

#include "common/text.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace hprof {

void DumpDamage::add_row(Damage row) {
  const auto place = std::lower_bound(
      rows.begin(), rows.end(), row.position,
      [](const Damage& other, std::uint64_t position) { return other.position < position; });
  rows.insert(row.lost() == 0 ? place : rows.end(), std::move(row));
}

void DumpDamage::add_length(const LengthFix& fix) {
  const auto place = std::lower_bound(
      lengths.begin(), lengths.end(), fix.position,
      [](const LengthFix& other, std::uint64_t position) { return other.position < position; });
  if (place == lengths.end() || place->position != fix.position) {
    lengths.insert(place, fix);
  } else {
    place->length = fix.length;
    place->kind = fix.kind;
  }
}

void DumpDamage::add_fix(const LengthFix& fix, const std::string& record) {
  add_length(fix);
  if (fix.kind == DamageKind::length) {
    add_row({.kind = fix.kind,
             .position = fix.position,
             .resume = fix.position,
             .what = record + ": the length in its header is not that of its content"});
  }
}

void DumpDamage::add_other_kind(std::uint64_t position, const std::string& record) {
  add_row({.kind = DamageKind::garbled,
           .position = position,
           .resume = position,
           .what = record + ": goes on with records of another kind before it"});
}

void DumpDamage::add_end(std::uint64_t position) {
  add_length({.position = position, .length = 0, .kind = DamageKind::length});
  add_row({.kind = DamageKind::garbled,
           .position = position,
           .resume = position,
           .what = "HEAP_DUMP_END: its header is not right"});
}

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

std::string cut_text(const std::string& record, std::uint64_t missing) {
  return record + ": the file ends inside this record" +
         (missing == 0 ? ""
                       : ", " + format_count(missing, "byte of its segment is missing",
                                             "bytes of its segment are missing"));
}

void DamageGaps::look_at(std::size_t row) {
  row_ = row;
  next_ = row < known_->rows.size() ? known_->rows[row].position : kNone;
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
