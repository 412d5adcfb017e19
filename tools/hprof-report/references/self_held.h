#pragma once

#include "formats/report/references.h"
#include "tools/hprof-report/dump/object_teller.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/references/reach_column.h"

#include <cstddef>
#include <vector>

namespace hprof {

/// Finds referents that are strongly reachable, but only through their own reference. Needs both
/// columns.
class SelfHeldFinder {
 public:
  SelfHeldFinder(const Heap& heap, const ReachColumn& column, std::size_t most);

  /// Asks for the names of the largest ones.
  void name(ObjectTeller& teller);
  SelfHeldReferents result() const;

 private:
  const Heap& heap_;
  std::vector<std::uint32_t> referents_;  ///< the largest ones
  SelfHeldReferents result_;
};

}  // namespace hprof
