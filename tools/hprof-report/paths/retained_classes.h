#pragma once

#include "common/big_array.h"
#include "common/ranked_bits.h"
#include "formats/report/leaks.h"
#include "tools/hprof-report/paths/leak_finder.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// Sums by class what each suspect retains, itself included; a class object counts with the class
/// that it stands for.
class RetainedClasses {
 public:
  /// Needs the instances of groups. `top_level`: all top-level objects; takes a byte for each until
  /// release().
  RetainedClasses(const Heap& heap, const std::vector<Suspicion>& suspicions,
                  const RankedBits& top_level);

  /// To be shown every reachable object, with the number of the top-level object above it.
  void add(const ObjectRow& row, std::uint64_t top_level) {
    const std::uint8_t owner = owners_[top_level];
    if (owner != kNobody) {
      add_to(owner, row);
    }
  }
  void release() { owners_.release(); }

  /// The classes of suspect number `suspect` with the largest shallow sums, at most `most`.
  std::vector<ClassShare> largest(std::size_t suspect, std::size_t most) const;

 private:
  static constexpr std::uint8_t kNobody = 255;

  void add_to(std::uint8_t owner, const ObjectRow& row) {
    const auto stands_for = heap_.represented({.index = row.index, .type = row.type});
    const auto counted_as = stands_for.is_none() ? heap_.type(row.type).class_index : stands_for;
    auto& sum = sums_[owner][counted_as.value()];
    ++sum.instances;
    sum.shallow += row.shallow;
  }

  const Heap& heap_;
  BigArray<std::uint8_t> owners_;            ///< by top-level object: the suspect
  std::vector<std::vector<GroupSum>> sums_;  ///< by suspect and class; retained stays 0
};

}  // namespace hprof
