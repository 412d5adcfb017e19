#pragma once

#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/heap.h"

#include <functional>
#include <string>
#include <utility>

namespace hprof {

/// Tells of single objects what Heap::label() and the like want to know, from their records and the
/// columns that are in memory, without a pass over the stage files.
class ObjectTeller {
 public:
  using Take = std::function<void(const HeapObject&)>;

  /// Needs both columns until the fetcher has run. The shallow sizes of class objects are not told.
  ObjectTeller(const Heap& heap, DumpSource& dump, RecordFetcher& fetcher)
      : heap_(heap), dump_(dump), fetcher_(fetcher) {}

  /// Has `take` called with the object, at once or when the fetcher runs; nothing comes for none().
  void tell(ObjectIndex object, Take take);
  /// The same with the text of a String or a char[].
  void tell_text(ObjectIndex object, std::function<void(std::string)> take);

 private:
  HeapObject with_columns(HeapObject object) const;

  const Heap& heap_;
  DumpSource& dump_;
  RecordFetcher& fetcher_;
};

}  // namespace hprof
