// make-hprof: writes the dumps that golden tests, benchmarks and people use.
#include "common/error.h"
#include "common/options.h"
#include "common/tool.h"
#include "tests/support/sample_dumps.h"

#include <exception>
#include <vector>

namespace {
using namespace hprof;

std::string described_kinds() {
  std::string text = "Kinds:";
  for (const auto& dump : test::sample_dumps()) {
    text += "\n  " + dump.kind + ": " + dump.what;
  }
  return text;
}

const ToolInfo& tool() {
  static const ToolInfo info{
      .name = "make-hprof",
      .synopsis = "make-hprof KIND OUT [N]",
      .purpose = "Writes a synthetic heap dump for tests. " + described_kinds(),
      .example = "make-hprof chain /tmp/chain.hprof 5000000",
  };
  return info;
}

const test::SampleDump& find_kind(const std::string& kind) {
  for (const auto& dump : test::sample_dumps()) {
    if (dump.kind == kind) {
      return dump;
    }
  }
  fail(ExitCode::usage, "no such kind: ", kind, "; see --help");
}

std::uint64_t parse_size(const std::string& text) {
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos ||
      text.size() > 18) {
    fail(ExitCode::usage, "not a number: ", text);
  }
  return std::stoull(text);
}

ExitCode run(const std::vector<std::string>& arguments) {
  if (arguments.size() > 3) {
    fail(ExitCode::usage, "too many arguments; see --help");
  }
  const auto& dump = find_kind(arguments[0]);
  if (arguments.size() == 3 && dump.default_size == 0) {
    fail(ExitCode::usage, dump.kind, " has no size; leave N out");
  }
  dump.write(arguments[1], arguments.size() == 3 ? parse_size(arguments[2]) : dump.default_size);
  return ExitCode::ok;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool(tool(), [&] {
    std::vector<std::string> arguments;
    OptionParser parser(tool());
    parser.positionals("argument", arguments, 2, "KIND OUT [N]");
    return parser.parse(argc, argv) ? run(arguments) : ExitCode::ok;
  });
}
