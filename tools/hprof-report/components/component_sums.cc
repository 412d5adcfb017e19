#include "tools/hprof-report/components/component_sums.h"

#include "formats/report/units.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace hprof {
namespace {

/// No more class loaders than this can own top-level objects.
std::uint64_t most_loaders(const Heap& heap) {
  std::uint64_t most = heap.index().classes.size();
  const auto& totals = heap.domtree().classes();
  for (std::uint32_t row = 0; row < totals.size(); ++row) {
    const bool loads = heap.is_loader_class(ClassIndex(row));
    most += loads ? std::min(heap.objects(), totals[row].reachable_instances) : 0;
  }
  return std::min(heap.objects(), most);
}

/// By descending retained size, then by key.
template <typename Sums>
std::vector<std::pair<std::uint32_t, GroupSum>> ranked(const Sums& sums) {
  std::vector<std::pair<std::uint32_t, GroupSum>> rows(sums.begin(), sums.end());
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.second.retained != b.second.retained ? a.second.retained > b.second.retained
                                                  : a.first < b.first;
  });
  return rows;
}

}  // namespace

ComponentSums::ComponentSums(const Heap& heap) : heap_(heap), loaders_(most_loaders(heap)) {}

std::uint32_t ComponentSums::slot_of(std::uint32_t loader) {
  const auto [found, is_new] =
      numbers_.try_emplace(loader, static_cast<std::uint32_t>(slots_.size()));
  if (is_new) {
    slots_.push_back({.loader = loader, .objects = 0, .classes = {}});
  }
  return found->second;
}

void ComponentSums::add(const HeapObject& object) {
  if (object.top_level()) {
    const auto stands_for = heap_.represented(object);
    const auto named = stands_for.is_none() ? heap_.class_of(object) : stands_for;
    const auto slot = slot_of(heap_.loader_of(object).value());
    loaders_.append(slot);
    slots_[slot].classes[named.value()].add(object);
  }
}

std::vector<ComponentTopClass> ComponentSums::top_classes(const Slot& slot, std::uint64_t whole,
                                                          std::size_t rows) const {
  std::vector<ComponentTopClass> out;
  for (const auto& [key, sum] : ranked(slot.classes)) {
    if (out.size() == rows) {
      break;
    }
    out.push_back({.class_name = heap_.class_name(ClassIndex(key)),
                   .class_address = heap_.class_address(ClassIndex(key)),
                   .instances = sum.instances,
                   .shallow = sum.shallow,
                   .retained = sum.retained,
                   .retained_bp = share_bp(sum.retained, whole)});
  }
  return out;
}

Component ComponentSums::component(std::uint32_t loader, const GroupSum& sum,
                                   std::size_t rows) const {
  const auto& slot = slots_[numbers_.at(loader)];
  return {.address = heap_.address(loader),
          .label = heap_.loader_label(ObjectIndex(loader)),
          .top_level_objects = sum.instances,
          .objects = slot.objects,
          .retained = sum.retained,
          .retained_bp = share_bp(sum.retained, heap_.used_heap()),
          .top_classes = top_classes(slot, sum.retained, rows),
          .retained_set = std::nullopt};
}

std::vector<LoaderClassRow> ComponentSums::loader_classes(const TopLevel& top_level) const {
  std::map<std::string, LoaderClassRow> by_class;
  for (const auto& [loader, sum] : top_level.by_loader()) {
    const ObjectIndex object(loader);
    auto& row =
        by_class[loader == 0 ? heap_.loader_label(object) : heap_.loader_class_name(object)];
    ++row.class_loaders;
    row.objects += slots_[numbers_.at(loader)].objects;
    row.retained += sum.retained;
  }
  std::vector<LoaderClassRow> rows;
  for (auto& [name, row] : by_class) {
    row.class_name = name;
    row.retained_bp = share_bp(row.retained, heap_.used_heap());
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const LoaderClassRow& a, const LoaderClassRow& b) {
    return a.retained > b.retained;
  });
  return rows;
}

Components ComponentSums::result(const TopLevel& top_level, std::size_t rows) const {
  Components out;
  out.threshold_bp = 100;
  out.threshold = heap_.used_heap() / 100;
  for (const auto& [loader, sum] : ranked(top_level.by_loader())) {
    if (sum.retained >= out.threshold || out.components.size() < rows) {
      out.components.push_back(component(loader, sum, rows));
    } else {
      ++out.others;
      out.others_objects += slots_[numbers_.at(loader)].objects;
      out.others_retained += sum.retained;
    }
  }
  out.others_retained_bp = share_bp(out.others_retained, heap_.used_heap());
  out.loader_classes = loader_classes(top_level);
  return out;
}

}  // namespace hprof
