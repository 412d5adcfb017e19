#include "tests/unit/hprof-graph/graphed.h"

namespace hprof::test {
namespace {

/// Of a sink that takes objects in any order; so small that an array of 200 references needs more.
constexpr unsigned kSlabBits = 8;

}  // namespace

Graphed::Graphed(const Bytes& bytes, SizeModel model, bool scattered, std::uint64_t hash_mask)
    : index_(index_of(bytes)) {
  const auto shallow_sizes = make_sizes(index_, model);
  const ShallowSizes& sizes = *shallow_sizes;
  const Layouts layouts(index_);
  std::vector<GraphType> types;
  for (const auto& type : index_.types) {
    types.push_back(sizes.describe(type));
  }
  GraphSummary summary{.objects = index_.addresses.size(),
                       .classes = index_.classes.size(),
                       .size_unit = sizes.unit(),
                       .size_model = to_string(model),
                       .java_lang_class = index_.summary.java_lang_class,
                       .class_objects = {},
                       .content_hashes = hash_mask != 0};
  for (const auto& info : index_.classes) {
    summary.class_objects.push_back(info.object.value());
  }
  GraphWriter writer(folder_ / "x.graph", Provenance(), summary, types, {});
  ReferencePass pass(index_, layouts, sizes, types);
  std::unique_ptr<ObjectSink> sink;
  if (scattered || !index_.summary.addresses_ascend) {
    sink = std::make_unique<ScatteredSink>(writer, pass, summary.objects, types, kSlabBits);
  } else {
    sink = std::make_unique<StreamingSink>(writer, pass, summary.objects);
  }
  pass.set_sink(*sink);
  pass.hash_contents(hash_mask);
  read_dump(bytes, pass);
  sink->finish();
  auto result = pass.result(bytes.size());
  totals_ = result.totals;
  excluded_ = std::move(result.excluded);
  writer.commit(excluded_, totals_);
  file_ = std::make_unique<GraphFile>(folder_ / "x.graph");
  graph_ = std::make_unique<ReferenceGraph>(*file_, ReferenceGraph::Excluded::follow);
  file_->for_each_object([this](const ObjectRow& row) {
    shallow_.push_back(row.shallow);
    hashes_.push_back(row.hash);
  });
}

std::uint64_t Graphed::sum() const {
  std::uint64_t total = 0;
  for (const auto bytes : shallow_) {
    total += bytes;
  }
  return total;
}

std::vector<Id> Graphed::addresses(ReferenceGraph::Cursor cursor) const {
  std::vector<Id> out;
  for (std::uint32_t target = 0; cursor.next(target);) {
    out.push_back(index_.addresses.address_at(ObjectIndex(target)));
  }
  return out;
}

Bytes finished(HeapBuilder& heap) {
  heap.finish();
  return heap.bytes();
}

}  // namespace hprof::test
