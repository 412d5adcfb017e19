// list-roots X.index: every GC root and thread local as CSV, for comparison with other tools'
// figures.
#include "common/options.h"
#include "common/output_file.h"
#include "common/text.h"
#include "common/tool.h"
#include "formats/index_file.h"

#include <iostream>

namespace {
using namespace hprof;

const ToolInfo kTool{
    .name = "list-roots",
    .synopsis = "list-roots X.index",
    .purpose = "Lists GC roots (object,tag,) and thread locals (object,tag,thread) as CSV.",
    .example = "list-roots app.index",
};

ExitCode run(const std::string& path) {
  const IndexFile file = read_index(path);
  const HeapIndex& index = file.index;
  std::string out = "address,tag,thread\n";
  for (const RootInfo& root : index.roots) {
    out += hex_address(index.addresses.address_at(root.object)) + "," + std::to_string(root.kind) +
           "," + (root.is_local() ? hex_address(index.addresses.address_at(root.thread)) : "") +
           "\n";
  }
  write_stdout(out);
  return ExitCode::ok;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool(kTool, [&] {
    std::string path;
    OptionParser parser(kTool);
    parser.positional("X.index", path, "what hprof-index wrote");
    return parser.parse(argc, argv) ? run(path) : ExitCode::ok;
  });
}
