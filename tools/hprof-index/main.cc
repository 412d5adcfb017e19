// hprof-index: reads a dump once and writes what it tells, short of the references, as .index.
#include "common/error.h"
#include "common/input_stream.h"
#include "common/options.h"
#include "common/steps.h"
#include "common/text.h"
#include "common/tool.h"
#include "formats/dump_parts.h"
#include "formats/frame_file.h"
#include "formats/hprof_header.h"
#include "formats/index_file.h"
#include "formats/stage_run.h"
#include "index.capnp.h"
#include "tools/hprof-index/estimate.h"
#include "tools/hprof-index/spool.h"
#include "tools/hprof-index/stage.h"

#include <utility>
#include <vector>

namespace {
using namespace hprof;

const ToolInfo kTool{
    .name = "hprof-index",
    .synopsis = "hprof-index [OPTIONS] DUMP -o X.index",
    .purpose = "Reads a heap dump once: classes, threads, roots and the set of object addresses.",
    .example = "hprof-index app.hprof -o out/app.index",
};

struct Options {
  StageOptions stage;
  std::string dump;
  std::uint64_t dump_number = 1;
  bool strict = false;
  bool salvage = false;
  std::string spool;
  std::string roots = "all";
  bool estimate = false;
};

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  OptionParser parser(kTool);
  parser.positional("DUMP", options.dump, "the heap dump, .hprof or gzip")
      .number("dump-number", options.dump_number, 1, 0xffffffffU,
              "which heap of a file that holds several")
      .flag("strict", options.strict, "fail on a damaged dump instead of using what is whole")
      .flag("salvage", options.salvage,
            "read a dump that the JVM could not finish together with its parts DUMP.p0, DUMP.p1 …")
      .text("spool", "DIR", options.spool,
            "save a dump that comes from a pipe or, as \"-\", from standard input there first")
      .choice(
          "roots", options.roots, {"all", "strict"},
          "which GC roots count; strict: none of VM-internal and interned-string kind (Android)")
      .flag("estimate", options.estimate,
            "print what all stages will need for this dump, from a quick look, and do nothing else")
      .stage(options.stage);
  if (!parser.parse(argc, argv)) {
    return std::nullopt;
  }
  if (!options.estimate) {
    require_output(options.stage, kTool, {options.dump});
  }
  options.dump = file_of_dump(options.dump, options.spool);
  return options;
}

std::vector<std::string> options_of(const Options& options, const std::string& parts) {
  std::vector<std::string> out{concat("dump-number=", options.dump_number)};
  for (const auto& [chosen, word] : {std::pair<bool, std::string>(options.strict, "strict"),
                                     {options.salvage, parts},
                                     {options.roots == "strict", "roots=strict"}}) {
    if (chosen) {
      out.push_back(word);
    }
  }
  return out;
}

ExitCode run(const Options& options) {
  Steps steps(kTool, options.stage);
  const auto parts = options.salvage ? measure_parts(options.dump) : std::vector<DumpPart>();
  BufferedInput input(open_dump(options.dump, parts));
  const auto header = read_hprof_header(input, options.dump);
  const auto dump_number = static_cast<std::uint32_t>(options.dump_number);
  const Provenance provenance{.tool = kTool.name,
                              .tool_version = tool_version(),
                              .options = options_of(options, parts_option(parts)),
                              .dump = identify_dump(options.dump, header.timestamp_ms, dump_number),
                              .inputs = {}};
  if (!changed_since(options.dump, parts, options.stage.output) &&
      already_current<schema::IndexFrame>(options.stage, kIndexFile, provenance, steps)) {
    return ExitCode::ok;
  }

  const DumpToRead dump{.path = options.dump,
                        .header = header,
                        .number = dump_number,
                        .parts = parts,
                        .roots = options.roots == "strict" ? RootPolicy::strict : RootPolicy::all};
  const auto index =
      build_index(dump, input, options.strict ? Strictness::strict : Strictness::lenient, steps);
  steps.run("writing",
            [&](Progress&) { return write_index(options.stage.output, provenance, index); });
  count_index(index, steps.stats());
  steps.finish(options.stage.stats);
  return ExitCode::ok;
}
}  // namespace

int main(int argc, char** argv) {
  return hprof::run_tool(kTool, [&] {
    const auto options = parse_options(argc, argv);
    return !options            ? ExitCode::ok
           : options->estimate ? print_estimate(options->dump, options->salvage, options->strict)
                               : run(*options);
  });
}
