#pragma once

#include "formats/report/top.h"
#include "tools/hprof-report/top_level.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// Sums by the dot-separated segments of class names.
class PackageTree {
 public:
  PackageTree() : nodes_(1) {}

  /// Adds `sum` to every package of the class name and to the class itself.
  void add(std::string_view class_name, const GroupSum& sum);

  /// The tree under "<all>" without subtrees that retain less than `least` bytes, children by
  /// descending retained size.
  PackageNode pruned(std::uint64_t least, std::uint64_t whole) const;

 private:
  struct Node {
    GroupSum sum;
    std::map<std::string, std::size_t, std::less<>> children;
  };

  std::size_t child(std::size_t parent, std::string_view segment);

  std::vector<Node> nodes_;
};

}  // namespace hprof
