#include "tools/hprof-report/export/tables.h"

#include "common/text.h"
#include "formats/export/csv.h"

#include <algorithm>

namespace hprof {
namespace {

bool has_objects(const ClassTotal& total) {
  return total.reachable_instances != 0 || total.unreachable_instances != 0;
}

std::string address_of(const Heap& heap, std::uint32_t object) {
  return hex_address(heap.address(object).value);
}

std::string histogram_line(const Heap& heap, std::uint32_t row) {
  const auto& info = heap.index().classes[row];
  const auto& total = heap.domtree().classes()[row];
  return csv_line({csv_text(heap.class_name(ClassIndex(row))), hex_address(info.address),
                   csv_text(heap.loader_label(info.loader)),
                   std::to_string(total.reachable_instances),
                   std::to_string(total.reachable_shallow), std::to_string(total.largest_shallow),
                   std::to_string(total.retained), std::to_string(total.unreachable_instances),
                   std::to_string(total.unreachable_shallow)});
}

/// Reachable objects that retain that much, ascending by index.
std::vector<std::uint32_t> large_objects(const Heap& heap, std::uint64_t least_bytes) {
  std::vector<std::uint32_t> objects;
  for (std::uint32_t object = 0; object < heap.objects(); ++object) {
    if (heap.dominators()[object] != kUnreachable && heap.retained()[object] >= least_bytes) {
      objects.push_back(object);
    }
  }
  return objects;
}

std::string dominator_line(const Heap& heap, const HeapObject& object) {
  return csv_line({address_of(heap, object.index), csv_text(heap.class_name(heap.class_of(object))),
                   csv_text(heap.label(object)), std::to_string(object.shallow),
                   std::to_string(object.retained),
                   object.top_level() ? "ROOT" : address_of(heap, object.dominator)});
}

}  // namespace

void note_loaders(Heap& heap) {
  heap.graph().for_each_object(
      [&](const ObjectRow& row) { heap.note_loader({.index = row.index, .type = row.type}); });
}

void write_histogram_csv(const Heap& heap, TextSink& out) {
  const auto& totals = heap.domtree().classes();
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < totals.size(); ++row) {
    if (has_objects(totals[row])) {
      rows.push_back(row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return totals[a].retained > totals[b].retained;
  });
  out.write(
      "class,class_address,class_loader,instances,shallow,largest,retained,unreachable_instances,"
      "unreachable_shallow\n");
  for (const auto row : rows) {
    out.write(histogram_line(heap, row));
  }
}

std::uint64_t write_dominators_csv(Heap& heap, std::uint64_t least_bytes, std::size_t most_rows,
                                   TextSink& out) {
  heap.load_tree();
  auto objects = large_objects(heap, least_bytes);
  const std::uint64_t found = objects.size();
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return heap.retained()[a] != heap.retained()[b] ? heap.retained()[a] > heap.retained()[b]
                                                    : a < b;
  };
  if (objects.size() > most_rows) {
    std::nth_element(objects.begin(), objects.begin() + static_cast<std::ptrdiff_t>(most_rows),
                     objects.end(), before);
    objects.resize(most_rows);
    objects.shrink_to_fit();
  }
  heap.release_dominators();
  heap.release_retained();
  std::sort(objects.begin(), objects.end());
  auto described = heap.describe(objects);
  std::stable_sort(
      described.begin(), described.end(),
      [](const HeapObject& a, const HeapObject& b) { return a.retained > b.retained; });
  out.write("address,class,object,shallow,retained,dominator\n");
  for (const auto& object : described) {
    out.write(dominator_line(heap, object));
  }
  return found;
}

}  // namespace hprof
