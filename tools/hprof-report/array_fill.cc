#include "tools/hprof-report/array_fill.h"

#include "common/checked.h"

#include <algorithm>
#include <iterator>

namespace hprof {
namespace {

constexpr std::uint64_t kWhole = 10'000;

}  // namespace

std::size_t fill_row(std::uint64_t used, std::uint64_t length) {
  if (used == 0 || used >= length) {
    return used == 0 ? 0 : 6;
  }
  return 1 + static_cast<std::size_t>((checked_mul(used, 5) - 1) / length);
}

std::uint64_t fill_row_end(std::size_t row) {
  return row == 5 ? kWhole - 1 : std::min(row * kWhole / 5, kWhole);
}

bool is_at_end_of_fill_row(std::uint64_t used, std::uint64_t length) {
  return used != 0 && used < length && checked_mul(used, 5) % length == 0;
}

ArrayFill::ArrayFill() {
  for (std::size_t i = 1; i < kRows; ++i) {
    rows_[i].least_bp = i == 6 ? kWhole : (i - 1) * kWhole / 5 + 1;
    rows_[i].most_bp = fill_row_end(i);
  }
}

void ArrayFill::add(std::uint64_t used, std::uint64_t length, std::uint64_t shallow,
                    std::uint64_t slot_bytes) {
  if (length == 0) {
    return;
  }
  auto& row = rows_[fill_row(used, length)];
  ++row.arrays;
  row.slots += length;
  row.used_slots += used;
  row.shallow += shallow;
  row.unused_bytes += (length - std::min(used, length)) * slot_bytes;
}

std::vector<ArrayFillRow> ArrayFill::rows() const {
  std::vector<ArrayFillRow> out;
  std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(out),
               [](const ArrayFillRow& row) { return row.arrays != 0; });
  return out;
}

}  // namespace hprof
