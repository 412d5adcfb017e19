// Trees are nested <details>, so that they open without a script. They are written with a stack of
// what is still to do, since dominator trees are deep.
#include "formats/html/html_parts.h"
#include "formats/html/html_text.h"
#include "formats/report/units.h"

#include <algorithm>
#include <functional>

namespace hprof {
namespace {

constexpr std::size_t kOpenLevels = 2;
constexpr std::size_t kPackageDepth = 64;
constexpr std::size_t kMostPackages = 2000;
/// As many objects as are written of each level of a dominator tree; the script has them all.
constexpr std::size_t kShownChildren = 10;
constexpr std::size_t kDominatorDepth = 5;

const std::string& label(const PackageNode& node) {
  return node.name;
}

void card_link(const PackageNode& /*node*/, HtmlBody& /*body*/) {}

void figures(const PackageNode& node, std::uint64_t largest, HtmlBody& body) {
  body.figure(CellKind::bytes, node.retained, "retained", largest);
  body.figure(CellKind::share, node.retained_bp, "retained_bp");
  body.figure(CellKind::count, node.instances, "instances");
  body.add(node.instances == 1 ? R"( <span class="unit">object</span>)"
                               : R"( <span class="unit">objects</span>)");
}

const std::string& label(const DominatedObject& node) {
  return node.label;
}

/// Beside the line, since what can be opened may hold no link.
void card_link(const DominatedObject& node, HtmlBody& body) {
  if (node.address.value != 0) {
    body.card_link(node.address);
  }
}

void figures(const DominatedObject& node, std::uint64_t largest, HtmlBody& body) {
  body.figure(CellKind::bytes, node.retained, "retained", largest);
  body.add(R"( <span class="unit">shallow</span> )");
  body.figure(CellKind::bytes, node.shallow, "shallow");
}

template <typename Node>
void row(const Node& node, std::uint64_t largest, HtmlBody& body) {
  body.add(R"(<span class="name">)");
  body.code(label(node));
  body.add(R"(</span> <span class="figures">)");
  figures(node, largest, body);
  body.add("</span>");
}

template <typename Node>
struct Pending {
  const Node* node;
  std::size_t depth;
  std::size_t index;
  bool closing;
};

/// Writes the tree with as many children of a node as `shown_children(node, depth)` says.
template <typename Node>
void write_tree(const Place<Node>& root, std::string_view kind, HtmlBody& body,
                const std::function<std::size_t(const Node&, std::size_t)>& shown_children) {
  body.add(R"(<ul class="tree" data-tree=")" + html_attribute(kind) + R"(" data-json=")" +
           html_attribute(root.path()) + "\">\n");
  std::vector<Pending<Node>> stack{{&*root, 0, 0, false}};
  while (!stack.empty()) {
    const auto [node, depth, index, closing] = stack.back();
    stack.pop_back();
    if (closing) {
      body.add("</ul></details>");
      card_link(*node, body);
      body.add("</li>\n");
      continue;
    }
    const auto children = shown_children(*node, depth);
    body.add(R"(<li data-i=")" + std::to_string(index) + R"(">)");
    if (children == 0) {
      body.add(R"(<div class="leaf">)");
      row(*node, root->retained, body);
      body.add("</div>");
      card_link(*node, body);
      body.add("</li>\n");
      continue;
    }
    body.add(depth < kOpenLevels ? "<details open><summary>" : "<details><summary>");
    row(*node, root->retained, body);
    body.add("</summary><ul>\n");
    stack.push_back({node, depth, index, true});
    for (std::size_t i = children; i-- > 0;) {
      stack.push_back({&node->children[i], depth + 1, i, false});
    }
  }
  body.add("</ul>\n");
}

}  // namespace

void html_package_tree(const Place<PackageNode>& root, HtmlBody& body) {
  std::size_t left = kMostPackages;
  write_tree<PackageNode>(
      root, "package", body, [&left](const PackageNode& node, std::size_t depth) {
        const auto shown = depth >= kPackageDepth ? 0 : std::min(node.children.size(), left);
        left -= shown;
        return shown;
      });
}

void html_dominator_tree(const Place<DominatedObject>& root, HtmlBody& body) {
  write_tree<DominatedObject>(
      root, "object", body, [](const DominatedObject& node, std::size_t depth) -> std::size_t {
        return depth + 1 >= kDominatorDepth
                   ? 0
                   : std::min(node.children.size(), kShownChildren >> depth);
      });
}

}  // namespace hprof
