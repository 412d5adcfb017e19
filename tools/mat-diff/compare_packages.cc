// The package tree. Siblings are a set: MAT lists them by size, and a member's path says which one
// it is.
#include "common/concat.h"
#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/section_log.h"

#include <map>

namespace hprof {
namespace {

using nlohmann::json;

const json* children_of(const json& node) {
  const auto member = node.is_object() ? node.find("children") : node.end();
  return node.is_object() && member != node.end() && member->is_array() ? &*member : nullptr;
}

/// Everything known of one node of MAT's tree while it is compared.
struct Node {
  std::string path;
  const json* ours = nullptr;         ///< nullptr below a missing node
  std::vector<std::size_t> children;  ///< printed ones
};

void compare_node(const Sides& sides, const MatPackage& mat, const Node& node, SectionLog& log) {
  log.figure(node.path + ": retained", count_of(*node.ours, "retained"), mat.retained);
  log.figure(node.path + ": instances", count_of(*node.ours, "instances"), mat.dominators);
  log.share(node.path + ": share", count_of(*node.ours, "retained"),
            sides.ours.count("overview.total_shallow"), count_of(*node.ours, "retained_bp"),
            mat.share);
}

/// Pairs the children of a node by name and compares them as a set.
void match_children(const std::vector<MatPackage>& mat, const Node& node, std::vector<Node>& nodes,
                    SectionLog& log, std::uint64_t entries) {
  std::map<std::string, const json*> ours;
  std::vector<std::string> our_names;
  std::vector<std::string> mat_names;
  const auto* list = children_of(*node.ours);
  for (const auto& child : list == nullptr ? json::array() : *list) {
    our_names.push_back(text_of(child, "name").value_or("(no name)"));
  }
  for (std::size_t i = 0; i < our_names.size(); ++i) {
    if (!ours.emplace(our_names[i], &(*list)[i]).second) {
      log.extra(concat(node.path, "/", our_names[i], ": given twice"), our_names[i]);
    }
  }
  for (const auto child : node.children) {
    const auto found = ours.find(mat[child].name);
    mat_names.push_back(mat[child].name);
    if (found == ours.end()) {
      log.missing(nodes[child].path, mat[child].name);
    } else {
      nodes[child].ours = found->second;
      ours.erase(found);
    }
  }
  log.figure(node.path + ": children", our_names.size(), exact_figure(entries));
  if (entries == mat_names.size()) {
    for (const auto& [name, child] : ours) {
      log.extra(concat(node.path, "/", name), name);
    }
    if (ours.empty() && mat_names.size() > 1 && mat_names.size() == our_names.size()) {
      log.add(node.path + ": order", concat(our_names.size(), " children"),
              concat(mat_names.size(), " children"), judge_order(our_names, mat_names));
    }
  }
}

std::vector<Node> nodes_of(const std::vector<MatPackage>& mat) {
  std::vector<Node> nodes(mat.size());
  for (std::size_t i = 0; i < mat.size(); ++i) {
    const auto parent = mat[i].parent;
    nodes[i].path = parent ? concat(nodes[*parent].path, "/", mat[i].name) : mat[i].name;
    if (parent) {
      nodes[*parent].children.push_back(i);
    }
  }
  return nodes;
}

}  // namespace

void compare_packages(const Sides& sides, Comparison& result) {
  if (!sides.mat.packages || sides.mat.packages->empty()) {
    return;
  }
  SectionLog log(result, "biggest_packages");
  const auto& mat = *sides.mat.packages;
  auto nodes = nodes_of(mat);
  nodes.front().ours = sides.ours.find("top.biggest_packages");
  if (nodes.front().ours == nullptr) {
    log.missing("tree", mat.front().name);
    return;
  }
  log.text("root", text_of(*nodes.front().ours, "name"), mat.front().name);
  for (std::size_t i = 0; i < mat.size(); ++i) {
    if (nodes[i].ours == nullptr) {
      continue;
    }
    compare_node(sides, mat[i], nodes[i], log);
    match_children(mat, nodes[i], nodes, log, mat[i].children);
  }
}

}  // namespace hprof
