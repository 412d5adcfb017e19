#include "common/input_stream.h"

#include "common/concat_source.h"
#include "common/error.h"
#include "common/inflate_points.h"
#include "common/input_file.h"
#include "common/open_source.h"
#include "common/text_input.h"
#include "tests/support/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <sys/stat.h>
#include <thread>

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
  auto between = test::gzip({});
  between.insert(between.end(), 1000, 0);
  const auto one = test::gzip(bytes);
  between.insert(between.end(), one.begin(), one.end());
  test::write_file(folder / "between", between);
  const auto expected = read_in_steps(folder / "plain", 1U << 16U);
  CHECK(expected.size() > 50000);
  for (const char* name : {"one", "many", "padded", "between"}) {
    CAPTURE(name);
    CHECK(read_in_steps(folder / name, 1U << 16U) == expected);
    CHECK(read_in_steps(folder / name, 64) == expected);
  }
}

TEST_CASE("what follows a gzip stream and is none is ignored and counted") {
  const TempFolder folder;
  const auto bytes = noise(300'000);
  const auto packed = test::gzip_members(bytes, 997);
  for (const std::vector<std::uint8_t>& tail : {std::vector<std::uint8_t>{},
                                                {7},
                                                {0},
                                                {0x1f},
                                                {0, 0, 7},
                                                {0x1f, 0x8c},
                                                std::vector<std::uint8_t>(1U << 19U, 0),
                                                std::vector<std::uint8_t>(1U << 19U, 'x')}) {
    auto file = packed;
    file.insert(file.end(), tail.begin(), tail.end());
    test::write_file(folder / "file", file);
    const auto source = open_source(folder / "file");
    CHECK(source->skip(bytes.size() + 1) == bytes.size());
    CHECK(source->ignored_bytes() == tail.size());
    CHECK(source->file_position() == file.size());
    std::vector<std::uint8_t> last(997);
    REQUIRE(source->go_to(bytes.size() - last.size()) == bytes.size() - last.size());
    CHECK(source->read(last) == last.size());
    CHECK(std::equal(last.begin(), last.end(), bytes.end() - 997));
  }
}

TEST_CASE("the magic of a member may lie on both sides of a buffer's end") {
  const TempFolder folder;
  constexpr std::size_t kBuffer = 1U << 18U;
  const auto bytes = noise(1000);
  const auto packed = test::gzip(bytes);
  for (std::size_t start = kBuffer - 2; start <= kBuffer + 1; ++start) {
    auto file = packed;
    file.resize(start, 0);
    file.insert(file.end(), packed.begin(), packed.end());
    test::write_file(folder / "file", file);
    const auto source = open_source(folder / "file");
    CHECK(source->skip(5000) == 2 * bytes.size());
    CHECK(source->ignored_bytes() == 0);
  }
}

namespace {

/// Bytes that pack into blocks of all kinds, several megabytes.
std::vector<std::uint8_t> mixed(std::size_t size) {
  std::mt19937 random(5);
  std::vector<std::uint8_t> bytes;
  while (bytes.size() < size) {
    const auto range = 1 + random() % 250;
    for (auto left = 1 + random() % 60'000; left != 0; --left) {
      bytes.push_back(static_cast<std::uint8_t>(random() % range));
    }
  }
  return bytes;
}

void check_at(BufferedInput& input, const std::vector<std::uint8_t>& bytes, std::size_t position) {
  constexpr std::size_t kSome = 300;
  input.go_to(position);
  REQUIRE(input.position() == position);
  const auto* const found = input.peek(kSome);
  REQUIRE(found != nullptr);
  REQUIRE(std::equal(found, found + kSome, bytes.begin() + static_cast<std::ptrdiff_t>(position)));
}

}  // namespace

TEST_CASE("after one reading any place of a gzip file is found near a point that was noted") {
  const TempFolder folder;
  const auto bytes = mixed(7'000'000);
  test::write_file(folder / "one", test::gzip(bytes));
  test::write_file(folder / "few", test::gzip_members(bytes, 2'500'000));
  test::write_file(folder / "many", test::gzip_members(bytes, 10'000));
  for (const char* name : {"one", "few", "many"}) {
    CAPTURE(name);
    BufferedInput input(open_source(folder / name), 4096);
    input.source().expect_returns();
    REQUIRE(input.skip(bytes.size() + 1) == bytes.size());
    const std::uint64_t once = input.source().bytes_read();
    check_at(input, bytes, bytes.size() - 300);
    check_at(input, bytes, bytes.size() / 2);
    CHECK(input.source().bytes_read() - once < once);
    std::mt19937 random(11);
    for (int i = 0; i < 60; ++i) {
      check_at(input, bytes, random() % (bytes.size() - 300));
    }
    input.go_to(1'000);
    REQUIRE(input.skip(5'000'000) == 5'000'000);
    check_at(input, bytes, 5'001'000);
    input.go_to(6'999'000);
    std::vector<std::uint8_t> end;
    while (const auto* const byte = input.peek(1)) {
      end.push_back(*byte);
      input.advance(1);
    }
    CHECK(std::equal(end.begin(), end.end(), bytes.begin() + 6'999'000, bytes.end()));
  }
}

TEST_CASE("places beyond damage are not found by points either") {
  const TempFolder folder;
  const auto bytes = mixed(4'000'000);
  auto cut = test::gzip(bytes);
  cut.resize(cut.size() / 4 * 3);
  test::write_file(folder / "cut", cut);
  BufferedInput input(open_source(folder / "cut"), 4096);
  input.source().expect_returns();
  input.source().tolerate_damage();
  const std::uint64_t whole = input.skip(bytes.size());
  CHECK(whole < bytes.size());
  CHECK_FALSE(input.source().damage().empty());
  check_at(input, bytes, 2'000'000);
  input.go_to(bytes.size());
  CHECK(input.position() == whole);
}

TEST_CASE("points are thinned where they become many") {
  InflatePoints points;
  const std::uint64_t step = 1U << 20U;
  for (std::uint64_t at = 0; at < 1000; ++at) {
    if (points.is_due(at * step)) {
      points.add({.delivered = at * step, .file_position = at, .window = {}});
    }
  }
  CHECK(points.before(step / 2) == nullptr);
  for (std::uint64_t at = 50; at < 1000; at += 7) {
    const auto* const point = points.before(at * step);
    REQUIRE(point != nullptr);
    CHECK(point->delivered <= at * step);
    CHECK(at * step - point->delivered <= 32 * step);
    CHECK(point->delivered == point->file_position * step);
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

TEST_CASE("a source goes to any place, forward and back, packed or in parts") {
  const TempFolder folder;
  const auto bytes = noise(30000);
  const std::span<const std::uint8_t> all(bytes);
  const std::size_t cuts[] = {0, 11000, 11001, 25000, 30000};
  test::write_file(folder / "packed", test::gzip_members(bytes, 997));
  std::vector<SourcePart> parts;
  for (std::size_t i = 0; i + 1 < std::size(cuts); ++i) {
    const std::string name = folder / ("part" + std::to_string(i));
    const auto part = all.subspan(cuts[i], cuts[i + 1] - cuts[i]);
    test::write_file(
        name, i % 2 == 0 ? test::gzip(part) : std::vector<std::uint8_t>(part.begin(), part.end()));
    parts.push_back({name, open_source(name), part.size()});
  }
  const auto packed = open_source(folder / "packed");
  const auto joined = concatenate(std::move(parts));
  std::mt19937 random(5);
  for (auto* source : {packed.get(), joined.get()}) {
    CHECK(source->is_compressed());
    for (int i = 0; i < 60; ++i) {
      const std::size_t at = i == 0 ? 11000 : random() % bytes.size();
      const std::size_t size = std::min<std::size_t>(1 + random() % 20000, bytes.size() - at);
      REQUIRE(source->go_to(at) == at);
      std::vector<std::uint8_t> seen(size);
      REQUIRE(source->read(seen) == size);
      CHECK(std::equal(seen.begin(), seen.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at)));
    }
    CHECK(source->go_to(bytes.size() + 10) == bytes.size());
    std::vector<std::uint8_t> none(1);
    CHECK(source->read(none) == 0);
    CHECK(source->bytes_read() >= source->file_position());
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

TEST_CASE("a text input may be a file, a pipe or a device, and no folder") {
  const TempFolder folder;
  const auto bytes = noise(300'000);
  test::write_file(folder / "file", bytes);
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::thread writer([&] { test::write_file(folder / "pipe", bytes); });
  for (const char* name : {"file", "pipe"}) {
    CAPTURE(std::string(name));
    CHECK(is_stream(folder / name) == (std::string(name) == "pipe"));
    const auto input = open_text_input(folder / name);
    std::vector<std::uint8_t> seen(bytes.size() + 1);
    CHECK(read_at(input, name, 0, seen) == bytes.size());
    CHECK(file_size(input, name) == bytes.size());
    seen.resize(bytes.size());
    CHECK(seen == bytes);
  }
  writer.join();
  CHECK(file_size(open_text_input("/dev/null"), "null") == 0);
  CHECK_THROWS_AS(open_text_input(folder.path()), Error);
  CHECK_THROWS_AS(open_text_input(folder / "missing"), Error);
}
