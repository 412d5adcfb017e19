#include "tests/fuzz/stages.h"

#include "common/error.h"
#include "common/open_source.h"
#include "formats/index_file.h"
#include "formats/stage_run.h"
#include "tests/support/files.h"
#include "tools/hprof-domtree/stage.h"
#include "tools/hprof-graph/stage.h"
#include "tools/hprof-index/stage.h"
#include "tools/hprof-report/commands.h"

#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace hprof::test {
namespace {

const ToolInfo kTool{.name = "fuzz", .synopsis = "", .purpose = "", .example = ""};

Steps silent_steps() {
  CommonOptions options;
  options.quiet = true;
  options.progress = ProgressMode::never;
  return {kTool, options};
}

Provenance made_by(const std::string& tool, const DumpIdentity& dump,
                   std::vector<InputIdentity> inputs) {
  return {.tool = tool,
          .tool_version = "fuzz",
          .options = {},
          .dump = dump,
          .inputs = std::move(inputs)};
}

std::string& last_error() {
  static std::string text;
  return text;
}

template <typename Run>
bool succeeds(Run run) {
  try {
    run();
    return true;
  } catch (const Error& error) {
    if (error.code() == ExitCode::bug || error.code() == ExitCode::ok || *error.what() == '\0') {
      __builtin_trap();
    }
    last_error() = error.what();
    return false;
  }
}

void command(ExitCode (*run)(int, char**), std::vector<std::string> arguments) {
  std::vector<char*> argv;
  for (auto& argument : arguments) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);
  if (run(static_cast<int>(arguments.size()), argv.data()) != ExitCode::ok) {
    __builtin_trap();
  }
}

}  // namespace

FuzzedStages::FuzzedStages()
    : folder_(
          (std::filesystem::temp_directory_path() / ("hprof-fuzz." + std::to_string(::getpid())))
              .string()) {
  std::filesystem::create_directories(folder_);
}

FuzzedStages::~FuzzedStages() {
  std::filesystem::remove_all(folder_);
}

void FuzzedStages::must(bool success) {
  if (!success) {
    std::fprintf(stderr, "a stage failed: %s\n", last_error().c_str());
    __builtin_trap();
  }
}

void FuzzedStages::write(const std::string& kind, std::span<const std::uint8_t> bytes) const {
  write_file(path(kind), bytes);
}

std::vector<std::uint8_t> FuzzedStages::read(const std::string& kind) const {
  return read_file(path(kind));
}

bool FuzzedStages::index() const {
  return succeeds([&] {
    auto steps = silent_steps();
    BufferedInput input(open_source(path("hprof")));
    input.source().tolerate_damage();
    const auto header = read_hprof_header(input, path("hprof"));
    const auto heap = build_index({.path = path("hprof"), .header = header, .parts = {}}, input,
                                  Strictness::lenient, steps);
    write_index(path("index"),
                made_by("hprof-index", identify_dump(path("hprof"), header.timestamp_ms, 1), {}),
                heap);
  });
}

bool FuzzedStages::graph() const {
  return succeeds([&] {
    auto steps = silent_steps();
    const IndexFile file = read_index(path("index"));
    build_graph(file.index, path("hprof"),
                {.sizes = choose_sizes("auto", file.index), .content_hashes = true},
                made_by("hprof-graph", file.provenance.dump,
                        {{.kind = kIndexFile.name, .identity = file.identity}}),
                path("graph"), steps);
  });
}

bool FuzzedStages::domtree() const {
  return succeeds([&] {
    auto steps = silent_steps();
    const GraphFile file(path("graph"));
    build_domtree(file,
                  made_by("hprof-domtree", file.provenance().dump,
                          {{.kind = kGraphFile.name, .identity = file.identity()}}),
                  TreeOptions(), path("domtree"), steps);
  });
}

bool FuzzedStages::report() const {
  return succeeds([&] {
    command(report_command, {"hprof-report", path("index"), path("graph"), path("domtree"), "-q",
                             "-o", path("json"), "--find-duplicates", "--collections",
                             "--show-values", "--detail", "max"});
  });
}

bool FuzzedStages::render(const std::string& format) const {
  return succeeds([&] {
    command(render_command, {"render", path("json"), "-f", format, "-o", path(format)});
  });
}

}  // namespace hprof::test
