#include "formats/export/stack_tree.h"

namespace hprof {

std::uint64_t StackTree::total_objects() const {
  std::uint64_t sum = 0;
  for (const auto& node : nodes) {
    sum += node.objects;
  }
  return sum;
}

std::uint64_t StackTree::total_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& node : nodes) {
    sum += node.bytes;
  }
  return sum;
}

}  // namespace hprof
