#include "common/tool.h"

#include "common/memory.h"
#include "common/steps.h"

#include <doctest/doctest.h>

#include <iostream>
#include <sstream>

using namespace hprof;

namespace {

/// What is written to std::cerr while it lives.
class CapturedErrors {
 public:
  CapturedErrors() : old_(std::cerr.rdbuf(text_.rdbuf())) {}
  CapturedErrors(const CapturedErrors&) = delete;
  CapturedErrors& operator=(const CapturedErrors&) = delete;
  ~CapturedErrors() { std::cerr.rdbuf(old_); }
  std::string text() const { return text_.str(); }

 private:
  std::ostringstream text_;
  std::streambuf* old_;
};

/// Exit status and stderr of a tool that does `body`.
std::pair<int, std::string> run(const std::function<ExitCode()>& body) {
  const CapturedErrors errors;
  const ToolInfo tool{.name = "tool", .synopsis = "", .purpose = "", .example = ""};
  const int status = run_tool(tool, body);
  return {status, errors.text()};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t number = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++number;
  }
  return number;
}

}  // namespace

TEST_CASE("every exception becomes one sentence and the documented status") {
  CHECK(run([] { return ExitCode::verdict_fail; }) == std::pair(2, std::string()));
  CHECK(run([]() -> ExitCode { fail(ExitCode::stale, "a.index: is old"); }) ==
        std::pair(75, std::string("tool: error: a.index: is old\n")));
  const auto memory = run([]() -> ExitCode { throw OutOfMemory((3U << 20U) - 1); });
  CHECK(memory.first == 71);
  CHECK(memory.second.starts_with("tool: error: not enough memory: needs 3 MiB more, "));
  CHECK(run([]() -> ExitCode { throw std::bad_alloc(); }).first == 71);
  CHECK(run([]() -> ExitCode { throw std::logic_error("odd"); }) ==
        std::pair(70, std::string("tool: error: unexpected failure: odd; please report this\n")));
  CHECK(run([]() -> ExitCode {
          check(false, "row");
          return ExitCode::ok;
        }).first == 70);
}

TEST_CASE("a sentence is cut, however long the name in it is") {
  const auto long_one =
      run([]() -> ExitCode { fail(ExitCode::bad_data, std::string(70'000, 'x')); });
  CHECK(long_one.second.size() < 2100);
  CHECK(long_one.second.ends_with("x…\n"));
}

TEST_CASE("progress is drawn when the percentage changes, and wiped at the end") {
  std::string drawn;
  {
    const CapturedErrors errors;
    {
      Progress progress("reading", true);
      progress.update(0, 0);
      for (std::uint64_t done = 0; done <= 1000; ++done) {
        progress.update(done, 1000);
      }
      progress.update(2000, 1000);
      progress.update(10, 1000);
    }
    drawn = errors.text();
  }
  CHECK(count(drawn, "\rreading ") == 101);
  CHECK(drawn.find("\rreading 37%") != std::string::npos);
  CHECK(drawn.ends_with("\rreading 100%\r\x1b[K"));
}

TEST_CASE("progress that is not shown writes nothing, not even a wipe") {
  const CapturedErrors errors;
  {
    Progress progress("reading", false);
    progress.update(1, 2);
    progress.remove();
  }
  CHECK(errors.text().empty());
}
