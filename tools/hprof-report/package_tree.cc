#include "tools/hprof-report/package_tree.h"

#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

void add_to(GroupSum& total, const GroupSum& part) {
  total.instances += part.instances;
  total.shallow += part.shallow;
  total.retained += part.retained;
}

PackageNode model_node(const std::string& name, const GroupSum& sum, std::uint64_t whole) {
  return {.name = name,
          .instances = sum.instances,
          .shallow = sum.shallow,
          .retained = sum.retained,
          .retained_bp = share_bp(sum.retained, whole),
          .children = {}};
}

}  // namespace

std::size_t PackageTree::child(std::size_t parent, std::string_view segment) {
  const auto found = nodes_[parent].children.find(segment);
  if (found != nodes_[parent].children.end()) {
    return found->second;
  }
  const std::size_t made = nodes_.size();
  nodes_.emplace_back();
  nodes_[parent].children.emplace(segment, made);
  return made;
}

void PackageTree::add(std::string_view class_name, const GroupSum& sum) {
  std::size_t at = 0;
  add_to(nodes_[at].sum, sum);
  for (unsigned depth = 1; !class_name.empty(); ++depth) {
    const auto dot = depth == kMaxPackageDepth ? std::string_view::npos : class_name.find('.');
    at = child(at, class_name.substr(0, dot));
    add_to(nodes_[at].sum, sum);
    class_name = dot == std::string_view::npos ? std::string_view() : class_name.substr(dot + 1);
  }
}

PackageNode PackageTree::pruned(std::uint64_t least, std::uint64_t whole) const {
  struct Pending {
    std::size_t node;
    PackageNode* out;
  };
  PackageNode root = model_node("<all>", nodes_[0].sum, whole);
  std::vector<Pending> stack{{0, &root}};
  while (!stack.empty()) {
    const auto [at, out] = stack.back();
    stack.pop_back();
    std::vector<std::pair<const std::string*, std::size_t>> kept;
    for (const auto& [name, node] : nodes_[at].children) {
      if (nodes_[node].sum.retained >= least && nodes_[node].sum.instances != 0) {
        kept.emplace_back(&name, node);
      }
    }
    std::stable_sort(kept.begin(), kept.end(), [this](const auto& a, const auto& b) {
      return nodes_[a.second].sum.retained > nodes_[b.second].sum.retained;
    });
    for (const auto& [name, node] : kept) {
      out->children.push_back(model_node(*name, nodes_[node].sum, whole));
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      stack.push_back({kept[i].second, &out->children[i]});
    }
  }
  return root;
}

}  // namespace hprof
