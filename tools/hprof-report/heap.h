#pragma once

#include "common/big_array.h"
#include "formats/report/leaks.h"
#include "tools/hprof-report/heap_files.h"
#include "tools/hprof-report/retained_column.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hprof {

/// What the report knows of an object while it passes by.
struct HeapObject {
  std::uint32_t index = 0;
  std::uint32_t type = 0;
  std::uint64_t length = 0;
  std::uint64_t shallow = 0;
  std::uint32_t dominator = kUnreachable;
  std::uint64_t retained = 0;

  bool reachable() const { return dominator != kUnreachable; }
  bool top_level() const { return dominator == kVirtualRoot; }
};

/// The stage files with the columns that are in memory just now, and the names of things.
class Heap {
 public:
  explicit Heap(HeapFiles files);

  const HeapIndex& index() const { return files_.index; }
  const GraphFile& graph() const { return files_.graph; }
  const DomtreeFile& domtree() const { return files_.domtree; }
  const HeapFiles& files() const { return files_; }
  std::uint64_t objects() const { return files_.graph.summary().objects; }
  /// Bytes of all reachable objects.
  std::uint64_t used_heap() const { return files_.domtree.summary().reachable_shallow; }

  // Columns: four bytes per object, and one to three; load before use, release when done.
  void load_dominators();
  void load_retained();
  /// Both at once.
  void load_tree();
  void release_dominators() { dominators_.release(); }
  void release_retained() { retained_ = RetainedColumn(); }
  const BigArray<std::uint32_t>& dominators() const { return dominators_; }
  BigArray<std::uint32_t> take_dominators() { return std::move(dominators_); }
  const RetainedColumn& retained() const { return retained_; }

  /// Calls `visit(const HeapObject&)` in index order; needs both columns. Returns the graph's
  /// totals.
  template <typename Visit>
  GraphTotals for_each_object(Visit&& visit) const {
    return for_each_object(visit, [](std::uint32_t, std::uint32_t) {});
  }
  /// Then calls `on_excluded(source, ordinal)` for each excluded reference, ascending by source.
  template <typename Visit, typename OnExcluded>
  GraphTotals for_each_object(Visit&& visit, OnExcluded&& on_excluded) const {
    RetainedColumn::Reader retained(retained_);
    return files_.graph.for_each_object(
        [&](const ObjectRow& row) {
          visit(HeapObject{.index = row.index,
                           .type = row.type,
                           .length = row.length,
                           .shallow = row.shallow,
                           .dominator = dominators_[row.index],
                           .retained = retained.next()});
        },
        on_excluded);
  }

  /// The same with no column in memory.
  template <typename Visit>
  void for_each_streamed_object(Visit&& visit) const {
    NodeStream nodes(files_.domtree);
    files_.graph.for_each_object([&](const ObjectRow& row) {
      const DomtreeNode& node = nodes.next();
      visit(HeapObject{.index = row.index,
                       .type = row.type,
                       .length = row.length,
                       .shallow = row.shallow,
                       .dominator = node.dominator,
                       .retained = node.retained});
    });
    nodes.finish();
  }

  const GraphType& type(std::uint32_t type) const { return files_.graph.types()[type]; }
  ClassIndex class_of(const HeapObject& object) const { return type(object.type).class_index; }
  /// The class that a class object stands for; none for other objects.
  ClassIndex represented(const HeapObject& object) const {
    return type(object.type).kind == RecordKind::class_object ? class_represented_by(object.index)
                                                              : ClassIndex::none();
  }
  /// java.lang.ClassLoader or a subclass of it.
  bool is_loader_class(ClassIndex index) const { return is_loader_class_[index.value()]; }
  /// Loader of an object's class, or of the class that a class object stands for.
  ObjectIndex defining_loader(const HeapObject& object) const;
  /// The loader that an object is counted with: a class object's own, a loader itself, else its
  /// class's.
  ObjectIndex loader_of(const HeapObject& object) const;

  const std::string& class_name(ClassIndex index) const { return class_names_[index.value()]; }
  Address class_address(ClassIndex index) const {
    return {files_.index.classes[index.value()].address};
  }
  Address address(std::uint32_t object) const {
    return {files_.index.addresses.address_at(ObjectIndex(object))};
  }
  /// To be shown every object in index order once, before loader_label(): what class each class
  /// loader has.
  void note_loader(const HeapObject& object) {
    const bool named = next_named_loader_ < named_loaders_.size() &&
                       named_loaders_[next_named_loader_] == object.index;
    next_named_loader_ += named ? 1 : 0;
    if (named || is_loader_class(class_of(object))) {
      loaders_.emplace_back(object.index, class_of(object));
    }
  }
  /// Java name of a class loader's class.
  std::string loader_class_name(ObjectIndex loader) const;
  /// "<system class loader>", or the loader's class and address.
  std::string loader_label(ObjectIndex loader) const;
  /// "java.util.ArrayList @ 0x7f00", "byte[17] @ 0x7f00", "class java.lang.System @ 0x7f00".
  std::string label(const HeapObject& object) const;
  ObjectRef reference(const HeapObject& object) const;

  /// What is known of each of `objects` (ascending), by one more pass over the files; needs no
  /// column.
  std::vector<HeapObject> describe(const std::vector<std::uint32_t>& objects) const;

 private:
  ClassIndex class_represented_by(std::uint32_t object) const;
  void find_loader_classes();
  void find_named_loaders();

  HeapFiles files_;
  std::vector<std::string> class_names_;
  std::vector<bool> is_loader_class_;
  /// Class objects with their classes, ascending by object.
  std::vector<std::pair<std::uint32_t, ClassIndex>> class_objects_;
  /// Objects that classes name as their loader, ascending.
  std::vector<std::uint32_t> named_loaders_;
  std::size_t next_named_loader_ = 0;
  /// Class loaders that have passed by, with their classes, ascending by object.
  std::vector<std::pair<std::uint32_t, ClassIndex>> loaders_;
  BigArray<std::uint32_t> dominators_;
  RetainedColumn retained_;
};

}  // namespace hprof
