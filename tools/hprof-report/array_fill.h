#pragma once

#include "formats/report/arrays.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hprof {

/// The row in which an array with `used` slots of `length` in use counts: 0 nothing, 1 … 5 up to so
/// many fifths, 6 all.
std::size_t fill_row(std::uint64_t used, std::uint64_t length);
/// The largest share in that row in basis points.
std::uint64_t fill_row_end(std::size_t row);
/// Whether just as many fifths are in use as the row's end says; rows 1 to 4 only.
bool is_at_end_of_fill_row(std::uint64_t used, std::uint64_t length);

/// Object arrays by how much of them is used.
class ArrayFill {
 public:
  ArrayFill();

  /// An array with `used` slots of `length` in use, each of `slot_bytes`; without slots it does not
  /// count.
  void add(std::uint64_t used, std::uint64_t length, std::uint64_t shallow,
           std::uint64_t slot_bytes);
  /// Those that have arrays.
  std::vector<ArrayFillRow> rows() const;

 private:
  static constexpr std::size_t kRows = 7;

  std::array<ArrayFillRow, kRows> rows_;
};

}  // namespace hprof
