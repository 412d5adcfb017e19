// Graph files with right checksums whose contents contradict each other: whatever the stage and
// --verify say of them, it is not that the program is wrong.
#include "common/error.h"
#include "formats/domtree_file.h"
#include "tests/support/files.h"
#include "tests/unit/hprof-domtree/heap_model.h"
#include "tools/hprof-domtree/stage.h"
#include "tools/hprof-domtree/verify.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <libdeflate.h>

using namespace hprof;
using namespace hprof::test;

namespace {

constexpr std::size_t kFooterBytes = 64;
using Bytes = std::vector<std::uint8_t>;

std::array<std::uint8_t, 4> checksum(const Bytes& file) {
  const std::uint32_t crc = ::libdeflate_crc32(0, file.data(), file.size() - kFooterBytes);
  std::array<std::uint8_t, 4> bytes{};
  std::memcpy(bytes.data(), &crc, bytes.size());
  return bytes;
}

/// `whole` with other bytes at `at`, and the checksum of these.
Bytes forged(const Bytes& whole, std::size_t at, std::uint32_t value, std::size_t width) {
  const auto before = checksum(whole);
  Bytes file = whole;
  std::memcpy(file.data() + at, &value, width);
  const auto place =
      std::search(file.end() - kFooterBytes, file.end(), before.begin(), before.end());
  REQUIRE(place != file.end());
  const auto after = checksum(file);
  std::copy(after.begin(), after.end(), place);
  return file;
}

/// What the stage with --verify says of a graph file.
ExitCode verdict(const std::string& graph_path, Algorithm algorithm, const std::string& output) {
  CommonOptions common;
  common.progress = ProgressMode::never;
  ToolInfo tool;
  tool.name = "test";
  Steps steps(tool, common);
  const TreeOptions options{.algorithm = algorithm};
  try {
    const GraphFile file(graph_path);
    build_domtree(file, made_by("hprof-domtree"), options, output, steps);
    verify_domtree(file, options, output, true, steps);
  } catch (const Error& error) {
    CAPTURE(std::string(error.what()));
    CHECK(error.code() != ExitCode::bug);
    return error.code();
  }
  return ExitCode::ok;
}

/// 0 references 1 and 2, 1 references 2, 4 is garbage; all reference their class 3, a root like 0.
HeapModel small_heap() {
  HeapModel heap(5);
  heap.references.add_edge(0, 1);
  heap.references.add_edge(0, 2);
  heap.references.add_edge(1, 2);
  heap.references.set_roots({0, 3});
  heap.class_objects = {3};
  heap.types.push_back({.class_index = ClassIndex(0),
                        .class_object = ObjectIndex(3),
                        .kind = RecordKind::instance,
                        .base = 16});
  heap.excluded = {{false, true}, {false}, {}, {}, {}};
  return heap;
}

}  // namespace

TEST_CASE("no word of a forged graph file makes --verify blame the program") {
  const TempFolder folder;
  small_heap().write(folder / "x.graph", 3);
  const Bytes whole = read_file(folder / "x.graph");
  std::size_t refused = 0;
  std::size_t taken = 0;
  for (const auto algorithm : {Algorithm::semi_nca, Algorithm::chk}) {
    REQUIRE(verdict(folder / "x.graph", algorithm, folder / "x.domtree") == ExitCode::ok);
    for (std::size_t at = 0; at + kFooterBytes < whole.size(); ++at) {
      for (const std::uint32_t value : {0U, 1U, 2U, 4U, 16U, 255U, 0xfffffff0U}) {
        const std::size_t width = at % 4 == 0 ? 4 : 1;
        write_file(folder / "forged.graph", forged(whole, at, value, width));
        CAPTURE(at);
        CAPTURE(value);
        const auto code = verdict(folder / "forged.graph", algorithm, folder / "forged.domtree");
        taken += code == ExitCode::ok ? 1 : 0;
        refused += code == ExitCode::bad_data ? 1 : 0;
      }
    }
  }
  CHECK(taken > 100);
  CHECK(refused > 100);
}

TEST_CASE("a tree that an earlier run wrote and that is wrong is to be written again") {
  const TempFolder folder;
  small_heap().write(folder / "x.graph", 3);
  const GraphFile file(folder / "x.graph");
  DomtreeWriter(folder / "x.domtree", made_by("hprof-domtree"), {}, {}).commit();
  CommonOptions common;
  common.progress = ProgressMode::never;
  ToolInfo tool;
  tool.name = "test";
  Steps steps(tool, common);
  CHECK_THROWS_WITH_AS(verify_domtree(file, {}, folder / "x.domtree", false, steps),
                       doctest::Contains("run hprof-domtree with --force again"), Error);
  CHECK_THROWS_WITH_AS(verify_domtree(file, {}, folder / "x.domtree", true, steps),
                       doctest::Contains("please report this"), Error);
}
