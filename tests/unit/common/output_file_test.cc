#include "common/output_file.h"

#include "common/byte_cursor.h"
#include "common/error.h"
#include "tests/support/files.h"

#include <doctest/doctest.h>

#include <array>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace hprof;
using test::TempFolder;

namespace {

std::size_t files_in(const TempFolder& folder) {
  const std::filesystem::directory_iterator entries(folder.path());
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

}  // namespace

TEST_CASE("an output appears whole at commit, and replaces what was there") {
  const TempFolder folder;
  test::write_file(folder / "out", as_bytes("old"));
  {
    OutputFile out(folder / "out");
    out.write("new ");
    out.write(std::string(1000000, 'x'));
    CHECK(test::read_file(folder / "out").size() == 3);
    out.commit();
  }
  CHECK(test::read_file(folder / "out").size() == 1000004);
  CHECK(files_in(folder) == 1);
}

TEST_CASE("an output without commit leaves nothing") {
  const TempFolder folder;
  {
    OutputFile out(folder / "out");
    out.write("half");
  }
  CHECK(files_in(folder) == 0);
}

TEST_CASE("a missing folder or a folder as target cannot be created") {
  const TempFolder folder;
  const auto code_of = [](const std::string& path) {
    try {
      OutputFile out(path);
    } catch (const Error& error) {
      return error.code();
    }
    return ExitCode::ok;
  };
  CHECK(code_of(folder / "no/out") == ExitCode::cannot_create);
  CHECK(code_of(folder.path()) == ExitCode::cannot_create);
}

TEST_CASE("an input is never taken for the output, whatever it is called") {
  const TempFolder folder;
  test::write_file(folder / "in", as_bytes("precious"));
  std::filesystem::create_symlink(folder / "in", folder / "alias");
  CHECK_THROWS_AS(refuse_overwriting(folder / "in", {folder / "in"}), Error);
  CHECK_THROWS_AS(refuse_overwriting(folder / "alias", {folder / "other", folder / "in"}), Error);
  CHECK_NOTHROW(refuse_overwriting(folder / "out", {folder / "in"}));
}

TEST_CASE("two outputs are never one file, whether it is there or not") {
  const TempFolder folder;
  CHECK_THROWS_AS(refuse_same_output({folder / "x", folder / "./x"}), Error);
  test::write_file(folder / "x", std::vector<std::uint8_t>{1});
  CHECK_THROWS_AS(refuse_same_output({"", folder / "y", folder / "x", folder / "./x"}), Error);
  CHECK_NOTHROW(refuse_same_output({folder / "x", folder / "y", "", ""}));
  CHECK_NOTHROW(refuse_same_output({"/dev/null", "/dev/null"}));
}

TEST_CASE("a symbolic link is followed, not replaced") {
  const TempFolder folder;
  test::write_file(folder / "real", as_bytes("old"));
  std::filesystem::create_symlink("real", folder / "link");
  OutputFile out(folder / "link");
  out.write("new");
  out.commit();
  CHECK(std::filesystem::is_symlink(folder / "link"));
  CHECK(as_text(test::read_file(folder / "real")) == "new");
}

TEST_CASE("a pipe is written in place and stays a pipe") {
  const TempFolder folder;
  const std::string path = folder / "pipe";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  const FileDescriptor reader(::open(path.c_str(), O_RDONLY | O_NONBLOCK));
  OutputFile out(path);
  out.write("through");
  out.commit();
  std::array<std::uint8_t, 16> bytes{};
  const auto count = ::read(reader.value(), bytes.data(), bytes.size());
  CHECK(as_text(std::span(bytes).first(static_cast<std::size_t>(count))) == "through");
  CHECK(std::filesystem::is_fifo(path));
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a long name leaves room for the temporary's") {
  const TempFolder folder;
  OutputFile out(folder / std::string(250, 'n'));
  out.write("x");
  out.commit();
  CHECK(files_in(folder) == 1);
}
