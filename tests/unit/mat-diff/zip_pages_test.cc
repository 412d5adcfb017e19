#include "common/error.h"
#include "formats/mat/page_source.h"
#include "tests/support/files.h"
#include "tests/unit/mat-diff/zip_builder.h"

#include <doctest/doctest.h>

#include <random>

using namespace hprof;
using namespace hprof::test;

namespace {

ZipEntry entry(const std::string& name, const std::string& content = "content") {
  ZipEntry result;
  result.name = name;
  result.content = content;
  return result;
}

/// The sentence with which an archive is refused, after reading every name in `reads`; empty when
/// it is taken.
std::string refusal(const std::vector<std::uint8_t>& bytes,
                    const std::vector<std::string>& reads = {}, const PageLimits& limits = {}) {
  try {
    const auto pages = zip_pages_in_memory(bytes, "x.zip", limits);
    for (const auto& name : reads) {
      pages->read(name);
    }
  } catch (const Error& error) {
    CHECK(error.code() == ExitCode::bad_data);
    return error.what();
  }
  return {};
}

bool says(const std::string& sentence, const std::string& words) {
  INFO("refused with: " << sentence);
  return sentence.find(words) != std::string::npos && sentence.starts_with("x.zip: ");
}

}  // namespace

TEST_CASE("stored, deflated and zip64 entries come back whole") {
  auto stored = entry("pages/b.html", "bbb");
  stored.deflate = false;
  auto wide = entry("c.html", std::string(5000, 'c'));
  wide.zip64 = true;
  const auto bytes = zip_of(std::vector<ZipEntry>{entry("a.html", ""), stored, wide});
  const auto pages = zip_pages_in_memory(bytes, "x.zip");
  CHECK(pages->read("a.html").empty());
  CHECK(pages->read("pages/b.html") == "bbb");
  CHECK(pages->read("c.html") == std::string(5000, 'c'));
  CHECK(pages->has("c.html"));
  CHECK_FALSE(pages->has("d.html"));
  CHECK(says(refusal(bytes, {"d.html"}), "not in the archive"));
}

TEST_CASE("an archive on disk is read like one in memory") {
  const TempFolder folder;
  write_file(folder / "x.zip", zip_of(std::vector<ZipEntry>{entry("a.html", "aaa")}));
  CHECK(open_zip_pages(folder / "x.zip")->read("a.html") == "aaa");
  CHECK_THROWS_AS(open_zip_pages(folder / "y.zip"), Error);
}

TEST_CASE("names that lead out of the archive are refused") {
  for (const auto* name : {"../a.html", "pages/../../a.html", "/etc/passwd", "pages\\a.html",
                           "C:a.html", "a/..", "..", "a\x01.html"}) {
    CAPTURE(std::string(name));
    CHECK(says(refusal(zip_of(std::vector<ZipEntry>{entry(name)})), "leads out of the archive"));
  }
  CHECK(refusal(zip_of(std::vector<ZipEntry>{entry("a..b/c...html")})).empty());
}

TEST_CASE("a name given twice is refused") {
  CHECK(says(refusal(zip_of(std::vector<ZipEntry>{entry("a.html"), entry("b.html"),
                                                  entry("a.html", "other")})),
             "twice"));
}

TEST_CASE("encrypted entries and unknown methods are refused") {
  auto encrypted = entry("a.html");
  encrypted.flags = 1;
  CHECK(says(refusal(zip_of(std::vector<ZipEntry>{encrypted})), "encrypted"));
  auto strange = entry("a.html");
  strange.method = 12;
  CHECK(says(refusal(zip_of(std::vector<ZipEntry>{strange})), "method 12"));
}

TEST_CASE("bombs are refused by their declared sizes before anything is inflated") {
  const std::string zeros(4U << 20U, '\0');
  CHECK(says(refusal(zip_of(std::vector<ZipEntry>{entry("a.html", zeros)})),
             "over 200 times its size"));
  auto huge = entry("a.html");
  huge.declared_size = (std::uint64_t{16} << 20U) + 1;
  CHECK(says(refusal(zip_of(std::vector<ZipEntry>{huge})), "more than a page can have"));
  PageLimits limits;
  limits.total_bytes = 10;
  CHECK(says(refusal(zip_of(std::vector<ZipEntry>{entry("a"), entry("b")}), {}, limits), "in all"));
  limits = {};
  limits.files = 1;
  CHECK(
      says(refusal(zip_of(std::vector<ZipEntry>{entry("a"), entry("b")}), {}, limits), "2 files"));
}

TEST_CASE("entries that share their bytes are refused") {
  auto first = entry("a.html", std::string(3000, 'x'));
  first.deflate = false;
  auto second = first;
  second.name = "b.html";
  second.body_of = 0;
  auto third = second;
  third.name = "c.html";
  CHECK_FALSE(refusal(zip_of(std::vector<ZipEntry>{first, second, third}), {"a.html"}).empty());
}

TEST_CASE("a zip64 size that lies is refused, however large") {
  for (const std::uint64_t size :
       {std::uint64_t{6}, std::uint64_t{8}, std::uint64_t{1} << 40U, UINT64_MAX}) {
    auto liar = entry("a.html");
    liar.zip64 = true;
    liar.declared_size = size;
    CAPTURE(size);
    CHECK_FALSE(refusal(zip_of(std::vector<ZipEntry>{liar}), {"a.html"}).empty());
  }
}

TEST_CASE("declared sizes and checksums that are wrong are refused at reading") {
  auto shorter = entry("a.html", std::string(100, 'x'));
  shorter.declared_size = 90;
  CHECK_FALSE(refusal(zip_of(std::vector<ZipEntry>{shorter}), {"a.html"}).empty());
  auto longer = entry("a.html", std::string(100, 'x'));
  longer.declared_size = 110;
  CHECK_FALSE(refusal(zip_of(std::vector<ZipEntry>{longer}), {"a.html"}).empty());
  auto wrong = entry("a.html");
  wrong.declared_crc = 1;
  CHECK_FALSE(refusal(zip_of(std::vector<ZipEntry>{wrong}), {"a.html"}).empty());
}

TEST_CASE("an archive cut at any byte is refused") {
  const auto whole = zip_of(std::vector<ZipEntry>{entry("a.html", "aaa"), entry("b.html", "bbb")});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    const std::vector<std::uint8_t> cut(whole.begin(),
                                        whole.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK_FALSE(refusal(cut, {"a.html", "b.html"}).empty());
  }
}

TEST_CASE("an archive with wrong bytes is refused or gives the same pages") {
  const auto whole =
      zip_of(std::vector<ZipEntry>{entry("a.html", std::string(300, 'a')), entry("b.html", "bbb")});
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    auto bytes = whole;
    for (unsigned i = 0; i < 1 + random() % 3; ++i) {
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    }
    try {
      const auto pages = zip_pages_in_memory(bytes, "x.zip");
      if (pages->has("a.html")) {
        const auto page = pages->read("a.html");
        CHECK(page == std::string(300, 'a'));
      }
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::bad_data);
    }
  }
}

TEST_CASE("links resolve within the export and nowhere else") {
  CHECK(resolve_link("index.html", "pages/a.html#i3") == "pages/a.html");
  CHECK(resolve_link("pages/a.html", "../index.html") == "index.html");
  CHECK(resolve_link("pages/a.html", "b.html") == "pages/b.html");
  for (const auto* href :
       {"../a.html", "/etc/passwd", "http://host/a", "#top", "", "..\\a", "pages/../../a"}) {
    CAPTURE(href);
    CHECK(resolve_link("index.html", href).empty());
  }
}
