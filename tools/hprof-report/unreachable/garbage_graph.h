#pragma once

#include "common/big_array.h"
#include "common/varint.h"
#include "formats/graph_file.h"
#include "tools/hprof-report/unreachable/ranked_set.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hprof {

/// The unreachable objects with their sizes and the references among them, by rank; about twelve
/// bytes per unreachable object.
class GarbageGraph {
 public:
  /// `members`: the unreachable objects. Reads the graph file once.
  GarbageGraph(const GraphFile& file, const RankedSet& members);

  std::uint32_t size() const { return members_.size(); }
  std::uint32_t type_of(std::uint32_t rank) const {
    return wide_types_.empty() ? narrow_types_[rank] : wide_types_[rank];
  }
  std::uint64_t shallow_of(std::uint32_t rank) const {
    return sizes_[rank] != kLarge ? std::uint64_t{sizes_[rank]} * unit_ : large_.at(rank);
  }

  /// Calls `visit(rank)` for every unreachable object that this one references, its class object
  /// first; repeats and itself occur.
  template <typename Visit>
  void for_each_successor(std::uint32_t rank, Visit&& visit) const {
    const auto class_rank = class_ranks_[type_of(rank)];
    if (class_rank != kNoRank) {
      visit(class_rank);
    }
    const std::uint64_t end = rank + 1 < size() ? starts_[rank + 1].value() : coded_.size();
    VarintCursor row(coded_.data() + starts_[rank].value(), coded_.data() + end);
    while (!row.at_end()) {
      visit(static_cast<std::uint32_t>(std::int64_t{rank} + row.next_signed()));
    }
  }

 private:
  class Reading;
  static constexpr std::uint32_t kLarge = 0xffffffffU;
  static constexpr std::uint32_t kNoRank = 0xffffffffU;

  /// Where a row starts, in 40 bits.
  struct [[gnu::packed]] Start {
    std::uint32_t low;
    std::uint8_t high;

    std::uint64_t value() const { return std::uint64_t{high} << 32U | low; }
  };

  void set_object(std::uint32_t rank, const ObjectRow& row);

  const RankedSet& members_;
  std::uint32_t unit_;
  std::vector<std::uint32_t> class_ranks_;  ///< by type, of the class object
  BigArray<std::uint32_t> sizes_;           ///< in units
  std::unordered_map<std::uint32_t, std::uint64_t> large_;
  BigArray<std::uint16_t> narrow_types_;
  BigArray<std::uint32_t> wide_types_;
  BigArray<Start> starts_;
  std::vector<std::uint8_t> coded_;
};

}  // namespace hprof
