#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace hprof::test {

/// A graph written down edge by edge, with the interface that the algorithms ask for.
class AdjacencyGraph {
 public:
  struct Cursor {
    bool next(std::uint32_t& target) {
      if (at == end) {
        return false;
      }
      target = *at++;
      return true;
    }
    const std::uint32_t* at;
    const std::uint32_t* end;
  };

  explicit AdjacencyGraph(std::uint32_t size) : edges_(size) {}

  void add_edge(std::uint32_t source, std::uint32_t target) { edges_[source].push_back(target); }
  void set_roots(std::vector<std::uint32_t> roots) {
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    roots_ = std::move(roots);
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(edges_.size()); }
  std::span<const std::uint32_t> roots() const { return roots_; }
  Cursor successors(std::uint32_t object) const {
    const auto& list = edges_[object];
    return {list.data(), list.data() + list.size()};
  }
  static Cursor save(const Cursor& cursor) { return cursor; }
  static Cursor restore(const Cursor& cursor) { return cursor; }
  const std::vector<std::uint32_t>& targets(std::uint32_t object) const { return edges_[object]; }

  /// "roots 0 3; 0: 1 2; …" for messages.
  std::string text() const;

 private:
  std::vector<std::vector<std::uint32_t>> edges_;
  std::vector<std::uint32_t> roots_;
};

/// A random graph of one of kShapes shapes, the same for the same arguments.
AdjacencyGraph random_graph(unsigned shape, std::uint32_t seed);
inline constexpr unsigned kShapes = 10;

}  // namespace hprof::test
