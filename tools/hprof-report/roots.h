#pragma once

#include "formats/heap_index.h"
#include "formats/report/overview.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// The kinds of each GC root; an object may have several.
class RootKinds {
 public:
  explicit RootKinds(const std::vector<RootInfo>& roots);

  /// Names of the kinds of `object`, each once, in order of their tags; empty when it is no GC
  /// root.
  std::vector<std::string> kinds_of(std::uint32_t object) const;
  /// The same joined by ", ".
  std::string joined(std::uint32_t object) const;
  /// Distinct root objects, ascending.
  const std::vector<std::uint32_t>& objects() const { return objects_; }

 private:
  std::vector<std::pair<std::uint32_t, std::uint8_t>> pairs_;  // distinct, ascending
  std::vector<std::uint32_t> objects_;
};

/// Sums roots by their kinds while objects pass by.
class RootTable {
 public:
  explicit RootTable(const RootKinds& kinds) : kinds_(kinds) {}

  /// To be shown every object in index order.
  void add(const HeapObject& object) {
    if (next_ != kinds_.objects().size() && kinds_.objects()[next_] == object.index) {
      ++next_;
      add_root(object);
    }
  }
  /// By descending count, then by name.
  std::vector<RootTypeRow> rows() const;

 private:
  void add_root(const HeapObject& object);

  const RootKinds& kinds_;
  std::size_t next_ = 0;
  std::vector<RootTypeRow> rows_;
};

}  // namespace hprof
