// hprof-report: turns the stage files of a dump into a report; its subcommands export the heap to
// other tools, list objects, tell why one is alive, render a finished report in another format,
// compare reports, check them, print schemas.
#include "common/tool.h"
#include "tools/hprof-report/commands.h"

#include <array>
#include <string_view>

namespace {

using namespace hprof;

struct Subcommand {
  std::string_view name;
  ExitCode (*run)(int argc, char** argv);
};

constexpr std::array kSubcommands{
    Subcommand{"export", export_command},      Subcommand{"objects", objects_command},
    Subcommand{"path", path_command},          Subcommand{"render", render_command},
    Subcommand{"diff", diff_command},          Subcommand{"check", check_command},
    Subcommand{"emit-schema", schema_command},
};

ExitCode dispatch(int argc, char** argv) {
  for (const auto& subcommand : kSubcommands) {
    if (argc > 1 && subcommand.name == argv[1]) {
      return subcommand.run(argc - 1, argv + 1);
    }
  }
  return report_command(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  return hprof::run_tool(kReportTool, [&] { return dispatch(argc, argv); });
}
