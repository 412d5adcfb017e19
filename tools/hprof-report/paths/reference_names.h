#pragma once

#include "formats/report/paths.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/paths/stack_texts.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hprof {

/// One way in which an object references another.
struct NamedReference {
  Via via = Via::unknown;
  std::string name = "?";
  std::string declared_by = {};
  const StackFrame* frame = nullptr;  ///< of a local, where known
};

/// Finds out by what fields, elements, locals and so on objects reference each other: from the
/// index, and from the dump where it is there.
class ReferenceNames {
 public:
  ReferenceNames(const Heap& heap, const StackTexts& stacks) : heap_(heap), stacks_(stacks) {}

  /// Notes that `from` references `to`; looks for it in the index, and has `fetcher` look in the
  /// dump unless that is nullptr.
  void want(const HeapObject& from, const HeapObject& to, RecordFetcher* fetcher,
            FieldTable* fields);
  /// After the fetcher has run: the first way found, in the order of the record, before locals.
  NamedReference of(std::uint32_t from, std::uint32_t to) const;

 private:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  void add_statics(ClassIndex class_index, const HeapObject& to, std::vector<NamedReference>& out);
  void add_locals(std::uint32_t thread, std::uint32_t object, std::vector<NamedReference>& out);
  void fetch(const HeapObject& from, const HeapObject& to, RecordFetcher& fetcher,
             FieldTable& fields);

  const Heap& heap_;
  const StackTexts& stacks_;
  std::map<Pair, std::vector<NamedReference>> names_;
};

}  // namespace hprof
