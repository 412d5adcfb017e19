#include "common/output_file.h"
#include "common/steps.h"
#include "common/text.h"
#include "formats/report/path_answer.h"
#include "formats/report/readable_text.h"
#include "formats/report_file.h"
#include "formats/stage_run.h"
#include "tools/hprof-report/commands.h"
#include "tools/hprof-report/heap_caveats.h"
#include "tools/hprof-report/heap_files.h"
#include "tools/hprof-report/paths/path_query.h"
#include "tools/hprof-report/report_options.h"

#include <memory>
#include <string>

namespace hprof {
namespace {

const ToolInfo kTool{
    .name = "hprof-report path",
    .synopsis =
        "hprof-report path [OPTIONS] X.index X.graph X.domtree --to 0xADDRESS|CLASS [-o OUT]",
    .purpose =
        "Tells why an object is alive: the shortest path of references from a GC root, field by "
        "field. Of a class: what the paths to its instances share, and the path to the largest.",
    .example = "hprof-report path app.index app.graph app.domtree --to demo.Session",
};

struct Options : CommonOptions {
  std::string index;
  std::string graph;
  std::string domtree;
  std::string to;
  std::string dump;
  std::string output;
  std::string format;
  std::string detail = "default";
};

bool parse_options(int argc, char** argv, Options& options) {
  OptionParser parser(kTool);
  // clang-format off
  parser.positional("X.index", options.index, "what hprof-index wrote")
      .positional("X.graph", options.graph, "what hprof-graph wrote")
      .positional("X.domtree", options.domtree, "what hprof-domtree wrote")
      .text("to", "0xADDRESS|CLASS", options.to, "the object, or a class by its full Java name")
      .output("OUT", options.output, "the file to write instead of standard output (-); gzipped if it ends in .gz")
      .choice("format,f", options.format, {"md", "json"}, "format; without it OUT's extension decides, else md")
      .choice("detail", options.detail, {"minimal", "default", "max"}, "how much of a long path to show")
      .text("dump", "DUMP", options.dump, "the dump; without it, the file of its name beside X.index or its folder")
      .common(options);
  // clang-format on
  if (!parser.parse(argc, argv)) {
    return false;
  }
  if (options.to.empty()) {
    fail(ExitCode::usage, "--to is missing: the address of an object or the name of a class");
  }
  refuse_overwriting(options.output, {options.index, options.graph, options.domtree, options.dump});
  if (report_format(options.format, options.output) == ReportFormat::html) {
    fail(ExitCode::usage, printable(options.output),
         ": a path is written as Markdown or JSON; name the file .md or .json");
  }
  return true;
}

void write_answer(const PathAnswer& answer, const Options& options) {
  TextOutput out(options.output);
  if (report_format(options.format, options.output) == ReportFormat::json) {
    write_path_json(answer, out);
  } else {
    out.write(md_path_answer(answer));
  }
  out.commit();
}

/// The dump with its places, from the end of the graph file.
std::unique_ptr<DumpSource> open_dump(const std::string& path, const Heap& heap) {
  if (path.empty()) {
    return nullptr;
  }
  auto totals = heap.graph().for_each_object([](const ObjectRow&) {});
  return std::make_unique<DumpSource>(path, heap.files().provenance.dump.dump_number, heap.index(),
                                      std::move(totals.places));
}

ExitCode run(const Options& options) {
  Steps steps(kReportTool, options);
  auto files = HeapFiles::open(options.index, options.graph, options.domtree);
  refuse_overwriting_dump(options.output, files.provenance.dump);
  const auto dump_path = find_optional_dump(options.dump, options.index, files.provenance.dump);
  Heap heap(std::move(files));
  const auto dump = open_dump(dump_path, heap);
  PathQuery query(heap, options.to, dump.get(), detail_caps(options.detail).path_depth);
  const auto caveats = caveats_of(heap);
  warn_of_caveats(caveats, steps);
  const PathAnswer answer{.generator = kReportTool.name + " " + tool_version(),
                          .file_name = readable_text(heap.files().provenance.dump.name),
                          .to = options.to,
                          .caveats = caveats,
                          .targets = query.answer(steps)};
  write_answer(answer, options);
  steps.finish("");
  return ExitCode::ok;
}

}  // namespace

ExitCode path_command(int argc, char** argv) {
  Options options;
  if (!parse_options(argc, argv, options)) {
    return ExitCode::ok;
  }
  return blaming_stage_files(options, [&] { return run(options); });
}

}  // namespace hprof
