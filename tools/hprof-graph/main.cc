// hprof-graph: reads a dump a second time and writes every object's class, size and references as
// .graph.
#include "common/error.h"
#include "common/options.h"
#include "common/steps.h"
#include "common/text.h"
#include "common/tool.h"
#include "formats/index_file.h"
#include "formats/stage_run.h"
#include "graph.capnp.h"
#include "tools/hprof-graph/stage.h"

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
  std::string layout;
  bool content_hashes = false;
  bool check_options = false;  ///< hidden; hprof-analyze asks before hprof-index runs
};

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  OptionParser parser(kTool);
  parser.positional("X.index", options.index, "what hprof-index wrote")
      .text("dump", "DUMP", options.dump,
            "the dump; without it, the file of its name beside X.index")
      .choice("sizes", options.sizes, {"auto", "mat", "dumped", "hotspot"},
              "shallow sizes by MAT's formulas, as the dump says, or as the JVM itself counts; "
              "auto: dumped for 1.0.3 (Android), else mat")
      .text("layout", "KEY=VALUE,...", options.layout,
            "with --sizes hotspot, what is not to be inferred: header=8|12|16, ref=4|8, "
            "align=8...256, array=12|16|20|24 (bytes before elements), fields=filled|stacked "
            "(JDK 15 and later, or before)")
      .flag("content-hashes", options.content_hashes,
            "hash the contents of primitive arrays, for hprof-report --find-duplicates")
      .hidden_flag("check-options", options.check_options)
      .stage(options.stage);
  if (!parser.parse(argc, argv)) {
    return std::nullopt;
  }
  parse_layout(options.layout);
  if (!options.layout.empty() && options.sizes != "hotspot") {
    throw_error(ExitCode::usage, "--layout goes with --sizes hotspot; see --help");
  }
  if (options.check_options) {
    return std::nullopt;
  }
  require_output(options.stage, kTool, {options.index, options.dump});
  return options;
}

ExitCode run(const Options& options) {
  Steps steps(kTool, options.stage);
  const auto file =
      steps.run("loading the index", [&](Progress&) { return read_index(options.index); });
  const HeapIndex& index = file.index;
  const auto model = choose_sizes(options.sizes, index);
  std::vector<std::string> result_options{"sizes=" + to_string(model)};
  if (!options.layout.empty()) {
    result_options.push_back("layout=" + options.layout);
  }
  if (options.content_hashes) {
    result_options.emplace_back("content-hashes");
  }
  const Provenance provenance{.tool = kTool.name,
                              .tool_version = tool_version(),
                              .options = std::move(result_options),
                              .dump = file.provenance.dump,
                              .inputs = {{.kind = "index", .identity = file.identity}}};
  if (already_current<schema::GraphFrame>(options.stage, kGraphFile, provenance, steps)) {
    return ExitCode::ok;
  }

  const std::string dump = find_dump(options.dump, options.index, file.provenance.dump);
  build_graph(index, dump,
              {.sizes = model,
               .layout = parse_layout(options.layout),
               .content_hashes = options.content_hashes},
              provenance, options.stage.output, steps);
  steps.finish(options.stage.stats);
  return ExitCode::ok;
}
}  // namespace

int main(int argc, char** argv) {
  return hprof::run_tool(kTool, [&] {
    const auto options = parse_options(argc, argv);
    return options ? placing(printable(options->index), "run hprof-index with --force again",
                             [&] { return run(*options); })
                   : ExitCode::ok;
  });
}
