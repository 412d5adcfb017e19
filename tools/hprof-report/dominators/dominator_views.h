#pragma once

#include "formats/report/dominators.h"
#include "tools/hprof-report/dominators/big_drops.h"
#include "tools/hprof-report/dominators/class_holders.h"
#include "tools/hprof-report/report_options.h"
#include "tools/hprof-report/top_level.h"

#include <optional>

namespace hprof {

/// Fills the section Dominators, in the steps in which columns are in memory.
class DominatorViews {
 public:
  DominatorViews(const Heap& heap, const ReportOptions& options, const DetailCaps& caps);

  /// To be shown every object in index order once before settle().
  void note(const ObjectRow& row) { holders_.note(row); }
  /// Needs the dominators.
  void settle() { holders_.settle(heap_.dominators()); }
  /// Needs both columns.
  void find_drops();
  /// To be shown every object in index order after that.
  void add(const HeapObject& object) {
    holders_.add(object);
    drops_->add(object);
  }
  Dominators result(const TopLevel& top_level) const;

 private:
  const Heap& heap_;
  const DetailCaps& caps_;
  std::uint64_t threshold_;
  ClassHolders holders_;
  std::optional<BigDrops> drops_;
};

}  // namespace hprof
