#include "common/input_stream.h"

#include "common/error.h"
#include "tests/support/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace hprof;
using test::TempFolder;

namespace {

std::vector<std::uint8_t> noise(std::size_t size) {
  std::mt19937 random(3);
  std::vector<std::uint8_t> bytes(size);
  std::generate(bytes.begin(), bytes.end(),
                [&] { return static_cast<std::uint8_t>(random() % 7); });
  return bytes;
}

/// Reads in odd steps with skips in between and returns what was seen, skipped bytes left out.
std::vector<std::uint8_t> read_in_steps(const std::string& path, std::size_t buffer) {
  BufferedInput input(open_source(path), buffer);
  std::vector<std::uint8_t> seen;
  for (std::size_t step = 1;; step = step * 5 % 263) {
    const std::uint8_t* bytes = input.peek(step);
    if (bytes == nullptr) {
      break;
    }
    seen.insert(seen.end(), bytes, bytes + step);
    input.advance(step);
    if (input.skip(step * 3) != step * 3) {
      break;
    }
  }
  return seen;
}

}  // namespace

TEST_CASE("gzip in any number of members reads like the plain file, skips included") {
  const TempFolder folder;
  const auto bytes = noise(300000);
  test::write_file(folder / "plain", bytes);
  test::write_file(folder / "one", test::gzip(bytes));
  test::write_file(folder / "many", test::gzip_members(bytes, 997));
  auto padded = test::gzip(bytes);
  const auto empty = test::gzip({});
  padded.insert(padded.end(), empty.begin(), empty.end());
  padded.insert(padded.end(), 1000, 0);
  test::write_file(folder / "padded", padded);
  const auto expected = read_in_steps(folder / "plain", 1U << 16U);
  CHECK(expected.size() > 50000);
  for (const char* name : {"one", "many", "padded"}) {
    CAPTURE(name);
    CHECK(read_in_steps(folder / name, 1U << 16U) == expected);
    CHECK(read_in_steps(folder / name, 64) == expected);
  }
}

TEST_CASE("a gzip stream that is cut or has a bad checksum is an error") {
  const TempFolder folder;
  const auto bytes = noise(50000);
  auto packed = test::gzip(bytes);
  auto cut = packed;
  cut.resize(cut.size() - 9);
  test::write_file(folder / "cut", cut);
  packed[packed.size() - 6] ^= 1U;
  test::write_file(folder / "checksum", packed);
  for (const char* name : {"cut", "checksum"}) {
    CAPTURE(name);
    BufferedInput input(open_source(folder / name));
    CHECK_THROWS_AS(input.skip(bytes.size() + 1), Error);
  }
}

TEST_CASE("what cannot be read twice is refused with a sentence") {
  const TempFolder folder;
  const auto code_of = [](const std::string& path) {
    try {
      open_source(path);
    } catch (const Error& error) {
      return error.code();
    }
    return ExitCode::ok;
  };
  CHECK(code_of(folder.path()) == ExitCode::no_input);
  CHECK(code_of(folder / "missing") == ExitCode::no_input);
  CHECK(code_of("/dev/null") == ExitCode::no_input);
}
