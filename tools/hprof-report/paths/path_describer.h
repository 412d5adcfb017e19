#pragma once

#include "formats/report/paths.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/paths/described_objects.h"
#include "tools/hprof-report/paths/path_book.h"
#include "tools/hprof-report/paths/path_holders.h"
#include "tools/hprof-report/paths/reference_names.h"
#include "tools/hprof-report/paths/stack_texts.h"
#include "tools/hprof-report/roots.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// Puts paths into words: what each object is, and by what the one before references it. Paths are
/// wanted, then all objects pass by, then the dump is looked into, once for all paths.
class PathDescriber {
 public:
  /// `dump`: nullptr where it is not there; fields and elements then stay unnamed.
  PathDescriber(const Heap& heap, const RootKinds& roots, DumpSource* dump);

  void want(const ObjectPath& path);
  /// Objects that are wanted besides.
  DescribedObjects& objects() { return objects_; }
  const DescribedObjects& objects() const { return objects_; }
  const StackTexts& stacks() const { return stacks_; }
  /// After all objects have passed by.
  void look_up();

  /// A wanted path in words.
  ReferencePath describe(const ObjectPath& path) const;
  PathHolders holders(const ReferencePath& path) const { return find_path_holders(path, keys_); }
  std::optional<PlacedHolder> first_holder(const ReferencePath& path) const {
    return first_path_holder(path, keys_);
  }
  /// How `to` is referenced by `from`, as far as the index tells.
  std::optional<Holder> static_holder(const HeapObject& from, const HeapObject& to);
  /// Name of a thread on a wanted path.
  std::optional<std::string> thread_name(std::uint32_t thread) const;

 private:
  void want_names(const ObjectPath& path, RecordFetcher* fetcher, FieldTable* fields);
  void want_thread_name(std::uint32_t thread, RecordFetcher& fetcher);
  void want_key(const HeapObject& entry, RecordFetcher& fetcher);
  void note_key(std::uint64_t entry, ObjectIndex key);
  PathStep step(std::uint32_t object) const;
  void add_reference(PathStep& step, std::uint32_t from, std::uint32_t to) const;

  const Heap& heap_;
  const RootKinds& roots_;
  DumpSource* dump_;
  StackTexts stacks_;
  DescribedObjects objects_;
  ReferenceNames names_;
  std::vector<ObjectPath> wanted_;
  std::map<std::uint32_t, std::optional<std::string>> thread_names_;
  ThreadLocalKeys keys_;
};

}  // namespace hprof
