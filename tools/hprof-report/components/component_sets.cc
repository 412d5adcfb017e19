// MAT's Top Components describes these sets: all that goes away with the top-level objects of a
// class loader together, what several of them share included. Soft, weak, phantom and finalizer
// references keep nothing alive there.
#include "tools/hprof-report/components/component_sets.h"

#include "formats/report/units.h"
#include "tools/hprof-report/top_filler.h"
#include "tools/hprof-report/top_level.h"

#include <algorithm>

namespace hprof {
namespace {

/// As many rows as MAT prints.
constexpr std::size_t kHistogramRows = 25;

struct ClassSum {
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
};

/// The classes with the most bytes, and those that tie with the last of them.
std::vector<ComponentClass> histogram(const Heap& heap, const std::vector<ClassSum>& sums) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < sums.size(); ++row) {
    if (sums[row].instances != 0) {
      rows.push_back(row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return sums[a].shallow > sums[b].shallow;
  });
  std::vector<ComponentClass> out;
  for (const auto row : rows) {
    if (out.size() >= kHistogramRows && sums[row].shallow != out.back().shallow) {
      break;
    }
    out.push_back({.class_name = heap.class_name(ClassIndex(row)),
                   .class_address = heap.class_address(ClassIndex(row)),
                   .instances = sums[row].instances,
                   .shallow = sums[row].shallow});
  }
  return out;
}

}  // namespace

struct ComponentSets::Set {
  Set(const Heap& heap, ObjectIndex of_loader, std::size_t rows)
      : loader(of_loader),
        classes(heap.index().classes.size()),
        top_level(heap, std::max(kMostAboveOnePercent, rows)) {}

  void add(const Heap& heap, const HeapObject& object) {
    auto& sum = classes[heap.class_of(object).value()];
    ++sum.instances;
    sum.shallow += object.shallow;
    top_level.add(object);
    if (object.top_level() && heap.type(object.type).kind == RecordKind::class_object &&
        heap.loader_of(object) == loader) {
      class_objects.add(object);
    }
  }

  ObjectIndex loader;
  std::vector<ClassSum> classes;
  TopLevel top_level;
  GroupSum class_objects;
};

ComponentSets::ComponentSets(const Heap& heap, Components& components, std::size_t rows)
    : heap_(heap), components_(components), rows_(rows), is_top_level_(heap.objects()) {
  for (std::uint32_t i = 0; i < components.components.size(); ++i) {
    const auto& component = components.components[i];
    if (component.retained >= components.threshold && component.retained != 0) {
      numbers_.emplace(heap.index().addresses.index_of(component.address.value).value(), i);
    }
  }
  const auto& dominators = heap.dominators();
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    if (dominators[object] == kVirtualRoot) {
      is_top_level_.set(object);
    }
  }
}

void ComponentSets::search(const ReferenceGraph& graph) {
  if (!numbers_.empty()) {
    sets_.emplace(sets_in(graph, 0));
  }
}

RetainedSets ComponentSets::sets_in(const ReferenceGraph& graph, std::uint32_t first) const {
  return {graph, [&](std::uint32_t object) -> RetainedSets::Sets {
            if (!is_top_level_.test(object)) {
              return 0;
            }
            const auto loader = heap_.loader_of({.index = object, .type = graph.type_of(object)});
            const auto number = numbers_.find(loader.value());
            const bool is_member = number != numbers_.end() && number->second >= first &&
                                   number->second - first < RetainedSets::kMost;
            return static_cast<RetainedSets::Sets>(is_member ? 1U << (number->second - first) : 0U);
          }};
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
  return out;
}

void ComponentSets::fill(Heap& heap) {
  for (std::uint32_t first = 0; first < numbers_.size(); first += RetainedSets::kMost) {
    if (!sets_) {
      const ReferenceGraph graph(heap_.graph(), ReferenceGraph::Excluded::skip);
      sets_.emplace(sets_in(graph, first));
    }
    heap.load_retained();
    fill_from(first, *sets_);
    heap.release_retained();
    sets_.reset();
  }
}

void ComponentSets::fill_from(std::uint32_t first, const RetainedSets& found) {
  const auto count = std::min<std::size_t>(RetainedSets::kMost, numbers_.size() - first);
  std::vector<Set> sets;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& component = components_.components[first + i];
    sets.emplace_back(heap_, heap_.index().addresses.index_of(component.address.value), rows_);
  }
  heap_.graph().for_each_object([&](const ObjectRow& row) {
    const auto bits = found.of(row.index);
    if (bits == 0) {
      return;
    }
    const HeapObject object{.index = row.index,
                            .type = row.type,
                            .length = row.length,
                            .shallow = row.shallow,
                            .dominator = is_top_level_.test(row.index) ? kVirtualRoot : 0,
                            .retained = heap_.retained()[row.index]};
    for (std::size_t i = 0; i < count; ++i) {
      if ((bits >> i & 1U) != 0) {
        sets[i].add(heap_, object);
      }
    }
  });
  for (std::size_t i = 0; i < count; ++i) {
    components_.components[first + i].retained_set = describe(sets[i]);
  }
}

}  // namespace hprof
