#include "common/output_file.h"
#include "common/steps.h"
#include "common/text.h"
#include "common/utf8.h"
#include "formats/export/stack_formats.h"
#include "formats/report_file.h"
#include "formats/stage_run.h"
#include "tools/hprof-report/commands.h"
#include "tools/hprof-report/export/dominator_stacks.h"
#include "tools/hprof-report/export/heap_database.h"
#include "tools/hprof-report/export/tables.h"
#include "tools/hprof-report/heap_caveats.h"
#include "tools/hprof-report/heap_files.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace hprof {
namespace {

const ToolInfo kTool{
    .name = "hprof-report export",
    .synopsis =
        "hprof-report export [OPTIONS] X.index X.graph X.domtree --as "
        "folded|pprof|speedscope|csv|sqlite [-o OUT]",
    .purpose =
        "Writes the heap for other tools: the dominator tree, merged by class, for flame graphs, "
        "pprof and speedscope; the histogram or the largest objects as CSV; all objects and "
        "references as an SQLite database.",
    .example = "hprof-report export app.index app.graph app.domtree --as sqlite -o app.sqlite",
};

struct Options : CommonOptions {
  std::string index;
  std::string graph;
  std::string domtree;
  std::string as;
  std::string output;
  std::string table = "histogram";
  std::uint64_t least_bp = 1;
  std::uint64_t depth = 200;
  std::string dump;
  bool show_values = false;
};

/// An option that acts on some formats only.
struct OptionUse {
  std::string_view option;
  std::string_view formats;  ///< of CSV the tables
  std::string_view where;    ///< the same in words
};

constexpr std::array<OptionUse, 5> kOptionUses{{
    {"--table", "histogram dominators", "csv"},
    {"--depth", "folded pprof speedscope", "folded, pprof or speedscope"},
    {"--least", "folded pprof speedscope dominators",
     "folded, pprof, speedscope or csv --table dominators"},
    {"--dump", "sqlite", "sqlite"},
    {"--show-values", "sqlite", "sqlite"},
}};

/// Extensions that tell the format; a file of another one would mislead whoever opens it.
struct Extension {
  std::string_view word;
  std::string_view format;
};

constexpr std::array<Extension, 12> kExtensions{{
    {"csv", "csv"},
    {"json", "speedscope"},
    {"speedscope", "speedscope"},
    {"folded", "folded"},
    {"pprof", "pprof"},
    {"pb", "pprof"},
    {"sqlite", "sqlite"},
    {"sqlite3", "sqlite"},
    {"db", "sqlite"},
    {"html", ""},
    {"htm", ""},
    {"md", ""},
}};

bool lists(std::string_view formats, const std::string& format) {
  return (" " + std::string(formats) + " ").find(" " + format + " ") != std::string::npos;
}

void refuse_vain_options(int argc, char** argv, const Options& options) {
  for (const auto& use : kOptionUses) {
    const bool given = std::any_of(argv + 1, argv + argc, [&](const char* argument) {
      const std::string_view word = argument;
      return word.substr(0, word.find('=')) == use.option;
    });
    if (given && !lists(use.formats, options.as == "csv" ? options.table : options.as)) {
      fail(ExitCode::usage, use.option, " goes with --as ", use.where, " only; leave it out");
    }
  }
}

void refuse_misleading_name(const Options& options) {
  const std::string name = lower_case(base_name(options.output));
  const std::string plain = name.ends_with(".gz") ? name.substr(0, name.size() - 3) : name;
  const auto dot = plain.rfind('.');
  const std::string word = dot == std::string::npos ? "" : plain.substr(dot + 1);
  const auto* const found =
      std::find_if(kExtensions.begin(), kExtensions.end(),
                   [&](const Extension& extension) { return extension.word == word; });
  if (found != kExtensions.end() && found->format != options.as) {
    fail(ExitCode::usage, printable(options.output), ": is no name for what --as ", options.as,
         " writes; choose another extension than .", word);
  }
}

bool parse_options(int argc, char** argv, Options& options) {
  OptionParser parser(kTool);
  // clang-format off
  parser.positional("X.index", options.index, "what hprof-index wrote")
      .positional("X.graph", options.graph, "what hprof-graph wrote")
      .positional("X.domtree", options.domtree, "what hprof-domtree wrote")
      .choice("as", options.as, {"folded", "pprof", "speedscope", "csv", "sqlite"}, "the format")
      .output("OUT", options.output, "the file to write instead of standard output (-); gzipped if it ends in .gz")
      .choice("table", options.table, {"histogram", "dominators"}, "what to write as CSV: classes, or the objects that retain most")
      .number("least", options.least_bp, 0, 10000, "hundredths of a percent of the heap that a frame or a row of dominators retains at least; frames below go to \"(other)\"")
      .number("depth", options.depth, 1, StackLimits::kMostDepth, "frames of a stack at most; what is deeper goes to \"(other)\"")
      .text("dump", "DUMP", options.dump, "for sqlite, the dump; without it, the file of its name beside X.index or its folder")
      .flag("show-values", options.show_values, "for sqlite, also the texts of Strings; needs the dump")
      .common(options);
  // clang-format on
  if (!parser.parse(argc, argv)) {
    return false;
  }
  if (options.as.empty()) {
    fail(ExitCode::usage, "--as is missing: folded, pprof, speedscope, csv or sqlite");
  }
  if (options.as == "sqlite" && options.output.empty()) {
    fail(ExitCode::usage, "-o is missing: an SQLite database cannot go to standard output");
  }
  refuse_vain_options(argc, argv, options);
  if (options.as == "sqlite" && options.output.ends_with(".gz")) {
    fail(ExitCode::usage, "an SQLite database is not written gzipped; name the file without .gz");
  }
  refuse_misleading_name(options);
  refuse_overwriting(options.output, {options.index, options.graph, options.domtree, options.dump});
  return true;
}

/// The share in bytes, rounded up.
std::uint64_t least_bytes(const Heap& heap, std::uint64_t basis_points) {
  constexpr std::uint64_t kWhole = 10000;
  const std::uint64_t heap_bytes = heap.used_heap();
  return heap_bytes / kWhole * basis_points +
         (heap_bytes % kWhole * basis_points + kWhole - 1) / kWhole;
}

void export_stacks(const Heap& heap, const Options& options, Steps& steps) {
  const StackLimits limits{.least_bytes = least_bytes(heap, options.least_bp),
                           .depth = static_cast<std::uint32_t>(options.depth)};
  const auto tree = steps.run("stacks", [&](Progress&) { return dominator_stacks(heap, limits); });
  TextOutput out(options.output);
  if (options.as == "folded") {
    write_folded(tree, out);
  } else if (options.as == "pprof") {
    write_pprof(tree, out);
  } else {
    write_speedscope(tree, out);
  }
  out.commit();
}

void export_csv(Heap& heap, const Options& options, Steps& steps) {
  TextOutput out(options.output);
  if (options.table == "histogram") {
    note_loaders(heap);
    write_histogram_csv(heap, out);
  } else {
    const auto found =
        write_dominators_csv(heap, least_bytes(heap, options.least_bp), kSpreadsheetRows, out);
    if (found > kSpreadsheetRows) {
      steps.warn(format_count(found - kSpreadsheetRows, "object is", "objects are") +
                 " left out, a spreadsheet would not take them; raise --least, or list all with "
                 "hprof-report objects");
    }
  }
  out.commit();
}

void export_sqlite(Heap& heap, const Options& options, Steps& steps) {
  const auto path = find_optional_dump(options.dump, options.index, heap.files().provenance.dump);
  if (path.empty() && options.show_values) {
    fail(ExitCode::no_input, "--show-values needs the dump; name it with --dump");
  }
  if (path.empty()) {
    steps.warn("without the dump references have no names; name it with --dump");
  }
  note_loaders(heap);
  std::optional<DumpSource> dump;
  if (!path.empty()) {
    dump.emplace(path, heap.files().provenance.dump.dump_number, heap.index(), RecordPlaces());
  }
  write_database(heap, {.dump = dump ? &*dump : nullptr, .texts = options.show_values},
                 options.output, steps);
}

ExitCode run(const Options& options) {
  Steps steps(kReportTool, options);
  auto files = HeapFiles::open(options.index, options.graph, options.domtree);
  refuse_overwriting_dump(options.output, files.provenance.dump);
  if (!options.output.empty()) {
    require_creatable(options.output);
  }
  Heap heap(std::move(files));
  warn_of_caveats(caveats_of(heap), steps);
  if (options.as == "csv") {
    export_csv(heap, options, steps);
  } else if (options.as == "sqlite") {
    export_sqlite(heap, options, steps);
  } else {
    export_stacks(heap, options, steps);
  }
  steps.finish("");
  return ExitCode::ok;
}

}  // namespace

ExitCode export_command(int argc, char** argv) {
  Options options;
  if (!parse_options(argc, argv, options)) {
    return ExitCode::ok;
  }
  return blaming_stage_files(options, [&] { return run(options); });
}

}  // namespace hprof
