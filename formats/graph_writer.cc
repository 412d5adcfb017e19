#include "formats/graph_writer.h"

#include <algorithm>

namespace hprof {
namespace {

using Frame = schema::GraphFrame;

constexpr std::uint32_t kChunkRows = 1U << 18U;
constexpr std::size_t kChunkBytes = 4U << 20U;
constexpr std::uint8_t kEscape = 255;

void write_types(schema::GraphTypeChunk::Builder out, std::span<const GraphType> types) {
  const auto count = static_cast<unsigned>(types.size());
  auto classes = out.initClassIndex(count);
  auto objects = out.initClassObject(count);
  auto kinds = out.initKind(count);
  auto bases = out.initBase(count);
  auto scales = out.initScale(count);
  auto aligns = out.initAlign(count);
  for (unsigned i = 0; i < count; ++i) {
    classes.set(i, types[i].class_index.value());
    objects.set(i, types[i].class_object.value());
    kinds[i] = static_cast<std::uint8_t>(types[i].kind);
    bases.set(i, types[i].base);
    scales.set(i, types[i].scale);
    aligns.set(i, types[i].align);
  }
}

void write_layout(schema::JvmLayout::Builder out, const InferredLayout& inferred) {
  const auto& layout = inferred.layout;
  out.setHeader(static_cast<std::uint8_t>(layout.header));
  out.setReference(static_cast<std::uint8_t>(layout.reference));
  out.setWord(static_cast<std::uint8_t>(layout.word));
  out.setAlignment(layout.alignment);
  out.setArrayBase(static_cast<std::uint8_t>(layout.array_base));
  out.setPacking(layout.packing == FieldPacking::filled ? 0 : 1);
  out.setEqual(inferred.support.equal);
  out.setLarger(inferred.support.larger);
  out.setSmaller(inferred.support.smaller);
  out.setGiven(inferred.support.given);
}

void write_other_sizes(schema::OtherSizes::Builder out, const OtherSizes& sizes) {
  const auto count = static_cast<unsigned>(sizes.rules.size());
  out.setModel(sizes.model);
  auto bases = out.initBase(count);
  auto scales = out.initScale(count);
  auto aligns = out.initAlign(count);
  for (unsigned i = 0; i < count; ++i) {
    bases.set(i, sizes.rules[i].base);
    scales.set(i, sizes.rules[i].scale);
    aligns.set(i, sizes.rules[i].align);
  }
  out.setClassBytes(kj::arrayPtr(sizes.class_bytes.data(), sizes.class_bytes.size()));
}

void write_totals(schema::GraphTotals::Builder out, const GraphTotals& totals) {
  out.setEdges(totals.edges);
  out.setDanglingReferences(totals.dangling_references);
  out.setDanglingInstance(totals.dangling_instance);
  out.setDanglingArray(totals.dangling_array);
  out.setDanglingClass(totals.dangling_class);
  out.setStringsHarvested(totals.strings_harvested);
  out.setStringsFallback(totals.strings_fallback);
  out.setShortInstances(totals.short_instances);
  out.setExcludedEdges(totals.excluded_edges);
  out.setAllShallow(totals.all_shallow);
  out.setHeapEnd(totals.places.end);
}

void write_places(schema::PlaceChunk::Builder out, std::span<const RecordPlace> places) {
  const auto count = static_cast<unsigned>(places.size());
  auto positions = out.initPositions(count);
  auto lefts = out.initLefts(count);
  auto lowest = out.initLowest(count);
  auto highest = out.initHighest(count);
  for (unsigned i = 0; i < count; ++i) {
    positions.set(i, places[i].position);
    lefts.set(i, places[i].left);
    lowest.set(i, places[i].lowest);
    highest.set(i, places[i].highest);
  }
}

void write_heap_runs(schema::HeapRunChunk::Builder out, std::span<const HeapRun> runs) {
  const auto count = static_cast<unsigned>(runs.size());
  auto firsts = out.initFirsts(count);
  auto heaps = out.initHeaps(count);
  for (unsigned i = 0; i < count; ++i) {
    firsts.set(i, runs[i].first);
    heaps[i] = runs[i].heap;
  }
}

template <typename Row, typename Write>
void in_chunks(std::span<const Row> rows, Write&& write) {
  while (!rows.empty()) {
    const auto part = rows.first(std::min<std::size_t>(rows.size(), kChunkRows));
    write(part);
    rows = rows.subspan(part.size());
  }
}

}  // namespace

GraphWriter::GraphWriter(const std::string& path, const Provenance& provenance,
                         const GraphSummary& summary, const std::vector<GraphType>& types,
                         const std::vector<std::uint32_t>& roots)
    : writer_(path, kGraphFile, provenance),
      types_(types),
      objects_(summary.objects),
      has_hashes_(summary.content_hashes) {
  const auto& class_objects = summary.class_objects;
  writer_.append(256 + class_objects.size() * 4, [&](Frame::Builder frame) {
    auto out = frame.initSummary();
    out.setClassObjects(kj::arrayPtr(class_objects.data(), class_objects.size()));
    out.setObjects(summary.objects);
    out.setClasses(summary.classes);
    out.setSizeUnit(summary.size_unit);
    out.setSizeModel(summary.size_model);
    out.setJavaLangClass(summary.java_lang_class.value());
    out.setContentHashes(summary.content_hashes);
    if (summary.layout) {
      write_layout(out.initLayout(), *summary.layout);
    }
  });
  in_chunks(std::span(types), [&](std::span<const GraphType> rows) {
    writer_.append(rows.size() * 29,
                   [&](Frame::Builder frame) { write_types(frame.initTypes(), rows); });
  });
  in_chunks(std::span(roots), [&](std::span<const std::uint32_t> rows) {
    writer_.append(rows.size() * 4, [&](Frame::Builder frame) {
      frame.initRoots().setObjects(kj::arrayPtr(rows.data(), rows.size()));
    });
  });
}

void GraphWriter::add_other_sizes(const OtherSizes& sizes) {
  writer_.append(128 + sizes.rules.size() * 16 + sizes.class_bytes.size() * 8,
                 [&](Frame::Builder frame) { write_other_sizes(frame.initOtherSizes(), sizes); });
}

void GraphWriter::append(std::uint32_t type, std::uint64_t length,
                         std::span<const std::uint8_t> row, std::uint64_t hash) {
  append_varint(type_bytes_, type);
  if (types_[type].has_length()) {
    append_varint(length_bytes_, length);
  }
  if (has_hashes_ && is_primitive_array(types_[type].kind)) {
    hashes_.push_back(hash);
  }
  if (++object_rows_ == kChunkRows) {
    flush_objects();
  }
  append_row(row);
}

void GraphWriter::append_row(std::span<const std::uint8_t> row) {
  if (row.size() < kEscape) {
    row_lengths_.push_back(static_cast<std::uint8_t>(row.size()));
  } else {
    row_lengths_.push_back(kEscape);
    append_varint(row_bytes_, row.size());
  }
  while (row.size() > kChunkBytes) {
    row_bytes_.insert(row_bytes_.end(), row.begin(), row.begin() + kChunkBytes);
    row = row.subspan(kChunkBytes);
    flush_edges();
  }
  row_bytes_.insert(row_bytes_.end(), row.begin(), row.end());
  if (row_lengths_.size() >= kChunkRows || row_bytes_.size() >= kChunkBytes) {
    flush_edges();
  }
}

void GraphWriter::flush_objects() {
  if (object_rows_ == 0) {
    return;
  }
  const std::size_t hash_bytes = hashes_.size() * sizeof(std::uint64_t);
  writer_.append(type_bytes_.size() + length_bytes_.size() + hash_bytes, [&](Frame::Builder frame) {
    auto out = frame.initObjects();
    out.setFirstRow(object_row_);
    out.setRows(object_rows_);
    out.setTypes(as_data(type_bytes_));
    out.setLengths(as_data(length_bytes_));
    if (hash_bytes != 0) {
      out.setHashes(as_data({reinterpret_cast<const std::uint8_t*>(hashes_.data()), hash_bytes}));
    }
  });
  object_row_ += object_rows_;
  object_rows_ = 0;
  type_bytes_.clear();
  length_bytes_.clear();
  hashes_.clear();
}

void GraphWriter::flush_edges() {
  if (row_lengths_.empty() && row_bytes_.empty()) {
    return;
  }
  writer_.append(row_lengths_.size() + row_bytes_.size(), [&](Frame::Builder frame) {
    auto out = frame.initEdges();
    out.setFirstRow(edge_row_);
    out.setRows(static_cast<std::uint32_t>(row_lengths_.size()));
    out.setLengths(as_data(row_lengths_));
    out.setBytes(as_data(row_bytes_));
  });
  edge_row_ += row_lengths_.size();
  row_lengths_.clear();
  row_bytes_.clear();
}

FileIdentity GraphWriter::commit(std::span<const ExcludedReference> excluded,
                                 const GraphTotals& totals) {
  flush_objects();
  flush_edges();
  check(object_row_ == objects_ && edge_row_ == objects_,
        "object rows differ from the object count");
  in_chunks(excluded, [&](std::span<const ExcludedReference> rows) {
    writer_.append(rows.size() * 8, [&](Frame::Builder frame) {
      auto out = frame.initExcluded();
      auto sources = out.initSources(static_cast<unsigned>(rows.size()));
      auto ordinals = out.initOrdinals(static_cast<unsigned>(rows.size()));
      for (unsigned i = 0; i < rows.size(); ++i) {
        sources.set(i, rows[i].source);
        ordinals.set(i, rows[i].ordinal);
      }
    });
  });
  in_chunks(std::span(totals.places.rows), [&](std::span<const RecordPlace> rows) {
    writer_.append(rows.size() * 24,
                   [&](Frame::Builder frame) { write_places(frame.initPlaces(), rows); });
  });
  in_chunks(std::span(totals.heap_runs), [&](std::span<const HeapRun> rows) {
    writer_.append(rows.size() * 5,
                   [&](Frame::Builder frame) { write_heap_runs(frame.initHeapRuns(), rows); });
  });
  writer_.append(256, [&](Frame::Builder frame) { write_totals(frame.initTotals(), totals); });
  return writer_.commit();
}

}  // namespace hprof
