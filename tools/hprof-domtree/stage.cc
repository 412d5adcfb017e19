// The references are in memory only until the search has turned them into logs; from then on
// numbers alone count.
#include "tools/hprof-domtree/stage.h"

#include "formats/reference_graph.h"
#include "tools/hprof-domtree/chk.h"
#include "tools/hprof-domtree/depth_first.h"
#include "tools/hprof-domtree/search_graph.h"
#include "tools/hprof-domtree/semi_nca.h"
#include "tools/hprof-domtree/tree_layout.h"
#include "tools/hprof-domtree/tree_writer.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <utility>

namespace hprof {
namespace {

using Excluded = ReferenceGraph::Excluded;

ReferenceGraph load(const GraphFile& file, const TreeOptions& options, Steps& steps) {
  return steps.run("loading the references", [&](Progress&) {
    return ReferenceGraph(file, options.skip_excluded ? Excluded::skip : Excluded::follow);
  });
}

SearchGraph reduce(ReferenceGraph graph, const GraphFile& file, Steps& steps) {
  return steps.run("reducing the graph", [&](Progress&) {
    return SearchGraph(std::move(graph), file.summary().class_objects);
  });
}

SearchTree search(SearchGraph graph, Steps& steps) {
  auto& stats = steps.stats();
  auto joins = graph.take_joins();
  stats.set("joins", joins.count());
  stats.set("class_edges", graph.class_edges());
  auto tree = steps.run("depth-first numbering", [&](Progress& progress) {
    return DepthFirstSearch<SearchGraph>(graph, std::move(joins), progress).run();
  });
  stats.set("edges", tree.edges);
  stats.set("cross_edges", tree.cross_edges.edges());
  stats.set("cross_edge_log_bytes", tree.cross_edges.bytes());
  stats.set("parent_log_bytes", tree.parents.bytes());
  stats.set("object_log_bytes", tree.objects.bytes());
  stats.set("stack_frames_peak", tree.stack_peak);
  return tree;
}

DominatorNumbers dominators_of(SearchTree tree, Steps& steps) {
  SemiNcaCounters counters;
  auto dominators = steps.run("dominators", [&](Progress& progress) {
    return semi_nca(std::move(tree), progress, counters);
  });
  auto& stats = steps.stats();
  stats.set("compressed_nodes", counters.compressed);
  stats.set("semidominators", counters.semidominators);
  stats.set("climb_steps", counters.climb_steps);
  stats.set("skip_pointers", counters.skip_pointers ? 1 : 0);
  return dominators;
}

DominatorNumbers dominators_by_chk(const ReferenceGraph& graph, Steps& steps) {
  std::uint64_t rounds = 0;
  auto dominators =
      steps.run("dominators", [&](Progress& progress) { return chk(graph, progress, rounds); });
  steps.stats().set("chk_rounds", rounds);
  return dominators;
}

/// Hands what the small blocks of logs and stacks leave behind back to the system, before the next
/// columns come.
void trim_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

struct Found {
  DominatorNumbers dominators;
  std::uint64_t all_shallow;
};

Found find_dominators(const GraphFile& file, const TreeOptions& options, Steps& steps) {
  auto graph = load(file, options, steps);
  const std::uint64_t all_shallow = graph.totals().all_shallow;
  if (options.algorithm == Algorithm::chk) {
    return {dominators_by_chk(graph, steps), all_shallow};
  }
  auto tree = search(reduce(std::move(graph), file, steps), steps);
  trim_heap();
  Found found{dominators_of(std::move(tree), steps), all_shallow};
  trim_heap();
  return found;
}

}  // namespace

std::vector<std::string> result_options(const TreeOptions& options) {
  return {concat("algorithm=", options.algorithm == Algorithm::chk ? "chk" : "semi-nca"),
          concat("skip-excluded=", options.skip_excluded ? "yes" : "no")};
}

void build_domtree(const GraphFile& file, const Provenance& provenance, const TreeOptions& options,
                   const std::string& path, Steps& steps) {
  auto found = find_dominators(file, options, steps);
  auto& stats = steps.stats();
  stats.set("objects", file.summary().objects);
  stats.set("roots", file.roots().size());
  stats.set("nodes", found.dominators.reached());
  auto layout = steps.run("ordering the tree",
                          [&](Progress&) { return lay_out_tree(std::move(found.dominators)); });
  trim_heap();
  const auto written =
      write_domtree(path, provenance, file, found.all_shallow, std::move(layout), steps);
  stats.set("output_bytes", written.bytes);
}

}  // namespace hprof
