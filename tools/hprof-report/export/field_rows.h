#pragma once

#include "formats/export/sqlite_file.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hprof {

/// The table `fields`: the declared and static fields of all classes by number, behind a few names
/// for references that are no fields.
class FieldRows {
 public:
  static constexpr std::uint32_t kSuperClass = 0;
  static constexpr std::uint32_t kClassLoader = 1;
  static constexpr std::uint32_t kLocal = 2;

  explicit FieldRows(const Heap& heap);

  void write(SqliteFile& file) const;
  /// Number of a class's first declared field; the others follow in the order of the record.
  std::uint32_t declared(ClassIndex index) const { return first_[index.value()]; }
  std::uint32_t statics(ClassIndex index) const {
    return first_[index.value()] +
           static_cast<std::uint32_t>(heap_.index().classes[index.value()].fields.size());
  }

 private:
  const Heap& heap_;
  std::vector<std::uint32_t> first_;  ///< by class
};

}  // namespace hprof
