// The second reading: types and roots are known from the index and go first, objects follow as the
// dump streams past, in place where its records ascend by address and by way of memory where they
// do not.
#include "tools/hprof-graph/stage.h"

#include "common/error.h"
#include "common/input_file.h"
#include "common/input_stream.h"
#include "common/text.h"
#include "formats/dump_parts.h"
#include "formats/graph_writer.h"
#include "formats/hprof_reader.h"
#include "tools/hprof-graph/layouts.h"
#include "tools/hprof-graph/object_sink.h"
#include "tools/hprof-graph/record_queue.h"
#include "tools/hprof-graph/reference_pass.h"

#include <memory>

namespace hprof {
namespace {

std::vector<GraphType> describe_types(const HeapIndex& index, const ShallowSizes& sizes) {
  std::vector<GraphType> types;
  for (const auto& type : index.types) {
    types.push_back(sizes.describe(type));
  }
  return types;
}

/// What the dump says of the JVM's layout; nothing where it is no JVM's.
std::optional<InferredLayout> layout_of(const HeapIndex& index, const LayoutWishes& wishes) {
  return has_jvm_layout(index) ? std::optional(guess_layout(index, wishes)) : std::nullopt;
}

OtherSizes measure(const HeapIndex& index, SizeModel model, const JvmLayout& layout) {
  const auto sizes = make_sizes(index, model, layout);
  OtherSizes out{.model = to_string(model), .rules = {}, .class_bytes = {}};
  for (const auto& type : index.types) {
    const GraphType row = sizes->describe(type);
    out.rules.push_back({.base = row.base, .scale = row.scale, .align = row.align});
  }
  const GraphType of_classes = sizes->describe(
      {.class_index = index.summary.java_lang_class, .kind = RecordKind::class_object});
  for (const auto& info : index.classes) {
    out.class_bytes.push_back(of_classes.shallow(sizes->static_bytes(info)));
  }
  return out;
}

/// Sizes that rest on a guess are no truth, and that is said.
void warn_of_guess(const std::optional<InferredLayout>& layout, SizeModel model,
                   const Steps& steps) {
  if (model == SizeModel::hotspot && layout && !layout->support.given &&
      confidence_of(layout->support) == Confidence::low) {
    steps.warn(
        "the distances between objects bear out no layout of a JVM, so the sizes are a guess; tell "
        "the layout with --layout");
  }
}

/// MAT's sizes beside the JVM's and the other way round; nothing where they are the same, or where
/// the dump does not tell the JVM's.
std::optional<OtherSizes> other_sizes(const HeapIndex& index, SizeModel model,
                                      const std::optional<InferredLayout>& layout) {
  if (!layout || model == SizeModel::dumped ||
      (model == SizeModel::mat && confidence_of(layout->support) == Confidence::low)) {
    return std::nullopt;
  }
  auto other =
      measure(index, model == SizeModel::mat ? SizeModel::hotspot : SizeModel::mat, layout->layout);
  const auto own = measure(index, model, layout->layout);
  const bool same = own.rules == other.rules && own.class_bytes == other.class_bytes;
  return same ? std::nullopt : std::optional(std::move(other));
}

std::vector<std::uint32_t> class_objects(const HeapIndex& index) {
  std::vector<std::uint32_t> objects;
  for (const auto& info : index.classes) {
    objects.push_back(info.object.value());
  }
  return objects;
}

std::vector<std::uint32_t> distinct_roots(const HeapIndex& index) {
  std::vector<std::uint32_t> roots;
  for (const auto& root : index.roots) {
    if (!root.is_local() && (roots.empty() || roots.back() != root.object.value())) {
      roots.push_back(root.object.value());
    }
  }
  return roots;
}

/// Returns where the heap's last record ends.
std::uint64_t read_dump(const std::string& path, std::uint32_t dump_number,
                        const DumpDamage& damage, ReferencePass& pass, Progress& progress,
                        Stats& stats) {
  BufferedInput input(open_damaged_source(path, damage));
  const auto header = read_hprof_header(input, path);
  const std::uint64_t size = file_size(open_input(path), path);
  RecordQueue queue(pass, header.identifier_size);
  HprofReader<RecordQueue> reader(input, header, base_name(path), queue);
  reader.set_input_size(input.source().is_compressed() ? 0 : size);
  reader.pass_over(damage);
  reader.read({.number = dump_number},
              [&](std::uint64_t position) { progress.update(position, size); });
  queue.flush();
  stats.set("passes", 1);
  stats.set("dump_bytes_read", input.source().bytes_read());
  return reader.heap_end();
}

void count(const HeapIndex& index, const GraphTotals& totals, Stats& stats) {
  stats.set("objects", index.addresses.size());
  stats.set("edges", totals.edges);
  stats.set("excluded_edges", totals.excluded_edges);
  stats.set("dangling_references", totals.dangling_references);
  stats.set("dangling_instance", totals.dangling_instance);
  stats.set("dangling_array", totals.dangling_array);
  stats.set("dangling_class", totals.dangling_class);
  stats.set("string_values_harvested", totals.strings_harvested);
  stats.set("string_values_fallback", totals.strings_fallback);
  stats.set("short_instances", totals.short_instances);
}

std::unique_ptr<ObjectSink> make_sink(const HeapIndex& index, GraphWriter& writer,
                                      ReferencePass& pass, const std::vector<GraphType>& types) {
  if (index.summary.addresses_ascend) {
    return std::make_unique<StreamingSink>(writer, pass, index.addresses.size());
  }
  return std::make_unique<ScatteredSink>(writer, pass, index.addresses.size(), types);
}

}  // namespace

SizeModel choose_sizes(const std::string& option, const HeapIndex& index) {
  if (option == "auto") {
    return has_jvm_layout(index) ? SizeModel::mat : SizeModel::dumped;
  }
  if (option == "hotspot" && !has_jvm_layout(index)) {
    throw_error(ExitCode::usage,
                "--sizes hotspot: the dump is Android's and states true sizes itself; leave the "
                "option out");
  }
  return option == "mat"      ? SizeModel::mat
         : option == "dumped" ? SizeModel::dumped
                              : SizeModel::hotspot;
}

void build_graph(const HeapIndex& index, const std::string& dump_path, const GraphOptions& options,
                 const Provenance& provenance, const std::string& output, Steps& steps) {
  const auto layout = layout_of(index, options.layout);
  warn_of_guess(layout, options.sizes, steps);
  const auto sizes = make_sizes(index, options.sizes, layout ? layout->layout : JvmLayout());
  const Layouts layouts(index);
  const auto types = describe_types(index, *sizes);
  const GraphSummary summary{.objects = index.addresses.size(),
                             .classes = index.classes.size(),
                             .size_unit = sizes->unit(),
                             .size_model = to_string(options.sizes),
                             .java_lang_class = index.summary.java_lang_class,
                             .class_objects = class_objects(index),
                             .content_hashes = options.content_hashes,
                             .layout = layout};
  GraphWriter writer(output, provenance, summary, types, distinct_roots(index));
  if (const auto other = other_sizes(index, options.sizes, layout)) {
    writer.add_other_sizes(*other);
  }
  ReferencePass pass(index, layouts, *sizes, types);
  const auto sink = make_sink(index, writer, pass, types);
  pass.set_dump(printable(dump_path));
  pass.set_sink(*sink);
  if (options.content_hashes) {
    pass.hash_contents(options.hash_mask);
  }
  const std::uint64_t heap_end = steps.run("reading references", [&](Progress& progress) {
    return read_dump(dump_path, provenance.dump.dump_number, index.damage, pass, progress,
                     steps.stats());
  });
  steps.run("writing", [&](Progress&) {
    sink->finish();
    const auto result = pass.result(heap_end);
    writer.commit(result.excluded, result.totals);
    count(index, result.totals, steps.stats());
  });
}

}  // namespace hprof
