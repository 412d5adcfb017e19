#include "formats/graph_file.h"

#include <algorithm>

namespace hprof {
namespace {

using Frame = schema::GraphFrame;

InferredLayout read_layout(schema::JvmLayout::Reader in) {
  return {
      .layout = {.header = in.getHeader(),
                 .reference = in.getReference(),
                 .word = in.getWord(),
                 .alignment = in.getAlignment(),
                 .array_base = in.getArrayBase(),
                 .packing = in.getPacking() == 0 ? FieldPacking::filled : FieldPacking::stacked},
      .support = {.equal = in.getEqual(),
                  .larger = in.getLarger(),
                  .smaller = in.getSmaller(),
                  .given = in.getGiven()}};
}

GraphSummary read_summary(schema::GraphSummary::Reader in) {
  std::vector<std::uint32_t> class_objects;
  for (const auto object : in.getClassObjects()) {
    class_objects.push_back(object);
  }
  return {.objects = in.getObjects(),
          .classes = in.getClasses(),
          .size_unit = in.getSizeUnit(),
          .size_model = in.getSizeModel(),
          .java_lang_class = ClassIndex(in.getJavaLangClass()),
          .class_objects = std::move(class_objects),
          .content_hashes = in.getContentHashes(),
          .layout = in.hasLayout() ? std::optional(read_layout(in.getLayout())) : std::nullopt};
}

void check_summary(const GraphSummary& summary, const std::string& path) {
  if (summary.objects > kMostObjects || summary.classes > summary.objects ||
      summary.size_unit == 0 || summary.java_lang_class.value() >= summary.classes ||
      summary.class_objects.size() != summary.classes ||
      std::any_of(summary.class_objects.begin(), summary.class_objects.end(),
                  [&](std::uint32_t object) { return object >= summary.objects; })) {
    fail(ExitCode::bad_data, printable(path),
         ": impossible counts in the summary; run hprof-graph with --force again");
  }
}

void append_types(schema::GraphTypeChunk::Reader in, const GraphSummary& summary,
                  const std::string& path, std::vector<GraphType>& out) {
  const auto aligns = in.getAlign();
  const auto bases = in.getBase();
  const auto class_indices = in.getClassIndex();
  const auto class_objects = in.getClassObject();
  const auto scales = in.getScale();
  const auto kinds = in.getKind();
  const bool even = class_indices.size() == kinds.size() && class_objects.size() == kinds.size() &&
                    bases.size() == kinds.size() && scales.size() == kinds.size() &&
                    aligns.size() == kinds.size();
  for (unsigned i = 0; even && i < kinds.size(); ++i) {
    out.push_back({.class_index = ClassIndex(class_indices[i]),
                   .class_object = ObjectIndex(class_objects[i]),
                   .kind = static_cast<RecordKind>(kinds[i]),
                   .base = bases[i],
                   .scale = scales[i],
                   .align = aligns[i]});
    const auto& type = out.back();
    if (type.class_index.value() >= summary.classes ||
        type.class_object.value() != summary.class_objects[type.class_index.value()] ||
        type.align == 0) {
      fail(ExitCode::bad_data, printable(path),
           ": a type is none of a class; run hprof-graph with --force again");
    }
  }
  if (!even) {
    fail(ExitCode::bad_data, printable(path),
         ": uneven type columns; run hprof-graph with --force again");
  }
}

OtherSizes read_other_sizes(schema::OtherSizes::Reader in, std::size_t types,
                            const GraphSummary& summary, const std::string& path) {
  OtherSizes out{.model = in.getModel(), .rules = {}, .class_bytes = {}};
  const auto bases = in.getBase();
  const auto scales = in.getScale();
  const auto aligns = in.getAlign();
  bool good = bases.size() == types && scales.size() == types && aligns.size() == types &&
              in.getClassBytes().size() == summary.classes;
  for (unsigned i = 0; good && i < types; ++i) {
    out.rules.push_back({.base = bases[i], .scale = scales[i], .align = aligns[i]});
    good = aligns[i] != 0;
  }
  if (!good) {
    fail(ExitCode::bad_data, printable(path),
         ": uneven columns of other sizes; run hprof-graph with --force again");
  }
  for (const auto bytes : in.getClassBytes()) {
    out.class_bytes.push_back(bytes);
  }
  return out;
}

void append_roots(schema::RootSet::Reader in, const GraphSummary& summary, const std::string& path,
                  std::vector<std::uint32_t>& out) {
  for (const auto root : in.getObjects()) {
    if (root >= summary.objects || (!out.empty() && root <= out.back())) {
      fail(ExitCode::bad_data, printable(path),
           ": a root is out of range or order; run hprof-graph with --force again");
    }
    out.push_back(root);
  }
}

}  // namespace

GraphFile::GraphFile(std::string path) : path_(std::move(path)) {
  FrameReader<Frame> reader(path_, kGraphFile);
  provenance_ = reader.provenance();
  identity_ = reader.quick_identity();
  bool has_summary = false;
  reader.for_each_until([&](Frame::Reader frame) {
    switch (frame.which()) {
      case Frame::SUMMARY:
        summary_ = read_summary(frame.getSummary());
        check_summary(summary_, path_);
        has_summary = true;
        return true;
      case Frame::TYPES:
        append_types(frame.getTypes(), summary_, path_, types_);
        return true;
      case Frame::ROOTS:
        append_roots(frame.getRoots(), summary_, path_, roots_);
        return true;
      case Frame::OTHER_SIZES:
        other_sizes_ = read_other_sizes(frame.getOtherSizes(), types_.size(), summary_, path_);
        return true;
      default:
        return false;
    }
  });
  if (!has_summary) {
    fail(ExitCode::bad_data, printable(path_),
         ": has no summary; run hprof-graph with --force again");
  }
}

std::vector<HeapRun> GraphFile::read_heap_runs() const {
  FrameReader<Frame> reader(path_, kGraphFile);
  std::vector<HeapRun> runs;
  reader.for_each([&](Frame::Reader frame) {
    if (frame.which() != Frame::HEAP_RUNS) {
      return;
    }
    const auto firsts = frame.getHeapRuns().getFirsts();
    const auto heaps = frame.getHeapRuns().getHeaps();
    if (firsts.size() != heaps.size()) {
      throw_unplaced("uneven columns of heaps");
    }
    for (unsigned i = 0; i < firsts.size(); ++i) {
      if (!runs.empty() && firsts[i] <= runs.back().first) {
        throw_unplaced("heaps are out of order");
      }
      runs.push_back({.first = firsts[i], .heap = heaps[i]});
    }
  });
  return runs;
}

GraphTotals read_totals(schema::GraphTotals::Reader in) {
  return {.edges = in.getEdges(),
          .dangling_references = in.getDanglingReferences(),
          .dangling_instance = in.getDanglingInstance(),
          .dangling_array = in.getDanglingArray(),
          .dangling_class = in.getDanglingClass(),
          .strings_harvested = in.getStringsHarvested(),
          .strings_fallback = in.getStringsFallback(),
          .short_instances = in.getShortInstances(),
          .excluded_edges = in.getExcludedEdges(),
          .all_shallow = in.getAllShallow(),
          .places = {.rows = {}, .end = in.getHeapEnd()},
          .heap_runs = {}};
}

void append_places(schema::PlaceChunk::Reader in, std::vector<RecordPlace>& out) {
  const auto positions = in.getPositions();
  const auto lefts = in.getLefts();
  const auto lowest = in.getLowest();
  const auto highest = in.getHighest();
  const bool even = lefts.size() == positions.size() && lowest.size() == positions.size() &&
                    highest.size() == positions.size();
  for (unsigned i = 0; even && i < positions.size(); ++i) {
    if (!out.empty() && positions[i] <= out.back().position) {
      throw_unplaced("places in the dump are out of order");
    }
    out.push_back(
        {.position = positions[i], .left = lefts[i], .lowest = lowest[i], .highest = highest[i]});
  }
  if (!even) {
    throw_unplaced("uneven columns of places");
  }
}

}  // namespace hprof
