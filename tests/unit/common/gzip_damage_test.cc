// One member of several is damaged: those in front and behind must come as they are, whoever comes
// back gets the same bytes, and what is said of the place is true.
#include "common/input_stream.h"
#include "common/open_source.h"
#include "tests/support/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>

using namespace hprof;
using test::TempFolder;

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kMemberBytes = 200'000;
constexpr std::size_t kTrailer = 8;

Bytes content(unsigned seed, std::size_t size = kMemberBytes) {
  std::mt19937 random(seed);
  Bytes bytes(size);
  std::generate(bytes.begin(), bytes.end(),
                [&] { return static_cast<std::uint8_t>(random() % 50); });
  return bytes;
}

void append(Bytes& bytes, const Bytes& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

bool ends_with(const Bytes& bytes, const Bytes& tail) {
  return bytes.size() >= tail.size() && std::equal(tail.rbegin(), tail.rend(), bytes.rbegin());
}

bool begins_with(const Bytes& bytes, const Bytes& head) {
  return bytes.size() >= head.size() && std::equal(head.begin(), head.end(), bytes.begin());
}

Bytes read_to_end(ByteSource& source) {
  Bytes out;
  Bytes piece(70'001);
  for (std::size_t got = source.read(piece); got != 0; got = source.read(piece)) {
    out.insert(out.end(), piece.begin(), piece.begin() + static_cast<long>(got));
  }
  return out;
}

/// What a source gives of four members of which the second was changed.
struct Reading {
  explicit Reading(const std::function<void(Bytes&)>& damage) {
    front = content(1);
    append(back, content(3));
    append(back, content(4));
    file = test::gzip(front);
    second_at = file.size();
    Bytes second = test::gzip(content(2));
    damage(second);
    append(file, second);
    third_at = file.size();
    append(file, test::gzip(content(3)));
    append(file, test::gzip(content(4)));
    test::write_file(folder / "x", file);
    auto source = open();
    all = read_to_end(*source);
    gaps = source->gaps();
    ended_by = source->damage();
    ignored = source->ignored_bytes();
    check_again(*source);
  }

  std::unique_ptr<ByteSource> open() const {
    auto source = open_source(folder / "x");
    source->tolerate_damage();
    return source;
  }

  /// The same bytes from any place, with and without notes on the way.
  void check_again(ByteSource& used) const {
    const auto noting = open();
    noting->expect_returns();
    CHECK(read_to_end(*noting) == all);
    const auto fresh = open();
    for (ByteSource* source : {&used, noting.get(), fresh.get()}) {
      for (const std::size_t at :
           {all.size() - 1000, std::size_t{1000}, front.size() + 5, front.size(), all.size() / 2}) {
        CAPTURE(at);
        REQUIRE(source->go_to(at) == at);
        Bytes piece(50'000);
        piece.resize(source->read(piece));
        REQUIRE(piece.size() == std::min<std::size_t>(50'000, all.size() - at));
        CHECK(std::equal(piece.begin(), piece.end(), all.begin() + static_cast<long>(at)));
      }
      CHECK(source->gaps().size() == gaps.size());
    }
  }

  bool has_all_others() const { return begins_with(all, front) && ends_with(all, back); }

  TempFolder folder;
  Bytes front;
  Bytes back;
  Bytes file;
  std::size_t second_at = 0;
  std::size_t third_at = 0;
  Bytes all;
  std::vector<PackingGap> gaps;
  std::string ended_by;
  std::uint64_t ignored = 0;
};

void tells(const std::string& text, const std::string& what) {
  CAPTURE(text);
  CHECK(text.find(what) != std::string::npos);
}

/// One gap between the first member and the third.
void check_gap(const Reading& reading, const std::string& what) {
  CHECK(reading.has_all_others());
  REQUIRE(reading.gaps.size() == 1);
  CHECK(reading.gaps[0].lost);
  CHECK(reading.gaps[0].position == reading.all.size() - reading.back.size());
  tells(reading.gaps[0].what, what);
  CHECK(reading.ended_by.empty());
  CHECK(reading.ignored == 0);
}

}  // namespace

TEST_CASE("members behind one whose header is wrong are inflated") {
  for (const std::size_t at : {0U, 1U, 2U, 3U}) {
    CAPTURE(at);
    const Reading reading([&](Bytes& member) { member[at] = 0xff; });
    const char* const words[] = {"no gzip member begins here", "no gzip member begins here",
                                 "unknown compression method", "unknown header flags"};
    check_gap(reading, words[at]);
    CHECK(reading.all.size() == reading.front.size() + reading.back.size());
    tells(reading.gaps[0].what, "compressed byte 0x");
  }
}

TEST_CASE("the packed bytes that are passed over are told") {
  const Reading reading([](Bytes& member) { member = {'x', 'y', 'z'}; });
  check_gap(reading, "; 3 packed bytes are passed over");
}

TEST_CASE("members behind one whose data is garbled are inflated") {
  const Reading reading([](Bytes& member) {
    std::fill_n(member.begin() + static_cast<long>(member.size() / 2), 3000, std::uint8_t{0xff});
  });
  CHECK(reading.has_all_others());
  CHECK_FALSE(reading.gaps.empty());
}

TEST_CASE("members behind zeros over a part of one, or over all of it, are inflated") {
  const Reading part([](Bytes& member) {
    std::fill_n(member.begin() + static_cast<long>(member.size() / 2), 4096, std::uint8_t{0});
  });
  CHECK(part.has_all_others());
  CHECK_FALSE(part.gaps.empty());
  const Reading whole([](Bytes& member) { std::fill(member.begin(), member.end(), 0); });
  check_gap(whole, "zeros where a member should begin");
  CHECK(whole.all.size() == whole.front.size() + whole.back.size());
}

TEST_CASE("members behind one that was cut are inflated, though its data seems to go on in them") {
  for (const std::size_t size : {5U, 1000U, 50'000U, 100'000U}) {
    CAPTURE(size);
    const Reading reading([&](Bytes& member) { member.resize(size); });
    CHECK(reading.has_all_others());
    CHECK(reading.gaps.size() == 1);
    CHECK(reading.ended_by.empty());
  }
}

TEST_CASE("a member with a wrong checksum or length loses nothing, and that is said") {
  for (const std::size_t from_end : {2U, 6U}) {
    CAPTURE(from_end);
    const Reading reading([&](Bytes& member) { member[member.size() - from_end] ^= 1U; });
    CHECK(reading.all.size() == reading.front.size() + kMemberBytes + reading.back.size());
    CHECK(reading.has_all_others());
    REQUIRE(reading.gaps.size() == 1);
    CHECK_FALSE(reading.gaps[0].lost);
    tells(reading.gaps[0].what, from_end == 2 ? "incorrect length" : "incorrect data check");
  }
  const Reading both([&](Bytes& member) {
    member[member.size() - 2] ^= 1U;
    member[member.size() - 6] ^= 1U;
  });
  CHECK(both.has_all_others());
  REQUIRE(both.gaps.size() == 1);
  CHECK(both.gaps[0].lost);
}

TEST_CASE("what only looks like a member's begin is passed over") {
  const Bytes false_begin{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
  const Reading reading([&](Bytes& member) {
    member[0] = 0;
    for (std::size_t at = 100; at < member.size() - 100; at += 500) {
      std::copy(false_begin.begin(), false_begin.end(), member.begin() + static_cast<long>(at));
    }
  });
  check_gap(reading, "no gzip member begins here");
  CHECK(reading.all.size() == reading.front.size() + reading.back.size());
}

TEST_CASE("a file full of begins of members is given up in bounded time, and what is left told") {
  const TempFolder folder;
  const Bytes begin{0x1f, 0x8b, 8, 0};
  const Bytes first = content(1, 1000);
  Bytes file = test::gzip(first);
  file.insert(file.end(), {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff});
  for (unsigned i = 0; i < 600'000; ++i) {
    append(file, begin);
  }
  append(file, test::gzip(first));
  test::write_file(folder / "x", file);
  const auto source = open_source(folder / "x");
  source->tolerate_damage();
  CHECK(read_to_end(*source) == first);
  CHECK(source->gaps().empty());
  tells(source->damage(), "packed bytes from there on are not used");
  CHECK(source->bytes_read() < 150 * file.size());
}

TEST_CASE("where the last members are damaged, how much is not used is told") {
  const TempFolder folder;
  const Bytes first = content(1);
  Bytes file = test::gzip(first);
  Bytes second = test::gzip(content(2));
  second[2] = 0xff;
  append(file, second);
  test::write_file(folder / "x", file);
  const auto source = open_source(folder / "x");
  source->tolerate_damage();
  CHECK(read_to_end(*source) == first);
  tells(source->damage(), "compressed byte 0x");
  tells(source->damage(), "packed bytes from there on are not used");
}

TEST_CASE("bytes seem to end at a gap where that is wanted, until it is passed") {
  const Reading reading([](Bytes& member) { member[0] = 0; });
  BufferedInput input(reading.open());
  input.peek(1);
  input.stop_at_gaps(true);
  CHECK(input.skip(10 * kMemberBytes) == reading.front.size());
  CHECK(input.at_end());
  CHECK(input.peek(1) == nullptr);
  input.go_to(10);
  CHECK(input.skip(10 * kMemberBytes) == reading.front.size() - 10);
  REQUIRE(input.pass_gap());
  CHECK_FALSE(input.at_end());
  CHECK(input.skip(10 * kMemberBytes) == reading.back.size());
  CHECK_FALSE(input.pass_gap());
  input.go_to(reading.front.size() + 7);
  REQUIRE(input.peek(1) != nullptr);
  CHECK(*input.peek(1) == reading.back[7]);
}

TEST_CASE("a source that does not tolerate damage fails where a member is damaged") {
  const Reading reading([](Bytes& member) { member[member.size() / 2] ^= 0xffU; });
  const auto source = open_source(reading.folder / "x");
  CHECK_THROWS(read_to_end(*source));
}
