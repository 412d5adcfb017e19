#pragma once

#include "formats/report/overview.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/top_level.h"

#include <cstdint>
#include <map>
#include <vector>

namespace hprof {

/// What is reachable of classes and class loaders, both ascending.
struct LoadedClasses {
  const std::vector<std::uint32_t>& loader_objects;  ///< instances of loader classes
  const std::vector<ClassIndex>& classes;
};

/// The names that several loaders have defined one of `classes` of.
class DuplicateClasses {
 public:
  DuplicateClasses(const Heap& heap, const std::vector<ClassIndex>& classes);

  std::uint64_t names() const { return groups_.size(); }
  /// How many classes of such names each of their loaders has defined.
  std::map<std::uint32_t, std::uint64_t> by_loader() const;
  /// By descending number of loaders, then by bytes; no more than `most`.
  std::vector<DuplicateClass> rows(std::size_t most) const;

 private:
  struct Group {
    std::vector<ClassIndex> classes;
    std::vector<std::uint32_t> loaders;  // ascending, each once
  };

  DuplicateClass row(const Group& group) const;

  const Heap& heap_;
  std::vector<Group> groups_;
};

/// The class loaders of the heap, also those that are only named by a class; no more than `most`,
/// those that retain most.
std::vector<ClassLoaderRow> class_loader_rows(const Heap& heap, const LoadedClasses& loaded,
                                              const DuplicateClasses& duplicates,
                                              const TopLevel& top_level, std::size_t most);

/// Has the names and parents of the loaders in `rows` fetched; these must stay where they are.
void fetch_loader_fields(const Heap& heap, RecordFetcher& fetcher,
                         std::vector<ClassLoaderRow>& rows);

}  // namespace hprof
