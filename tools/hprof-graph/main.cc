// hprof-graph: reads a dump a second time and writes every object's class, size and references as
// .graph.
#include "common/error.h"
#include "common/input_stream.h"
#include "common/options.h"
#include "common/steps.h"
#include "common/text.h"
#include "common/tool.h"
#include "formats/graph_writer.h"
#include "formats/hprof_reader.h"
#include "formats/index_file.h"
#include "formats/stage_run.h"
#include "tools/hprof-graph/layouts.h"
#include "tools/hprof-graph/object_sink.h"
#include "tools/hprof-graph/reference_pass.h"
#include "tools/hprof-graph/size_model.h"

#include <memory>
#include <optional>

namespace {
using namespace hprof;

const ToolInfo kTool{
    .name = "hprof-graph",
    .synopsis = "hprof-graph [OPTIONS] X.index -o X.graph",
    .purpose = "Reads the dump again: each object's class, shallow size and references.",
    .example = "hprof-graph out/app.index --dump app.hprof -o out/app.graph",
};

struct Options {
  StageOptions stage;
  std::string index;
  std::string dump;
  std::string sizes = "auto";
};

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  OptionParser parser(kTool);
  parser.positional("X.index", options.index, "what hprof-index wrote")
      .text("dump", "DUMP", options.dump,
            "the dump; without it, the file of its name beside X.index")
      .choice("sizes", options.sizes, {"auto", "mat", "dumped"},
              "shallow sizes by MAT's formulas or as the dump says; auto: dumped for 1.0.3 "
              "(Android), else mat")
      .stage(options.stage);
  if (!parser.parse(argc, argv)) {
    return std::nullopt;
  }
  require_output(options.stage, kTool);
  return options;
}

SizeModel choose_sizes(const std::string& option, const HeapIndex& index) {
  if (option == "auto") {
    return index.summary.format.ends_with("1.0.3") ? SizeModel::dumped : SizeModel::mat;
  }
  return option == "mat" ? SizeModel::mat : SizeModel::dumped;
}

std::vector<GraphType> describe_types(const HeapIndex& index, const ShallowSizes& sizes) {
  std::vector<GraphType> types;
  for (const auto& type : index.types) {
    types.push_back(sizes.describe(type));
  }
  return types;
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

void read_dump(const std::string& path, std::uint32_t dump_number, ReferencePass& pass,
               Progress& progress, Stats& stats) {
  BufferedInput input(open_source(path));
  const auto header = read_hprof_header(input, path);
  const std::uint64_t size = file_size(open_input(path), path);
  HprofReader<ReferencePass> reader(input, header, base_name(path), pass);
  reader.set_input_size(input.source().is_compressed() ? 0 : size);
  reader.read({.number = dump_number},
              [&](std::uint64_t position) { progress.update(position, size); });
  stats.set("passes", 1);
  stats.set("dump_bytes_read", input.source().bytes_read());
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

ExitCode run(const Options& options) {
  Steps steps(kTool, options.stage);
  const auto file =
      steps.run("loading the index", [&](Progress&) { return read_index(options.index); });
  const HeapIndex& index = file.index;
  const auto model = choose_sizes(options.sizes, index);
  const Provenance provenance{.tool = kTool.name,
                              .tool_version = tool_version(),
                              .options = {"sizes=" + to_string(model)},
                              .dump = file.provenance.dump,
                              .inputs = {{.kind = "index", .identity = file.identity}}};
  if (already_current<schema::GraphFrame>(options.stage, kGraphFile, provenance, steps)) {
    return ExitCode::ok;
  }

  const std::string dump = find_dump(options.dump, options.index, file.provenance.dump);
  const ShallowSizes sizes(index, model);
  const Layouts layouts(index);
  const auto types = describe_types(index, sizes);
  const GraphSummary summary{.objects = index.addresses.size(),
                             .classes = index.classes.size(),
                             .size_unit = sizes.unit(),
                             .size_model = to_string(model),
                             .java_lang_class = index.summary.java_lang_class,
                             .class_objects = class_objects(index)};
  GraphWriter writer(options.stage.output, provenance, summary, types, distinct_roots(index));
  ReferencePass pass(index, layouts, sizes, types);
  std::unique_ptr<ObjectSink> sink;
  if (index.summary.addresses_ascend) {
    sink = std::make_unique<StreamingSink>(writer, pass, summary.objects);
  } else {
    sink = std::make_unique<ScatteredSink>(writer, pass, summary.objects, types);
  }
  pass.set_sink(*sink);
  steps.run("reading references", [&](Progress& progress) {
    read_dump(dump, file.provenance.dump.dump_number, pass, progress, steps.stats());
  });
  steps.run("writing", [&](Progress&) {
    sink->finish();
    const auto result = pass.result();
    writer.commit(result.excluded, result.totals);
    count(index, result.totals, steps.stats());
  });
  steps.finish(options.stage.stats);
  return ExitCode::ok;
}
}  // namespace

int main(int argc, char** argv) {
  return hprof::run_tool(kTool, [&] {
    const auto options = parse_options(argc, argv);
    return options ? run(*options) : ExitCode::ok;
  });
}
