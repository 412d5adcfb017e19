#include "tools/hprof-report/overview_filler.h"

#include "common/text.h"
#include "formats/hprof_tags.h"
#include "formats/report/readable_text.h"
#include "tools/hprof-report/coverage_filler.h"
#include "tools/hprof-report/heap_caveats.h"

#include <algorithm>
#include <tuple>

namespace hprof {
namespace {

constexpr std::array kKindNames{"instances", "object arrays", "primitive arrays", "class objects"};
constexpr std::size_t kClassObjects = 3;

std::size_t kind_slot(RecordKind kind) {
  switch (kind) {
    case RecordKind::instance:
      return 0;
    case RecordKind::object_array:
      return 1;
    case RecordKind::class_object:
      return kClassObjects;
    default:
      return 2;
  }
}

std::vector<CensusRow> census(const HeapIndex& index) {
  std::vector<CensusRow> rows;
  for (const auto& tag : index.records) {
    rows.push_back(
        {.record = tag_name(tag.tag), .tag = tag.tag, .count = tag.count, .bytes = tag.bytes});
  }
  for (const auto& tag : index.sub_records) {
    rows.push_back({.record = sub_tag_name(tag.tag),
                    .tag = tag.tag,
                    .heap_record = true,
                    .count = tag.count,
                    .bytes = {}});
  }
  return rows;
}

HistogramRow histogram_row(const Heap& heap, ClassIndex index) {
  const auto& total = heap.domtree().classes()[index.value()];
  const auto loader = heap.index().classes[index.value()].loader;
  return {.class_name = heap.class_name(index),
          .class_address = heap.class_address(index),
          .loader_address = heap.address(loader.value()),
          .loader_label = heap.loader_label(loader),
          .instances = total.reachable_instances,
          .shallow = total.reachable_shallow,
          .retained = total.retained,
          .max_instance_shallow = total.largest_shallow,
          .native = {}};
}

/// What no root retains alone.
std::uint64_t rest_of(std::uint64_t used_heap, const std::vector<RootTypeRow>& rows) {
  std::uint64_t rest = used_heap;
  for (const auto& row : rows) {
    rest -= std::min(rest, row.retained);
  }
  return rest;
}

}  // namespace

OverviewFiller::OverviewFiller(const Heap& heap, const RootKinds& kinds)
    : heap_(heap), roots_(kinds), other_(heap), heaps_(heap) {
  for (const auto& type : heap.graph().types()) {
    const auto slot = kind_slot(type.kind);
    slots_.push_back(static_cast<std::uint8_t>(slot));
    loads_.push_back(slot == kClassObjects ||
                     (slot == 0 && heap.is_loader_class(type.class_index)));
  }
}

void OverviewFiller::add_loading(const HeapObject& object) {
  if (slots_[object.type] != kClassObjects) {
    loader_objects_.push_back(object.index);
  } else if (const auto index = heap_.represented(object); !index.is_none()) {
    reachable_classes_.push_back(index);
  }
}

std::vector<CompositionRow> OverviewFiller::rows_of(const Kinds& kinds) {
  std::vector<CompositionRow> rows;
  for (std::size_t i = 0; i < kKinds; ++i) {
    rows.push_back(
        {.kind = kKindNames.at(i), .objects = kinds.at(i).objects, .shallow = kinds.at(i).shallow});
  }
  return rows;
}

/// Loader objects, and what reachable classes name as their loader.
std::uint64_t OverviewFiller::count_loaders() const {
  auto loaders = loader_objects_;
  for (const auto index : reachable_classes_) {
    loaders.push_back(heap_.index().classes[index.value()].loader.value());
  }
  std::sort(loaders.begin(), loaders.end());
  return static_cast<std::uint64_t>(std::unique(loaders.begin(), loaders.end()) - loaders.begin());
}

void OverviewFiller::fill_file(Overview& out, const std::string& dump_path) const {
  const auto& dump = heap_.files().provenance.dump;
  const auto& summary = heap_.index().summary;
  out.file_path = readable_text(dump_path.empty() ? dump.name : dump_path);
  out.file_name = readable_text(dump.name);
  out.file_size = dump.size_bytes;
  out.format = readable_text(summary.format);
  out.identifier_size_bits = std::uint64_t{summary.identifier_size} * 8;
  out.compressed_oops = summary.reference_size < summary.identifier_size;
  out.object_alignment = summary.object_alignment;
  out.dump_creation_ms = dump.timestamp_ms + summary.dump_micros / 1000;
  out.dump_number = dump.dump_number;
  out.dumps_in_file = summary.dumps_in_file;
  out.record_census = census(heap_.index());
  out.coverage = fill_coverage(heap_.index());
}

void OverviewFiller::fill_totals(Overview& out, const GraphTotals& totals) const {
  const auto& tree = heap_.domtree().summary();
  const auto& summary = heap_.index().summary;
  out.total_objects = tree.reachable_objects;
  out.total_shallow = tree.reachable_shallow;
  out.gc_roots = tree.roots;
  out.classes_loaded = reachable_classes_.size();
  out.classloaders_loaded = count_loaders();
  out.unreachable_count = tree.unreachable_objects;
  out.unreachable_shallow = tree.unreachable_shallow;
  out.all_objects = heap_.objects();
  out.all_shallow = totals.all_shallow;
  out.size_model = heap_.graph().summary().size_model;
  out.heap_layout = fill_layout(heap_.graph().summary());
  out.used_heap_mat = other_.used_heap("mat");
  out.used_heap_hotspot = other_.used_heap("hotspot");
  out.android_heaps = heaps_.rows();
  const auto caveats = caveats_of(heap_);
  out.root_policy = caveats.root_policy;
  out.reference_policy = caveats.reference_policy;
  out.roots_left_out = caveats.roots_left_out;
  out.impossible_size = caveats.impossible_size;
  out.dangling_references = totals.dangling_references;
  out.dangling_roots = summary.dangling_roots;
  out.lost_locals = summary.lost_locals;
  out.duplicate_ids = summary.duplicate_ids;
  out.fake_classes = summary.fake_classes;
}

void OverviewFiller::fill_histograms(Overview& out) const {
  for (const auto index : reachable_classes_) {
    out.histogram.push_back(histogram_row(heap_, index));
  }
  std::stable_sort(
      out.histogram.begin(), out.histogram.end(),
      [](const HistogramRow& a, const HistogramRow& b) { return a.retained > b.retained; });
  const auto& totals = heap_.domtree().classes();
  for (std::uint32_t row = 0; row < totals.size(); ++row) {
    if (totals[row].unreachable_instances != 0) {
      out.unreachable_histogram.push_back({.class_name = heap_.class_name(ClassIndex(row)),
                                           .class_address = heap_.class_address(ClassIndex(row)),
                                           .instances = totals[row].unreachable_instances,
                                           .shallow = totals[row].unreachable_shallow});
    }
  }
  std::stable_sort(
      out.unreachable_histogram.begin(), out.unreachable_histogram.end(),
      [](const UnreachableRow& a, const UnreachableRow& b) { return a.shallow > b.shallow; });
}

Overview OverviewFiller::overview(const GraphTotals& totals, const std::string& dump_path) const {
  Overview out;
  fill_file(out, dump_path);
  fill_totals(out, totals);
  out.gc_roots_by_type = roots_.rows();
  out.held_by_several_roots = rest_of(out.total_shallow, out.gc_roots_by_type);
  out.heap_composition = rows_of(reachable_);
  fill_histograms(out);
  return out;
}

Unreachable OverviewFiller::unreachable() const {
  const auto& tree = heap_.domtree().summary();
  return {.objects = tree.unreachable_objects,
          .shallow = tree.unreachable_shallow,
          .composition = rows_of(unreachable_),
          .garbage = {}};
}

}  // namespace hprof
