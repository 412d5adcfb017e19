// MAT's Top Components describes these sets: all that goes away with the top-level objects of a
// class loader together, what several of them share included. Soft, weak, phantom and finalizer
// references keep nothing alive there.
#include "tools/hprof-report/components/component_sets.h"

#include "formats/report/units.h"
#include "tools/hprof-report/dump/field_table.h"
#include "tools/hprof-report/top_filler.h"

#include <algorithm>

namespace hprof {
namespace {

/// As many rows as MAT prints.
constexpr std::size_t kHistogramRows = 25;

bool is_array(RecordKind kind) {
  return kind != RecordKind::instance && kind != RecordKind::class_object;
}

/// Rows of the classes in a set for which `fits(ClassIndex)`, by descending bytes.
template <typename Fits>
std::vector<std::uint32_t> ranked_classes(const std::vector<ClassCount>& sums, Fits&& fits) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < sums.size(); ++row) {
    if (sums[row].instances != 0 && fits(ClassIndex(row))) {
      rows.push_back(row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return sums[a].shallow > sums[b].shallow;
  });
  return rows;
}

ComponentClass describe_class(const Heap& heap, std::uint32_t row, const ClassCount& sum) {
  return {.class_name = heap.class_name(ClassIndex(row)),
          .class_address = heap.class_address(ClassIndex(row)),
          .instances = sum.instances,
          .shallow = sum.shallow};
}

/// The classes with the most bytes, and those that tie with the last of them.
std::vector<ComponentClass> histogram(const Heap& heap, const std::vector<ClassCount>& sums) {
  std::vector<ComponentClass> out;
  for (const auto row : ranked_classes(sums, [](ClassIndex) { return true; })) {
    if (out.size() >= kHistogramRows && sums[row].shallow != out.back().shallow) {
      break;
    }
    out.push_back(describe_class(heap, row, sums[row]));
  }
  return out;
}

}  // namespace

ComponentSets::Set::Set(const Heap& heap, ObjectIndex of_loader, std::size_t rows)
    : loader(of_loader),
      class_class(find_class(heap.index(), "java.lang.Class")),
      classes(heap.index().classes.size()),
      top_level(heap, std::max(kMostAboveOnePercent, rows)) {}

void ComponentSets::Set::add_special(const Heap& heap, const HeapObject& object) {
  const auto row = heap.class_of(object).value();
  const auto kind = heap.type(object.type).kind;
  if (object.length == 0 && is_array(kind)) {
    ++classes[row].zero_length;
    classes[row].zero_length_shallow += object.shallow;
  }
  top_level.add(object);
  if (object.top_level() && row == class_class.value()) {
    const bool is_class_object = kind == RecordKind::class_object;
    primitive_class_first = primitive_class_first.value_or(!is_class_object);
    if (is_class_object && heap.loader_of(object) == loader) {
      class_objects.add(object);
    }
  }
}

ComponentSets::ComponentSets(const Heap& heap, Components& components, std::size_t rows,
                             const RankedBits& top_level, const ReferentLog& excluded)
    : heap_(heap),
      components_(components),
      rows_(rows),
      top_level_(top_level),
      excluded_(excluded) {
  for (const auto& type : heap.graph().types()) {
    is_object_array_.push_back(type.kind == RecordKind::object_array);
  }
  for (std::uint32_t i = 0; i < components.components.size(); ++i) {
    const auto& component = components.components[i];
    if (component.retained >= components.threshold && component.retained != 0) {
      numbers_.emplace(heap.index().addresses.index_of(component.address.value).value(), i);
    }
  }
}

void ComponentSets::scan(const SetScanInput& input, const ComponentSums& sums) {
  if (numbers_.empty()) {
    return;
  }
  SetScan scan(input,
               [&](std::uint32_t top) { return members_of(sums.loader_of(top_level_.rank(top))); });
  if (scan.run()) {
    found_.emplace(scan.take());
    start();
  }
}

void ComponentSets::search(const ReferenceGraph& graph) {
  if (numbers_.empty()) {
    return;
  }
  if (!found_) {
    found_.emplace(sets_in(graph));
    start();
  }
  contents_.emplace(graph, *found_, excluded_);
}

/// Among the sets at hand.
RetainedSets::Sets ComponentSets::members_of(std::uint32_t loader) const {
  const auto number = numbers_.find(loader);
  const bool is_member = number != numbers_.end() && number->second >= first_ &&
                         number->second - first_ < RetainedSets::kMost;
  return static_cast<RetainedSets::Sets>(is_member ? 1U << (number->second - first_) : 0U);
}

RetainedSets ComponentSets::sets_in(const ReferenceGraph& graph) const {
  return {
      graph, [&](std::uint32_t object) -> RetainedSets::Sets {
        return top_level_.test(object)
                   ? members_of(
                         heap_.loader_of({.index = object, .type = graph.type_of(object)}).value())
                   : RetainedSets::Sets{0};
      }};
}

std::vector<ComponentArrays> ComponentSets::arrays_of(const Set& set) const {
  const auto is_array_class = [&](ClassIndex row) { return heap_.class_name(row).ends_with("[]"); };
  std::vector<ComponentArrays> out;
  for (const auto row : ranked_classes(set.classes, is_array_class)) {
    const auto& sum = set.classes[row];
    out.push_back({.class_name = heap_.class_name(ClassIndex(row)),
                   .class_address = heap_.class_address(ClassIndex(row)),
                   .arrays = sum.instances,
                   .shallow = sum.shallow,
                   .zero_length = sum.zero_length,
                   .zero_length_shallow = sum.zero_length_shallow,
                   .fill = std::nullopt});
    if (const auto fill = set.fill.find(row); fill != set.fill.end()) {
      out.back().fill = fill->second.rows();
    }
  }
  return out;
}

std::vector<ComponentClass> ComponentSets::ranked(const ClassCounts& counts) const {
  std::vector<ComponentClass> out;
  out.reserve(counts.size());
  for (const auto& [row, sum] : counts) {
    out.push_back(describe_class(heap_, row, sum));
  }
  std::sort(out.begin(), out.end(), [](const ComponentClass& a, const ComponentClass& b) {
    return a.shallow != b.shallow ? a.shallow > b.shallow : a.class_address < b.class_address;
  });
  return out;
}

/// The class of that name and its subclasses.
std::vector<ComponentClass> ComponentSets::subclasses_in(const Set& set,
                                                         std::string_view name) const {
  const FieldTable fields(heap_.index());
  std::vector<ComponentClass> out;
  for (const auto row :
       ranked_classes(set.classes, [&](ClassIndex of) { return fields.is_a(of, name); })) {
    out.push_back(describe_class(heap_, row, set.classes[row]));
  }
  return out;
}

RetainedSet ComponentSets::describe(const Set& set) const {
  RetainedSet out;
  std::vector<std::uint32_t> loaders;
  for (std::uint32_t row = 0; row < set.classes.size(); ++row) {
    const auto& sum = set.classes[row];
    if (sum.instances != 0) {
      ++out.classes;
      out.objects += sum.instances;
      out.shallow += sum.shallow;
      loaders.push_back(heap_.index().classes[row].loader.value());
    }
  }
  std::sort(loaders.begin(), loaders.end());
  out.class_loaders =
      static_cast<std::uint64_t>(std::unique(loaders.begin(), loaders.end()) - loaders.begin());
  out.shallow_bp = share_bp(out.shallow, heap_.used_heap());
  out.histogram = histogram(heap_, set.classes);
  out.top = fill_top_consumers(heap_, set.top_level, rows_, out.shallow);
  out.top.size_distribution.reset();
  out.top_class_objects = {.instances = set.class_objects.instances,
                           .shallow = set.class_objects.shallow,
                           .retained = set.class_objects.retained};
  out.primitive_class_first = set.primitive_class_first;
  out.arrays = arrays_of(set);
  out.soft_references = subclasses_in(set, "java.lang.ref.SoftReference");
  out.softly_referenced = ranked(set.softly_referenced);
  out.weak_references = subclasses_in(set, "java.lang.ref.WeakReference");
  out.weakly_referenced = ranked(set.weakly_referenced);
  out.with_finalizer = ranked(set.with_finalizer);
  return out;
}

void ComponentSets::start() {
  const auto count = std::min<std::size_t>(RetainedSets::kMost, numbers_.size() - first_);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& component = components_.components[first_ + i];
    sets_.emplace_back(heap_, heap_.index().addresses.index_of(component.address.value), rows_);
  }
  at_hand_ = (1U << count) - 1;
}

/// An object array of the sets.
void ComponentSets::add_fill(const HeapObject& array, unsigned bits) {
  const auto used = contents_->used_slots(array.index);
  if (array.length != 0) {
    const auto row = heap_.class_of(array).value();
    for_each_set(bits,
                 [&](Set& set) { set.fill[row].add(used, array, heap_.type(array.type).scale); });
  }
}

void ComponentSets::add_referent(const HeapObject& object, unsigned bits) {
  const auto referent = contents_->take_referent(object.index);
  const auto row = heap_.class_of(object).value();
  const auto add = [&](unsigned sets, ClassCounts Set::*counts) {
    for_each_set(sets & at_hand_, [&](Set& set) {
      auto& sum = (set.*counts)[row];
      ++sum.instances;
      sum.shallow += object.shallow;
    });
  };
  add(referent.softly, &Set::softly_referenced);
  add(referent.weakly, &Set::weakly_referenced);
  add(referent.by_finalizer ? bits : 0, &Set::with_finalizer);
}

void ComponentSets::end() {
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    components_.components[first_ + i].retained_set = describe(sets_[i]);
  }
  first_ += sets_.empty() ? 0 : RetainedSets::kMost;
  sets_.clear();
  contents_.reset();
  found_.reset();
}

void ComponentSets::fill(Heap& heap) {
  while (first_ < numbers_.size()) {
    search(ReferenceGraph(heap_.graph(), ReferenceGraph::Excluded::skip));
    heap.load_retained();
    heap_.graph().for_each_object([&](const ObjectRow& row) {
      add({.index = row.index,
           .type = row.type,
           .length = row.length,
           .shallow = row.shallow,
           .dominator = top_level_.test(row.index) ? kVirtualRoot : 0,
           .retained = heap_.retained()[row.index]});
    });
    heap.release_retained();
    end();
  }
}

}  // namespace hprof
