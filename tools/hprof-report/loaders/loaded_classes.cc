#include "tools/hprof-report/loaders/loaded_classes.h"

#include "formats/report/units.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace hprof {
namespace {

constexpr std::string_view kClassLoader = "java.lang.ClassLoader";
constexpr std::size_t kMostLoaders = 10;

using RowsByLoader = std::map<std::uint32_t, ClassLoaderRow>;

void add_classes(const Heap& heap, const std::vector<ClassIndex>& classes, RowsByLoader& rows) {
  for (const auto index : classes) {
    auto& row = rows[heap.index().classes[index.value()].loader.value()];
    const auto& total = heap.domtree().classes()[index.value()];
    ++row.classes;
    row.instances += total.reachable_instances;
    row.shallow += total.reachable_shallow;
  }
}

void add_retained(const Heap& heap, const TopLevel& top_level, RowsByLoader& rows) {
  for (auto& [loader, row] : rows) {
    const auto sum = top_level.by_loader().find(loader);
    row.retained = sum == top_level.by_loader().end() ? 0 : sum->second.retained;
    row.retained_bp = share_bp(row.retained, heap.used_heap());
  }
}

void take_parent(const Heap& heap, const ObjectRecord& record, ClassLoaderRow& row) {
  if (record.has_field("parent")) {
    const auto parent = record.reference("parent", kClassLoader);
    const ObjectIndex loader = parent.is_none() ? ObjectIndex(0) : parent;
    row.parent_address = heap.address(loader.value());
    row.parent_label = heap.loader_label(loader);
  }
}

}  // namespace

std::vector<ClassLoaderRow> class_loader_rows(const Heap& heap, const LoadedClasses& loaded,
                                              const DuplicateClasses& duplicates,
                                              const TopLevel& top_level, std::size_t most) {
  RowsByLoader by_loader;
  for (const auto loader : loaded.loader_objects) {
    by_loader[loader];
  }
  add_classes(heap, loaded.classes, by_loader);
  add_retained(heap, top_level, by_loader);
  for (const auto& [loader, count] : duplicates.by_loader()) {
    by_loader[loader].duplicate_classes = count;
  }
  std::vector<ClassLoaderRow> rows;
  for (auto& [loader, row] : by_loader) {
    row.address = heap.address(loader);
    row.label = heap.loader_label(ObjectIndex(loader));
    row.class_name = heap.loader_class_name(ObjectIndex(loader));
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const ClassLoaderRow& a, const ClassLoaderRow& b) {
    return a.retained > b.retained;
  });
  rows.resize(std::min(rows.size(), most));
  return rows;
}

DuplicateClasses::DuplicateClasses(const Heap& heap, const std::vector<ClassIndex>& classes)
    : heap_(heap) {
  std::map<std::string_view, Group> by_name;
  for (const auto index : classes) {
    by_name[heap.class_name(index)].classes.push_back(index);
  }
  for (auto& [name, group] : by_name) {
    for (const auto index : group.classes) {
      group.loaders.push_back(heap.index().classes[index.value()].loader.value());
    }
    std::sort(group.loaders.begin(), group.loaders.end());
    group.loaders.erase(std::unique(group.loaders.begin(), group.loaders.end()),
                        group.loaders.end());
    if (group.loaders.size() > 1) {
      groups_.push_back(std::move(group));
    }
  }
}

std::map<std::uint32_t, std::uint64_t> DuplicateClasses::by_loader() const {
  std::map<std::uint32_t, std::uint64_t> counts;
  for (const auto& group : groups_) {
    for (const auto index : group.classes) {
      ++counts[heap_.index().classes[index.value()].loader.value()];
    }
  }
  return counts;
}

DuplicateClass DuplicateClasses::row(const Group& group) const {
  DuplicateClass out;
  out.class_name = heap_.class_name(group.classes.front());
  out.count = group.loaders.size();
  for (const auto index : group.classes) {
    const auto& total = heap_.domtree().classes()[index.value()];
    out.instances += total.reachable_instances;
    out.shallow += total.reachable_shallow;
  }
  for (std::size_t i = 0; i < std::min(group.loaders.size(), kMostLoaders); ++i) {
    out.loaders.push_back({.address = heap_.address(group.loaders[i]),
                           .label = heap_.loader_label(ObjectIndex(group.loaders[i]))});
  }
  return out;
}

std::vector<DuplicateClass> DuplicateClasses::rows(std::size_t most) const {
  std::vector<DuplicateClass> rows;
  rows.reserve(groups_.size());
  for (const auto& group : groups_) {
    rows.push_back(row(group));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const DuplicateClass& a, const DuplicateClass& b) {
    return std::tie(a.count, a.shallow) > std::tie(b.count, b.shallow);
  });
  rows.resize(std::min(rows.size(), most));
  return rows;
}

void fetch_loader_fields(const Heap& heap, RecordFetcher& fetcher,
                         std::vector<ClassLoaderRow>& rows) {
  for (auto& row : rows) {
    if (row.address.value == 0) {
      continue;
    }
    fetcher.want(heap.index().addresses.index_of(row.address.value),
                 [&heap, &fetcher, &row](const ObjectRecord& record) {
                   take_parent(heap, record, row);
                   fetcher.want_text(record.reference("name", kClassLoader),
                                     [&row](const JavaText& text) { row.name = text.utf8; });
                 });
  }
}

}  // namespace hprof
