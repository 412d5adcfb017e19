#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hprof {

/// Sorts rows, best first, and drops all but `count`.
template <typename Row, typename Better>
void keep_best(std::vector<Row>& rows, std::size_t count, Better better) {
  std::sort(rows.begin(), rows.end(), better);
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), count)), rows.end());
}

/// Adds a row to those of which `count` will be kept, with room for a few times as many.
template <typename Row, typename Better>
void add_bounded(std::vector<Row>& rows, Row row, std::size_t count, Better better) {
  rows.push_back(std::move(row));
  if (rows.size() >= 4 * count + 1024) {
    keep_best(rows, count, better);
  }
}

}  // namespace hprof
