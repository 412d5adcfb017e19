#include "formats/domtree_file.h"
#include "formats/graph_writer.h"
#include "formats/index_file.h"
#include "formats/reference_graph.h"
#include "tests/support/files.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <random>

using namespace hprof;
using test::TempFolder;

namespace {

Provenance provenance() {
  Provenance out;
  out.tool = "hprof-graph";
  out.tool_version = "1";
  out.options = {"sizes=mat"};
  out.dump = {.name = "a.hprof", .size_bytes = 5, .timestamp_ms = 6, .edge_crc32 = 7};
  out.inputs = {{.kind = "index", .identity = {.crc32 = 1, .bytes = 2}}};
  return out;
}

struct Edges {
  std::vector<std::vector<std::uint32_t>> rows;
  std::vector<ExcludedReference> excluded;
};

/// Rows of every sort: empty, short, long enough to be escaped, near and far targets, both codings.
Edges random_edges(std::uint32_t objects, std::uint32_t seed) {
  std::mt19937 engine(seed);
  const auto random = [&] { return static_cast<std::uint32_t>(engine()); };
  Edges edges;
  edges.rows.resize(objects);
  for (std::uint32_t object = 0; object < objects; ++object) {
    const std::uint32_t sort = random() % 20;
    const std::uint32_t count = sort < 8 ? 0 : sort < 19 ? random() % 5 : random() % 400;
    for (std::uint32_t i = 0; i < count; ++i) {
      edges.rows[object].push_back(random() % 2 == 0 ? random() % objects
                                                     : (object + random() % 30) % objects);
    }
    if (object % 2 == 0 && count > 1 && count < 5) {
      edges.excluded.push_back({.source = object, .ordinal = random() % count});
    }
  }
  return edges;
}

void write_graph(const std::string& path, const Edges& edges) {
  const auto objects = static_cast<std::uint32_t>(edges.rows.size());
  const std::vector<GraphType> types{
      {.class_index = ClassIndex(0), .class_object = ObjectIndex(1), .base = 16},
      {.class_index = ClassIndex(0),
       .class_object = ObjectIndex(1),
       .kind = RecordKind::object_array,
       .base = 16,
       .scale = 4,
       .align = 8}};
  GraphWriter writer(path, provenance(),
                     {.objects = objects,
                      .classes = 1,
                      .size_unit = 8,
                      .size_model = "mat",
                      .java_lang_class = ClassIndex(0),
                      .class_objects = {1}},
                     types, {2, 5});
  RowEncoder encoder;
  for (std::uint32_t object = 0; object < objects; ++object) {
    const bool array = object % 2 != 0;
    encoder.begin(object, array);
    for (const std::uint32_t target : edges.rows[object]) {
      encoder.add(target);
    }
    writer.append(array ? 1 : 0, edges.rows[object].size(), encoder.bytes());
  }
  GraphTotals totals;
  totals.edges = 42;
  writer.commit(edges.excluded, totals);
}

std::vector<std::uint32_t> row_of(const ReferenceGraph& graph, std::uint32_t object) {
  std::vector<std::uint32_t> row;
  auto cursor = graph.references(object);
  std::uint32_t target = 0;
  while (cursor.next(target)) {
    row.push_back(target);
  }
  return row;
}

ExitCode code_of_reading(const std::string& path) {
  try {
    const GraphFile file(path);
    const ReferenceGraph graph(file, ReferenceGraph::Excluded::follow);
    std::uint32_t target = 0;
    for (std::uint32_t object = 0; object < graph.size(); ++object) {
      for (auto cursor = graph.successors(object); cursor.next(target);) {
      }
    }
    file.for_each_object([](const ObjectRow&) {});
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::ok;
}

}  // namespace

TEST_CASE("references come back as they were coded, with and without the excluded ones") {
  const TempFolder folder;
  const auto edges = random_edges(3000, 1);
  write_graph(folder / "x.graph", edges);
  const GraphFile file(folder / "x.graph");
  CHECK(file.roots() == std::vector<std::uint32_t>{2, 5});
  const ReferenceGraph all(file, ReferenceGraph::Excluded::follow);
  const ReferenceGraph strong(file, ReferenceGraph::Excluded::skip);
  CHECK(all.totals().edges == 42);
  auto next = edges.excluded.begin();
  for (std::uint32_t object = 0; object < all.size(); ++object) {
    REQUIRE(row_of(all, object) == edges.rows[object]);
    CHECK(all.has_references(object) == !edges.rows[object].empty());
    auto expected = edges.rows[object];
    if (next != edges.excluded.end() && next->source == object) {
      expected[next->ordinal] = object;
      ++next;
    }
    REQUIRE(row_of(strong, object) == expected);
  }
  std::uint64_t shallow = 0;
  file.for_each_object([&](const ObjectRow& row) {
    const bool array = row.index % 2 != 0;
    REQUIRE(row.shallow == (array ? (16 + 4 * edges.rows[row.index].size() + 7) / 8 * 8 : 16));
    shallow += row.shallow;
  });
  CHECK(shallow > 48000);
}

TEST_CASE("a stage file cut at any word, or with any byte before its footer changed, is refused") {
  const TempFolder folder;
  write_graph(folder / "x.graph", random_edges(60, 2));
  const auto whole = test::read_file(folder / "x.graph");
  CHECK(code_of_reading(folder / "x.graph") == ExitCode::ok);
  for (std::size_t size = 0; size < whole.size(); size += 8) {
    test::write_file(folder / "cut", std::span(whole).first(size));
    CAPTURE(size);
    REQUIRE(code_of_reading(folder / "cut") == ExitCode::bad_data);
  }
  constexpr std::size_t kFooterBytes = 64;
  for (std::size_t at = 0; at + kFooterBytes < whole.size(); ++at) {
    auto bytes = whole;
    bytes[at] ^= 0x11U;
    test::write_file(folder / "changed", bytes);
    CAPTURE(at);
    const auto code = code_of_reading(folder / "changed");
    REQUIRE((code == ExitCode::bad_data || code == ExitCode::limit || code == ExitCode::stale));
  }
}

/// Makes a file look as if nobody had touched it for a while.
void set_age(const std::string& path, std::chrono::seconds age) {
  std::filesystem::last_write_time(path, std::filesystem::file_time_type::clock::now() - age);
}

TEST_CASE("a checksum is held against a file again once it has changed, old or new") {
  for (const std::chrono::seconds age : {std::chrono::seconds(0), std::chrono::seconds(60)}) {
    const TempFolder folder;
    const std::string path = folder / "x.graph";
    write_graph(path, random_edges(60, 2));
    set_age(path, age);
    const GraphFile opened(path);
    const auto identity = identify_stage_file<schema::GraphFrame>(path, kGraphFile).second;
    CHECK(identify_stage_file<schema::GraphFrame>(path, kGraphFile).second == identity);
    CHECK(opened.identity() == identity);
    auto bytes = test::read_file(path);
    bytes[bytes.size() / 2] ^= 1U;
    test::write_file(path, bytes);
    CHECK(code_of_reading(path) == ExitCode::bad_data);
    bytes[bytes.size() / 2] ^= 1U;
    test::write_file(path, bytes);
    CHECK(identify_stage_file<schema::GraphFrame>(path, kGraphFile).second == identity);
  }
}

TEST_CASE("only what has not just been changed is remembered as whole") {
  const TempFolder folder;
  const std::string path = folder / "x";
  const std::vector<std::uint8_t> bytes(10);
  test::write_file(path, bytes);
  const FileIdentity identity{.crc32 = 5, .bytes = 10};
  const auto fresh = stamp_of(open_input(path));
  REQUIRE(fresh.has_value());
  WholeFiles::add(*fresh, identity);
  CHECK_FALSE(WholeFiles::find(*fresh).has_value());
  set_age(path, std::chrono::seconds(60));
  const auto old = stamp_of(open_input(path));
  REQUIRE(old.has_value());
  WholeFiles::add(*old, identity);
  CHECK(WholeFiles::find(*old) == identity);
  set_age(path, std::chrono::seconds(50));
  CHECK_FALSE(WholeFiles::find(*stamp_of(open_input(path))).has_value());
}

TEST_CASE("a file of another kind or format is told from a damaged one") {
  const TempFolder folder;
  write_graph(folder / "x.graph", random_edges(60, 2));
  const auto code_of = [](const std::string& path) {
    try {
      const DomtreeFile file(path);
    } catch (const Error& error) {
      CHECK(std::string(error.what()).find("it is the graph file") != std::string::npos);
      return error.code();
    }
    return ExitCode::ok;
  };
  CHECK(code_of(folder / "x.graph") == ExitCode::bad_data);
}

TEST_CASE("a file is current only for the very same provenance, whole and undamaged") {
  const TempFolder folder;
  const std::string path = folder / "x.graph";
  write_graph(path, random_edges(60, 2));
  const auto current = [&](const Provenance& wanted) {
    return is_current<schema::GraphFrame>(path, kGraphFile, wanted);
  };
  CHECK(current(provenance()));
  auto other = provenance();
  other.options = {"sizes=dumped"};
  CHECK_FALSE(current(other));
  other = provenance();
  other.dump.size_bytes = 99;
  CHECK_FALSE(current(other));
  other = provenance();
  other.inputs[0].identity.crc32 = 9;
  CHECK_FALSE(current(other));
  auto bytes = test::read_file(path);
  bytes[bytes.size() / 2] ^= 1U;
  test::write_file(path, bytes);
  CHECK_FALSE(current(provenance()));
  CHECK_FALSE(is_current<schema::GraphFrame>(folder / "missing", kGraphFile, provenance()));
}

TEST_CASE("no object may retain more than there is") {
  const TempFolder folder;
  for (const std::uint64_t retained : {800U, 808U}) {
    DomtreeWriter writer(folder / "x.domtree", provenance(),
                         {.objects = 1, .size_unit = 8, .reachable_shallow = 800}, {});
    writer.append(kVirtualRoot, retained);
    writer.commit();
    const DomtreeFile file(folder / "x.domtree");
    const auto read = [&] { file.for_each_node([](const DomtreeNode&) {}); };
    if (retained > 800) {
      CHECK_THROWS_WITH_AS(read(), doctest::Contains("an object retains more than there is"),
                           Error);
    } else {
      CHECK_NOTHROW(read());
    }
  }
}

TEST_CASE("dominators and retained sizes come back as they were written") {
  const TempFolder folder;
  std::mt19937_64 random(4);
  constexpr std::uint32_t kObjects = 5000;
  std::vector<DomtreeNode> nodes(kObjects);
  for (std::uint32_t i = 0; i < kObjects; ++i) {
    const std::uint32_t dominators[] = {kUnreachable, kVirtualRoot,
                                        static_cast<std::uint32_t>(random() % kObjects)};
    nodes[i] = {.index = i, .dominator = dominators[random() % 3], .retained = 0};
    nodes[i].retained = nodes[i].reachable() ? (random() >> (random() % 60)) / 8 * 8 : 0;
  }
  const std::vector<ClassTotal> classes(70000, ClassTotal{.reachable_instances = 1,
                                                          .reachable_shallow = 2,
                                                          .largest_shallow = 3,
                                                          .retained = 1ULL << 40U,
                                                          .unreachable_instances = 5,
                                                          .unreachable_shallow = 6});
  DomtreeSummary summary{.objects = kObjects, .size_unit = 8};
  for (const auto& node : nodes) {
    summary.reachable_shallow = std::max(summary.reachable_shallow, node.retained);
  }
  DomtreeWriter writer(folder / "x.domtree", provenance(), summary, classes);
  for (const auto& node : nodes) {
    writer.append(node.dominator, node.retained);
  }
  writer.commit();
  const DomtreeFile file(folder / "x.domtree");
  CHECK(file.classes().size() == 70000);
  CHECK(file.classes().back().retained == 1ULL << 40U);
  std::uint32_t rows = 0;
  file.for_each_node([&](const DomtreeNode& node) {
    REQUIRE(node.dominator == nodes[node.index].dominator);
    REQUIRE(node.retained == nodes[node.index].retained);
    REQUIRE(node.units * 8 == node.retained);
    ++rows;
  });
  CHECK(rows == kObjects);
  NodeStream stream(file);
  for (const auto& node : nodes) {
    const auto& streamed = stream.next();
    REQUIRE(streamed.index == node.index);
    REQUIRE(streamed.dominator == node.dominator);
    REQUIRE(streamed.retained == node.retained);
  }
  stream.finish();
  NodeStream too_far(file);
  for (std::uint32_t i = 0; i < kObjects; ++i) {
    too_far.next();
  }
  CHECK_THROWS_AS(too_far.next(), Error);
}
