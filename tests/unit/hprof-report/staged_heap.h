#pragma once

#include "formats/report/report.h"
#include "tests/support/files.h"
#include "tests/support/hprof_builder.h"
#include "tools/hprof-report/dump/dump_source.h"
#include "tools/hprof-report/heap.h"

#include <memory>
#include <string>
#include <vector>

namespace hprof::test {

/// A dump that a test has built, taken through all stages, with its files in a folder that goes
/// away with it.
class StagedHeap {
 public:
  /// `builder` is finished here. With a mask, hprof-graph hashes contents and keeps these bits.
  explicit StagedHeap(HeapBuilder& builder, std::uint64_t hash_mask = 0);

  std::string dump() const { return folder_ / "x.hprof"; }
  std::string index() const { return folder_ / "x.index"; }
  std::string graph() const { return folder_ / "x.graph"; }
  std::string domtree() const { return folder_ / "x.domtree"; }

  /// What hprof-report says with these options (the dump is beside the index).
  Report report(const std::vector<std::string>& options = {}) const;
  /// The stage files as the report's parts work on them; no column is loaded.
  std::unique_ptr<Heap> open() const;
  /// The dump for a heap from open().
  std::unique_ptr<DumpSource> open_dump(const Heap& heap) const;

 private:
  TempFolder folder_;
};

}  // namespace hprof::test
