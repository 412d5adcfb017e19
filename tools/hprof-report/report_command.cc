#include "common/error.h"
#include "common/input_file.h"
#include "common/open_source.h"
#include "common/output_file.h"
#include "common/steps.h"
#include "common/text.h"
#include "formats/report/sections.h"
#include "formats/report_file.h"
#include "formats/stage_run.h"
#include "tools/hprof-report/android/name_mapper.h"
#include "tools/hprof-report/collections/collection_rules.h"
#include "tools/hprof-report/commands.h"
#include "tools/hprof-report/heap_files.h"
#include "tools/hprof-report/report_filler.h"
#include "tools/hprof-report/report_options.h"

#include <optional>
#include <string>
#include <vector>

namespace hprof {

const ToolInfo kReportTool{
    .name = "hprof-report",
    .synopsis = "hprof-report [OPTIONS] X.index X.graph X.domtree [-o OUT]",
    .purpose =
        "Writes the report on a heap dump from its stage files.\n"
        "Further commands, each with a --help of its own:\n"
        "  hprof-report export X.index X.graph X.domtree     write the heap for other tools, e.g. "
        "as "
        "SQLite\n"
        "  hprof-report objects X.index X.graph X.domtree    list every reachable object as CSV\n"
        "  hprof-report path X.index X.graph X.domtree --to  tell why an object or a class is "
        "alive\n"
        "  hprof-report render REPORT.json                   print a finished report in another "
        "format\n"
        "  hprof-report diff A.json B.json [C.json …]        compare reports of several dumps\n"
        "  hprof-report check REPORT.json --fail-on RULE     fail where a report breaks a rule\n"
        "  hprof-report emit-schema                          print the JSON schema of the report",
    .example = "hprof-report app.index app.graph app.domtree -o app.report.md",
};

namespace {

/// What can be wrong about the options, before the work begins; what comes from a stream is read
/// later, since it can be read once only.
void check_early(const ReportOptions& options) {
  if (!options.sections.empty()) {
    parse_sections(options.sections);
  }
  if (!options.collection_rules.empty() && !is_stream(options.collection_rules)) {
    read_collection_rules(options.collection_rules);
  }
  if (!options.mapping.empty() && !is_stream(options.mapping)) {
    open_source(options.mapping);
  }
  if (!options.output.empty()) {
    require_creatable(options.output);
  }
}

bool parse_options(int argc, char** argv, ReportOptions& options) {
  OptionParser parser(kReportTool);
  // clang-format off
  parser.positional("X.index", options.index, "what hprof-index wrote")
      .positional("X.graph", options.graph, "what hprof-graph wrote")
      .positional("X.domtree", options.domtree, "what hprof-domtree wrote")
      .output("OUT", options.output, "the file to write instead of standard output (-); gzipped if it ends in .gz")
      .choice("format,f", options.format, report_format_words(), "format; without it OUT's extension decides, else md")
      .choice("detail", options.detail, {"minimal", "default", "max"}, "how much to show")
      .text("sections", "LIST", options.sections, "only these sections, e.g. summary,leaks")
      .flag("show-values", options.show_values, "show texts from the heap")
      .flag("show-secrets", options.show_secrets, "show system properties that look like secrets")
      .texts("dominators-of", "CLASS", options.dominators_of, "say who holds the objects of this class; may be given again; without it the largest skipped classes")
      .text("skip-classes", "PATTERN", options.skip_classes, "classes that are no holders there: names with *, separated by |")
      .flag("find-duplicates", options.find_duplicates, "look for equal Strings, arrays and boxed numbers; needs hprof-graph --content-hashes")
      .text("dump", "DUMP", options.dump, "the dump; without it, the file of its name beside X.index or its folder")
      .flag("collections", options.collections, "also tell which fields hold the collections, and what is in them")
      .text("collection-rules", "FILE", options.collection_rules, "the rules by which collections are known; without it share/hprof-stages/collections.json")
      .text("mapping", "FILE", options.mapping, "the mapping.txt of R8 or ProGuard: classes and fields get their first names back")
      .file("stats", "FILE.json", options.stats, "write the counters of this run")
      .hidden_number("leak-percent", options.leak_percent, 1, 100)
      .hidden_flag("check-options", options.check_options)
      .common(options);
  // clang-format on
  if (!parser.parse(argc, argv)) {
    return false;
  }
  const std::vector<std::string> inputs{
      options.index,  options.graph, options.domtree, options.dump, options.collection_rules,
      options.mapping};
  refuse_overwriting(options.output, inputs);
  refuse_overwriting(options.stats, inputs);
  refuse_same_output({options.output, options.stats});
  report_format(options.format, options.output);
  check_early(options);
  return !options.check_options;
}

void require_hashes(const ReportOptions& options, const GraphFile& graph) {
  if (options.find_duplicates && !graph.summary().content_hashes) {
    fail(ExitCode::stale, printable(options.graph),
         ": has no content hashes, which --find-duplicates needs; run hprof-graph with "
         "--content-hashes again");
  }
}

void warn_of_vain_mapping(const NameMapping& mapping, const ReportOptions& options,
                          const Steps& steps) {
  if (mapping.classes == 0 && mapping.fields_named == 0) {
    steps.warn(concat(printable(options.mapping),
                      ": renames no class or field of this heap; is it the mapping file of this "
                      "version of the app?"));
  }
}

ExitCode run(const ReportOptions& options) {
  Steps steps(kReportTool, options);
  std::string dump;
  std::optional<NameMapping> mapping;
  Heap heap = steps.run("stage files", [&](Progress&) {
    auto files = HeapFiles::open(options.index, options.graph, options.domtree);
    refuse_overwriting_dump(options.output, files.provenance.dump);
    dump = find_optional_dump(options.dump, options.index, files.provenance.dump);
    require_hashes(options, files.graph);
    if (!options.mapping.empty()) {
      mapping = map_names(files.index, options.mapping);
      warn_of_vain_mapping(*mapping, options, steps);
    }
    return Heap(std::move(files));
  });
  Report report = ReportFiller(heap, steps, options, dump).fill();
  report.overview.mapping = mapping;
  steps.run("report", [&](Progress&) {
    write_report(report, report_format(options.format, options.output), options.output);
  });
  steps.finish(options.stats);
  return ExitCode::ok;
}

}  // namespace

ExitCode report_command(int argc, char** argv) {
  ReportOptions options;
  if (!parse_options(argc, argv, options)) {
    return ExitCode::ok;
  }
  return blaming_stage_files(options, [&] { return run(options); });
}

}  // namespace hprof
