#pragma once

#include "common/ranked_bits.h"
#include "formats/reference_graph.h"
#include "formats/report/components.h"
#include "tools/hprof-report/components/component_sums.h"
#include "tools/hprof-report/components/fill_sums.h"
#include "tools/hprof-report/components/retained_sets.h"
#include "tools/hprof-report/components/set_contents.h"
#include "tools/hprof-report/components/set_scan.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/top_level.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Objects of a class in a set.
struct ClassCount {
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t zero_length = 0;  ///< arrays without elements
  std::uint64_t zero_length_shallow = 0;
};
/// By row of the class table.
using ClassCounts = std::unordered_map<std::uint32_t, ClassCount>;

/// Describes what would go away with each component of at least 1 % of the used heap.
class ComponentSets {
 public:
  /// `components` must stay where it is. `top_level`: all top-level objects.
  /// `excluded`: as SetContents says.
  ComponentSets(const Heap& heap, Components& components, std::size_t rows,
                const RankedBits& top_level, const ReferentLog& excluded);

  /// Finds the first sets without holding the references, where that can be done; `sums` tells the
  /// loaders of top-level objects.
  void scan(const SetScanInput& input, const ComponentSums& sums);
  /// Finds them otherwise, in a graph without excluded references that is in memory anyway, and
  /// what they refer to.
  void search(const ReferenceGraph& graph);
  /// Whether search() is still to be called before the objects are shown.
  bool wants_graph() const { return found_ && !contents_; }
  /// To be shown every object, with its retained size, once the first sets are found; describes
  /// them in the end.
  void add(const HeapObject& object) {
    if (found_) {
      const unsigned bits = found_->of(object.index) & at_hand_;
      if (contents_->has_referent(object.index)) {
        add_referent(object, bits);
      }
      if (bits != 0 && is_object_array_[object.type]) {
        add_fill(object, bits);
      }
      for_each_set(bits, [&](Set& set) { set.add(heap_, object); });
    }
  }
  void end();
  /// Finds and describes what sets are left, with no column in memory.
  void fill(Heap& heap);

 private:
  /// One set while the objects pass by.
  struct Set {
    Set(const Heap& heap, ObjectIndex of_loader, std::size_t rows);

    void add(const Heap& heap, const HeapObject& object) {
      auto& sum = classes[heap.class_of(object).value()];
      ++sum.instances;
      sum.shallow += object.shallow;
      if (object.top_level() || object.length == 0) {
        add_special(heap, object);
      }
    }
    /// What counts for more than its class.
    void add_special(const Heap& heap, const HeapObject& object);

    ObjectIndex loader;
    ClassIndex class_class;  // java.lang.Class
    std::vector<ClassCount> classes;
    std::unordered_map<std::uint32_t, FillSums> fill;  // by row of the class table
    ClassCounts softly_referenced;
    ClassCounts weakly_referenced;
    ClassCounts with_finalizer;
    TopLevel top_level;
    GroupSum class_objects;
    std::optional<bool> primitive_class_first;
  };

  RetainedSets sets_in(const ReferenceGraph& graph) const;
  RetainedSets::Sets members_of(std::uint32_t loader) const;
  void start();
  RetainedSet describe(const Set& set) const;
  template <typename Visit>
  void for_each_set(unsigned bits, Visit&& visit) {
    for (; bits != 0; bits &= bits - 1) {
      visit(sets_[static_cast<unsigned>(std::countr_zero(bits))]);
    }
  }
  void add_fill(const HeapObject& array, unsigned bits);
  void add_referent(const HeapObject& object, unsigned bits);
  std::vector<ComponentArrays> arrays_of(const Set& set) const;
  std::vector<ComponentClass> ranked(const ClassCounts& counts) const;
  std::vector<ComponentClass> subclasses_in(const Set& set, std::string_view name) const;

  const Heap& heap_;
  Components& components_;
  std::size_t rows_;
  const RankedBits& top_level_;
  const ReferentLog& excluded_;
  std::vector<bool> is_object_array_;  // by type
  // By loader: place in components_; those of at least 1 % come first there.
  std::unordered_map<std::uint32_t, std::uint32_t> numbers_;
  std::uint32_t first_ = 0;  // number of the first set at hand
  std::optional<RetainedSets> found_;
  std::optional<SetContents> contents_;
  std::vector<Set> sets_;
  unsigned at_hand_ = 0;  // their bits
};

}  // namespace hprof
