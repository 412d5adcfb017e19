#pragma once

#include "common/packed_numbers.h"
#include "formats/domtree_file.h"

#include <cstdint>

namespace hprof {

/// Retained sizes of all objects, in memory in units of the domtree file: few bytes each, since few
/// objects retain much.
class RetainedColumn {
 public:
  RetainedColumn() = default;
  explicit RetainedColumn(const DomtreeSummary& summary)
      : unit_(summary.size_unit), units_(summary.objects, summary.reachable_shallow / unit_) {}

  /// Each object once, ascending.
  void add(const DomtreeNode& node) { units_.append(node.units); }
  /// Delivers the sizes of all objects in order, in bytes.
  class Reader {
   public:
    explicit Reader(const RetainedColumn& column) : unit_(column.unit_), units_(column.units_) {}
    std::uint64_t next() { return units_.next() * unit_; }

   private:
    std::uint32_t unit_;
    PackedNumbers::Reader units_;
  };

  /// Asks for an object's size to be brought near.
  void prefetch(std::uint32_t object) const { units_.prefetch(object); }
  /// Bytes; once all objects are there.
  std::uint64_t operator[](std::uint32_t object) const { return units_[object] * unit_; }
  /// Calls `visit(object)` for those with at least so many bytes, ascending.
  template <typename Visit>
  void for_each_from(std::uint64_t bytes, Visit&& visit) const {
    units_.for_each_from(bytes / unit_ + (bytes % unit_ != 0 ? 1 : 0),
                         [&](std::uint64_t object) { visit(static_cast<std::uint32_t>(object)); });
  }

 private:
  std::uint32_t unit_ = 1;
  PackedNumbers units_;
};

}  // namespace hprof
