#include "tests/unit/hprof-domtree/adjacency_graph.h"

namespace hprof::test {
namespace {

/// Deterministic on every platform, unlike the standard distributions.
class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }

 private:
  std::mt19937 engine_;
};

void add_random_edges(AdjacencyGraph& graph, Random& random, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    graph.add_edge(random.below(graph.size()), random.below(graph.size()));
  }
}

void add_chain(AdjacencyGraph& graph, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t i = from; i + 1 < to; ++i) {
    graph.add_edge(i, i + 1);
  }
}

// Two rails with rungs and edges back.
void add_ladder(AdjacencyGraph& graph, Random& random) {
  const std::uint32_t half = graph.size() / 2;
  add_chain(graph, 0, half);
  add_chain(graph, half, graph.size());
  for (std::uint32_t i = 0; i < half; ++i) {
    if (random.below(2) == 0) {
      graph.add_edge(i, half + i);
    }
    graph.add_edge(half + i, half - 1 - i);
  }
}

void add_tree(AdjacencyGraph& graph, Random& random, bool parent_links) {
  for (std::uint32_t i = 1; i < graph.size(); ++i) {
    const std::uint32_t parent = random.below(i);
    graph.add_edge(parent, i);
    if (parent_links) {
      graph.add_edge(i, parent);
    }
  }
}

// Every node references one of a few hubs, as instances do their class.
void add_hubs(AdjacencyGraph& graph, Random& random) {
  const std::uint32_t hubs = 1 + graph.size() / 8;
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    graph.add_edge(i, random.below(hubs));
  }
}

void add_complete(AdjacencyGraph& graph) {
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    for (std::uint32_t j = 0; j < graph.size(); ++j) {
      graph.add_edge(i, j);
    }
  }
}

// Layers, each referencing the next one: long ways with many joins.
void add_layers(AdjacencyGraph& graph, Random& random) {
  const std::uint32_t width = 2 + random.below(3);
  for (std::uint32_t i = 0; i + width < graph.size(); ++i) {
    for (std::uint32_t k = 0; k <= random.below(3); ++k) {
      graph.add_edge(i, std::min(graph.size() - 1, i - i % width + width + random.below(width)));
    }
  }
}

void add_edges(AdjacencyGraph& graph, Random& random, unsigned shape) {
  const std::uint32_t size = graph.size();
  switch (shape) {
    case 0:
      return add_random_edges(graph, random, size);
    case 1:
      return add_random_edges(graph, random, size * 3 / 2);
    case 2:
      return add_random_edges(graph, random, size * 4);
    case 3:
      add_chain(graph, 0, size);
      return add_random_edges(graph, random, size / 4);
    case 4:
      return add_ladder(graph, random);
    case 5:
      add_tree(graph, random, false);
      return add_random_edges(graph, random, 1 + size / 4);
    case 6:
      return add_tree(graph, random, true);
    case 7:
      add_hubs(graph, random);
      return add_tree(graph, random, random.below(2) == 0);
    case 8:
      add_layers(graph, random);
      return add_random_edges(graph, random, size / 8);
    default:
      return size <= 12 ? add_complete(graph) : add_random_edges(graph, random, size * size / 2);
  }
}

// Self references and repeated ones, which must change nothing.
void add_noise(AdjacencyGraph& graph, Random& random) {
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    const auto targets = graph.targets(i);
    if (random.below(8) == 0) {
      graph.add_edge(i, i);
    }
    if (!targets.empty() && random.below(4) == 0) {
      graph.add_edge(i, targets[random.below(static_cast<std::uint32_t>(targets.size()))]);
    }
  }
}

}  // namespace

std::string AdjacencyGraph::text() const {
  std::string out = "roots";
  for (const auto root : roots_) {
    out += " " + std::to_string(root);
  }
  for (std::uint32_t i = 0; i < size(); ++i) {
    out += "; " + std::to_string(i) + ":";
    for (const auto target : edges_[i]) {
      out += " " + std::to_string(target);
    }
  }
  return out;
}

AdjacencyGraph random_graph(unsigned shape, std::uint32_t seed) {
  Random random(seed * 31 + shape);
  AdjacencyGraph graph(1 + random.below(36));
  add_edges(graph, random, shape);
  add_noise(graph, random);
  std::vector<std::uint32_t> roots;
  const std::uint32_t many = random.below(4) == 0 ? graph.size() / 3 : 2;
  for (std::uint32_t i = random.below(1 + many); i < many + 1; ++i) {
    roots.push_back(random.below(5) == 0 ? 0 : random.below(graph.size()));
  }
  graph.set_roots(roots);
  return graph;
}

}  // namespace hprof::test
