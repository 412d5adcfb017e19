#include "formats/report/markdown_tree.h"

#include "common/error.h"
#include "formats/report/markdown_text.h"

#include <algorithm>

namespace hprof {
namespace {

/// Names up to this width, their branches included, are aligned; longer ones push their figures
/// out.
constexpr std::size_t kMaxAlignedWidth = 80;

std::size_t widest(const std::vector<std::string>& texts) {
  std::size_t width = 0;
  for (const auto& text : texts) {
    const std::size_t used = md_width(text);
    if (used <= kMaxAlignedWidth) {
      width = std::max(width, used);
    }
  }
  return width;
}

void append_column(std::vector<std::string>& lines, const std::vector<std::string>& cells) {
  const std::size_t width = widest(lines);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i] += md_padding(lines[i], width) + "  " + cells[i];
  }
}

}  // namespace

void MarkdownTree::node(std::size_t depth, std::string name, std::string figures,
                        std::uint64_t amount) {
  const std::size_t deepest = nodes_.empty() ? 0 : nodes_.back().depth + 1;
  check(depth <= deepest, "a tree node without its parent");
  nodes_.push_back({depth, std::move(name), std::move(figures), amount});
}

std::string MarkdownTree::text(MarkdownStyle style) const {
  return style == MarkdownStyle::plain ? nested_list() : drawn_tree();
}

std::string MarkdownTree::nested_list() const {
  std::string out;
  for (const auto& node : nodes_) {
    out += std::string(2 * node.depth, ' ') + "- " + md_code(node.name) + ": " +
           md_text(node.figures) + "\n";
  }
  return out;
}

/// What stands before each name, worked out from the last node up: by then it is known at which
/// levels a line goes on below.
std::vector<std::string> MarkdownTree::branches() const {
  std::vector<std::string> out(nodes_.size());
  std::vector<bool> goes_on;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const std::size_t depth = nodes_[i].depth;
    goes_on.resize(depth + 1, false);
    for (std::size_t level = 1; level < depth; ++level) {
      out[i] += goes_on[level] ? "│  " : "   ";
    }
    if (depth > 0) {
      out[i] += goes_on[depth] ? "├─ " : "└─ ";
    }
    goes_on[depth] = true;
  }
  return out;
}

std::string MarkdownTree::drawn_tree() const {
  std::uint64_t largest = 0;
  for (const auto& node : nodes_) {
    largest = std::max(largest, node.amount);
  }
  auto lines = branches();
  std::vector<std::string> figures;
  std::vector<std::string> bars;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    lines[i] += md_verbatim(nodes_[i].name);
    figures.push_back(nodes_[i].figures.empty() ? "" : md_verbatim(nodes_[i].figures));
    bars.push_back(text_bar(nodes_[i].amount, largest));
  }
  append_column(lines, figures);
  append_column(lines, bars);
  std::string block;
  for (const auto& line : lines) {
    block += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return md_block(block);
}

}  // namespace hprof
