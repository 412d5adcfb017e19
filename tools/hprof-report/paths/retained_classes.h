#pragma once

#include "formats/report/leaks.h"
#include "tools/hprof-report/leak_finder.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// Sums by class what each suspect retains, itself included; a class object counts with the class
/// that it stands for.
class RetainedClasses {
 public:
  /// Needs both columns, the instances of groups, and a byte per object for the time being.
  RetainedClasses(const Heap& heap, const std::vector<Suspicion>& suspicions);

  /// The classes of suspect number `suspect` with the largest shallow sums, at most `most`.
  std::vector<ClassShare> largest(std::size_t suspect, std::size_t most) const;

 private:
  void sum_up(const BigArray<std::uint8_t>& owners);

  const Heap& heap_;
  std::vector<std::vector<GroupSum>> sums_;  ///< by suspect and class; retained stays 0
};

}  // namespace hprof
