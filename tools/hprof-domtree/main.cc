// hprof-domtree: reads a .graph file, writes immediate dominators and retained sizes as .domtree.
#include "common/error.h"
#include "common/options.h"
#include "common/output_file.h"
#include "common/steps.h"
#include "common/tool.h"
#include "formats/domtree_file.h"
#include "formats/graph_file.h"
#include "formats/stage_run.h"
#include "tools/hprof-domtree/stage.h"
#include "tools/hprof-domtree/verify.h"

#include <optional>
#include <string>

namespace {
using namespace hprof;

const ToolInfo kTool{
    .name = "hprof-domtree",
    .synopsis = "hprof-domtree [OPTIONS] X.graph -o X.domtree",
    .purpose = "Computes each object's immediate dominator and retained size.",
    .example = "hprof-domtree out/app.graph -o out/app.domtree",
};

struct Options {
  StageOptions stage;
  std::string graph;
  TreeOptions tree;
  bool verify = false;
};

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  std::string algorithm = "semi-nca";
  OptionParser parser(kTool);
  parser.positional("X.graph", options.graph, "the file that hprof-graph wrote")
      .choice("algorithm", algorithm, {"semi-nca", "chk"},
              "how dominators are found; the result is the same")
      .flag("skip-excluded", options.tree.skip_excluded,
            "leave weak references out (Reference.referent and the like): what is held strongly")
      .flag("verify", options.verify,
            "check the written tree against the graph; 70 when an identity is broken, 65 when a "
            "file is wrong")
      .stage(options.stage);
  if (!parser.parse(argc, argv)) {
    return std::nullopt;
  }
  options.tree.algorithm = algorithm == "chk" ? Algorithm::chk : Algorithm::semi_nca;
  require_output(options.stage, kTool, {options.graph});
  return options;
}

Provenance provenance_of(const GraphFile& graph, const TreeOptions& options) {
  return {.tool = kTool.name,
          .tool_version = tool_version(),
          .options = result_options(options),
          .dump = graph.provenance().dump,
          .inputs = {{.kind = kGraphFile.name, .identity = graph.identity()}}};
}

/// A file that is wrong does not stay for others to use.
void verify_or_remove(const GraphFile& graph, const Options& options, bool is_new, Steps& steps) {
  try {
    verify_domtree(graph, options.tree, options.stage.output, is_new, steps);
  } catch (const Error&) {
    remove_file(options.stage.output);
    throw;
  }
}

ExitCode run(const Options& options, const GraphFile& graph) {
  const std::string& output = options.stage.output;
  const auto provenance = provenance_of(graph, options.tree);
  Steps steps(kTool, options.stage);
  const bool is_new =
      !already_current<DomtreeFile::Frame>(options.stage, kDomtreeFile, provenance, steps);
  if (is_new) {
    build_domtree(graph, provenance, options.tree, output, steps);
  }
  if (options.verify) {
    verify_or_remove(graph, options, is_new, steps);
  }
  steps.finish(options.stage.stats);
  return ExitCode::ok;
}

}  // namespace

int main(int argc, char** argv) {
  return hprof::run_tool(kTool, [&] {
    const auto options = parse_options(argc, argv);
    if (!options) {
      return ExitCode::ok;
    }
    return placing(printable(options->graph), "run hprof-graph with --force again",
                   [&] { return run(*options, GraphFile(options->graph)); });
  });
}
