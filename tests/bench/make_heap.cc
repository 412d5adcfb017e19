// make-heap: writes synthetic heap dumps of any size, for benchmarks and for tests of counters.
#include "common/error.h"
#include "common/options.h"
#include "common/tool.h"
#include "tests/bench/profiles.h"

#include <algorithm>

namespace {
using namespace hprof;

constexpr std::uint64_t kMostObjects = 4'000'000'000;
constexpr std::uint64_t kMostBytes = 1'000'000'000'000;
constexpr std::uint64_t kDefaultBytes = 100'000'000;

std::string described_profiles() {
  std::string text = "Profiles:";
  for (const auto& profile : bench::profiles()) {
    text += "\n  " + profile.name + ": " + profile.what;
  }
  return text;
}

const ToolInfo& tool() {
  static const ToolInfo info{
      .name = "make-heap",
      .synopsis = "make-heap PROFILE OUT [--objects N | --bytes B] [--seed S]",
      .purpose =
          "Writes a synthetic heap dump: the same bytes for the same arguments, in little "
          "memory. " +
          described_profiles(),
      .example = "make-heap nodes /tmp/nodes.hprof --objects 30000000",
  };
  return info;
}

struct Options {
  std::vector<std::string> arguments;
  std::uint64_t objects = 0;
  std::uint64_t bytes = 0;
  std::uint64_t seed = 1;
};

const bench::Profile& find_profile(const std::string& name) {
  for (const auto& profile : bench::profiles()) {
    if (profile.name == name) {
      return profile;
    }
  }
  fail(ExitCode::usage, "no such profile: ", name, "; see --help");
}

ExitCode run(const Options& options) {
  if (options.arguments.size() != 2) {
    fail(ExitCode::usage, "name one profile and one file; see --help");
  }
  if (options.objects != 0 && options.bytes != 0) {
    fail(ExitCode::usage, "give --objects or --bytes, not both");
  }
  const auto& profile = find_profile(options.arguments[0]);
  const std::uint64_t bytes = options.bytes == 0 ? kDefaultBytes : options.bytes;
  const std::uint64_t objects = options.objects != 0 ? options.objects : profile.objects_for(bytes);
  profile.write({.path = options.arguments[1],
                 .objects = std::max<std::uint64_t>(objects, 1),
                 .seed = options.seed});
  return ExitCode::ok;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool(tool(), [&] {
    Options options;
    OptionParser parser(tool());
    parser.positionals("PROFILE OUT", options.arguments, 2, "")
        .number("objects", options.objects, 0, kMostObjects, "about so many objects")
        .number("bytes", options.bytes, 0, kMostBytes,
                "a dump of about so many bytes; without either, 100 MB")
        .number("seed", options.seed, 0, ~std::uint64_t{0}, "for other random numbers");
    return parser.parse(argc, argv) ? run(options) : ExitCode::ok;
  });
}
