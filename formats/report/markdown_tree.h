#pragma once

#include "formats/report/text_graphs.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// A tree of names with figures, given in reading order: a nested list in plain Markdown, lines
/// with branches and bars with graphs.
class MarkdownTree {
 public:
  /// A node `depth` levels under the root (0), at most one more than the node before it; `name` as
  /// it comes from the dump, `figures` as plain text, `amount` for the bar.
  void node(std::size_t depth, std::string name, std::string figures, std::uint64_t amount);
  std::string text(MarkdownStyle style) const;

 private:
  struct Node {
    std::size_t depth;
    std::string name;
    std::string figures;
    std::uint64_t amount;
  };

  std::string nested_list() const;
  std::string drawn_tree() const;
  std::vector<std::string> branches() const;

  std::vector<Node> nodes_;
};

}  // namespace hprof
