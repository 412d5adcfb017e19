#include "common/options.h"

#include "common/error.h"

#include <doctest/doctest.h>

using namespace hprof;

namespace {

struct Parsed {
  StageOptions stage;
  std::string input;
  std::uint64_t number = 1;
  std::string mode = "fast";
  std::vector<std::string> rules;
};

Parsed parse(std::vector<std::string> words) {
  Parsed out;
  OptionParser parser({.name = "tool", .synopsis = "tool IN", .purpose = "", .example = ""});
  parser.positional("IN", out.input, "input")
      .number("number", out.number, 1, 9, "a number")
      .choice("mode", out.mode, {"fast", "exact"}, "a mode")
      .texts("rule", "RULE", out.rules, "rules")
      .stage(out.stage);
  words.insert(words.begin(), "tool");
  std::vector<char*> argv;
  for (auto& word : words) {
    argv.push_back(word.data());
  }
  parser.parse(static_cast<int>(argv.size()), argv.data());
  return out;
}

ExitCode refusal(const std::vector<std::string>& words) {
  try {
    parse(words);
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::ok;
}

}  // namespace

TEST_CASE("options and positional arguments land in their targets") {
  const auto parsed = parse({"--number", "7", "in.bin", "-o", "out.bin", "--mode=exact", "--rule",
                             "a", "--rule", "b", "--force", "-v"});
  CHECK(parsed.input == "in.bin");
  CHECK(parsed.number == 7);
  CHECK(parsed.mode == "exact");
  CHECK(parsed.rules == std::vector<std::string>{"a", "b"});
  CHECK(parsed.stage.output == "out.bin");
  CHECK(parsed.stage.force);
  CHECK(parsed.stage.verbose);
}

TEST_CASE("a file whose name begins with a dash can be named after --") {
  CHECK(parse({"--", "-x.hprof"}).input == "-x.hprof");
}

TEST_CASE("wrong usage is refused") {
  CHECK(refusal({}) == ExitCode::usage);
  CHECK(refusal({"a", "b"}) == ExitCode::usage);
  CHECK(refusal({"a", "--num", "3"}) == ExitCode::usage);
  CHECK(refusal({"a", "--number", "-1"}) == ExitCode::usage);
  CHECK(refusal({"a", "--number", "10"}) == ExitCode::usage);
  CHECK(refusal({"a", "--number", "99999999999999999999"}) == ExitCode::usage);
  CHECK(refusal({"a", "--number", "3x"}) == ExitCode::usage);
  CHECK(refusal({"a", "--mode", "slow"}) == ExitCode::usage);
  CHECK(refusal({"a", "--number", "3", "--number", "4"}) == ExitCode::usage);
  CHECK(refusal({"a", "--progress", "maybe"}) == ExitCode::usage);
  CHECK(refusal({"a", "--unknown"}) == ExitCode::usage);
}

TEST_CASE("- is standard output for text, and no file for anything else") {
  std::string output = "before";
  std::string list;
  OptionParser parser({.name = "tool", .synopsis = "tool", .purpose = "", .example = ""});
  parser.output("OUT", output, "output").text("list", "LIST", list, "a list");
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), "tool");
    std::vector<char*> argv;
    for (auto& word : words) {
      argv.push_back(word.data());
    }
    parser.parse(static_cast<int>(argv.size()), argv.data());
  };
  run({"-o", "-"});
  CHECK(output.empty());
  run({"-o", "./-"});
  CHECK(output == "./-");
  CHECK_THROWS_AS(run({"-o", ""}), Error);
  CHECK_THROWS_AS(run({"--list", ""}), Error);
  CHECK(refusal({"in", "-o", "-"}) == ExitCode::usage);
  CHECK(refusal({"in", "-o", "out", "--stats", "-"}) == ExitCode::usage);
}
