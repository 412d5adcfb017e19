#include "formats/domtree_file.h"
#include "formats/hprof_tags.h"
#include "tools/hprof-report/package_tree.h"
#include "tools/hprof-report/roots.h"
#include "tools/hprof-report/thresholds.h"
#include "tools/hprof-report/top_level.h"

#include <doctest/doctest.h>

#include <limits>

namespace hprof {
namespace {

TEST_CASE("thresholds are whole-number shares, rounded down, without overflow") {
  CHECK(share_of(199, 10, 100) == 19);
  CHECK(share_of(23282856, 1, 100) == 232828);
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  CHECK(share_of(huge, 10, 100) == huge / 10);
  CHECK(share_of(huge, 100, 100) == huge);
}

TEST_CASE("seven tenths are reached exactly, not nearly") {
  CHECK(reaches_share(7, 10, 7, 10));
  CHECK_FALSE(reaches_share(6, 10, 7, 10));
  CHECK(reaches_share(8, 11, 7, 10));
  CHECK_FALSE(reaches_share(7, 11, 7, 10));
  for (std::uint64_t whole = 0; whole < 60; ++whole) {
    for (std::uint64_t part = 0; part <= whole; ++part) {
      CHECK(reaches_share(part, whole, 7, 10) == (part * 10 >= whole * 7));
    }
  }
}

GroupSum sum(std::uint64_t retained) {
  return {.instances = 1, .shallow = 8, .retained = retained};
}

TEST_CASE("packages: sums on the way, pruned below the least, kept at it, largest first") {
  PackageTree tree;
  tree.add("a.b.C", sum(60));
  tree.add("a.D", sum(30));
  tree.add("byte[]", sum(9));
  tree.add("z.Small", sum(1));
  const auto root = tree.pruned(9, 100);
  CHECK(root.name == "<all>");
  CHECK(root.retained == 100);
  CHECK(root.instances == 4);
  REQUIRE(root.children.size() == 2);
  CHECK(root.children[0].name == "a");
  CHECK(root.children[0].retained == 90);
  CHECK(root.children[0].retained_bp == 9000);
  CHECK(root.children[0].children[0].name == "b");
  CHECK(root.children[0].children[0].children[0].name == "C");
  CHECK(root.children[0].children[1].name == "D");
  CHECK(root.children[1].name == "byte[]");
}

TEST_CASE("packages: a name of 30 000 segments makes a tree of bounded depth") {
  std::string name = "x";
  for (int i = 0; i < 30000; ++i) {
    name += ".x";
  }
  PackageTree tree;
  tree.add(name, sum(5));
  const PackageNode root = tree.pruned(0, 5);
  unsigned depth = 0;
  for (const auto* node = &root; !node->children.empty(); node = &node->children[0]) {
    ++depth;
  }
  CHECK(depth == kMaxPackageDepth);
}

TEST_CASE("packages: odd dots make no harm") {
  PackageTree tree;
  for (const char* name : {"", ".", "a.", ".a", "a..b"}) {
    tree.add(name, sum(1));
  }
  CHECK(tree.pruned(1, 5).instances == 5);
}

HeapObject object(std::uint32_t index, std::uint64_t retained) {
  return {.index = index, .retained = retained};
}

TEST_CASE("the largest objects: by size, equals by address, no more than asked for") {
  LargestObjects largest(3);
  for (const auto& [index, retained] : std::vector<std::pair<std::uint32_t, std::uint64_t>>{
           {5, 10}, {1, 10}, {7, 30}, {3, 10}, {2, 5}}) {
    largest.add(object(index, retained));
  }
  std::vector<std::uint32_t> order;
  for (const auto& kept : largest.sorted()) {
    order.push_back(kept.index);
  }
  CHECK(order == std::vector<std::uint32_t>{7, 1, 3});
}

TEST_CASE("an object keeps all its root kinds, each once; locals of threads are none") {
  std::vector<RootInfo> roots;
  const auto add = [&](std::uint32_t at, std::uint8_t kind, ObjectIndex thread = {}) {
    roots.push_back({.object = ObjectIndex(at), .kind = kind, .thread = thread});
  };
  add(4, 0x05);
  add(4, 0x01);
  add(4, 0x05);
  add(6, 0x03, ObjectIndex(4));
  add(9, 0x42);
  const RootKinds kinds(roots);
  CHECK(kinds.joined(4) == "JNI Global, System Class");
  CHECK(kinds.kinds_of(6).empty());
  CHECK(kinds.joined(9) == "Unknown (0x42)");
  CHECK(kinds.objects() == std::vector<std::uint32_t>{4, 9});
}

TEST_CASE("records without a name are told by their tag") {
  CHECK(tag_name(0x1c) == "HEAP_DUMP_SEGMENT");
  CHECK(tag_name(0x77) == "unknown (0x77)");
  CHECK(sub_tag_name(0xfe) == "HEAP_DUMP_INFO");
}

}  // namespace
}  // namespace hprof
