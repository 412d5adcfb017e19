#include "staged_heap.h"

#include "common/open_source.h"
#include "formats/index_file.h"
#include "formats/report_file.h"
#include "tools/hprof-domtree/stage.h"
#include "tools/hprof-graph/stage.h"
#include "tools/hprof-index/stage.h"
#include "tools/hprof-report/commands.h"

namespace hprof::test {
namespace {

const ToolInfo kTool{.name = "test", .synopsis = "", .purpose = "", .example = ""};

Provenance provenance(const std::string& tool, const DumpIdentity& dump,
                      std::vector<InputIdentity> inputs) {
  return {.tool = tool,
          .tool_version = "test",
          .options = {},
          .dump = dump,
          .inputs = std::move(inputs)};
}

}  // namespace

StagedHeap::StagedHeap(HeapBuilder& builder, std::uint64_t hash_mask) {
  builder.finish();
  write_file(dump(), builder.bytes());
  CommonOptions quiet;
  Steps steps(kTool, quiet);
  BufferedInput input(open_source(dump()));
  const auto header = read_hprof_header(input, dump());
  const auto identity = identify_dump(dump(), header.timestamp_ms, 1);
  const auto heap = build_index({.path = dump(), .header = header, .parts = {}}, input,
                                Strictness::lenient, steps);
  const auto index_identity = write_index(index(), provenance("hprof-index", identity, {}), heap);
  build_graph(
      heap, dump(),
      {.sizes = choose_sizes("auto", heap),
       .content_hashes = hash_mask != 0,
       .hash_mask = hash_mask},
      provenance("hprof-graph", identity, {{.kind = kIndexFile.name, .identity = index_identity}}),
      graph(), steps);
  const GraphFile graph_file(graph());
  build_domtree(graph_file,
                provenance("hprof-domtree", identity,
                           {{.kind = kGraphFile.name, .identity = graph_file.identity()}}),
                TreeOptions(), domtree(), steps);
}

Report StagedHeap::report(const std::vector<std::string>& options) const {
  const TempFolder folder;
  std::vector<std::string> arguments{"hprof-report", index(), graph(),
                                     domtree(),      "-o",    folder / "r.json"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  std::vector<char*> argv;
  for (auto& argument : arguments) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);
  if (report_command(static_cast<int>(arguments.size()), argv.data()) != ExitCode::ok) {
    throw_error(ExitCode::bug, "hprof-report did not exit with 0");
  }
  return read_report(folder / "r.json");
}

std::unique_ptr<Heap> StagedHeap::open() const {
  return std::make_unique<Heap>(HeapFiles::open(index(), graph(), domtree()));
}

std::unique_ptr<DumpSource> StagedHeap::open_dump(const Heap& heap) const {
  auto totals = heap.graph().for_each_object([](const ObjectRow&) {});
  return std::make_unique<DumpSource>(dump(), 1, heap.index(), std::move(totals.places));
}

}  // namespace hprof::test
