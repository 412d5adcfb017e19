#include "formats/export/stack_formats.h"

#include <algorithm>

namespace hprof {
namespace {

/// A name without what ends a frame or a line.
std::string without_breaks(std::string name) {
  std::replace(name.begin(), name.end(), ';', ':');
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20U; }, ' ');
  return name;
}

}  // namespace

void write_folded(const StackTree& tree, TextSink& out) {
  std::string line;
  for_each_stack(tree, [&](std::span<const std::uint32_t> stack, const StackTree::Node& node) {
    if (node.bytes == 0) {
      return;
    }
    line.clear();
    for (const auto frame : stack) {
      line += (line.empty() ? "" : ";") + without_breaks(tree.frames[frame]);
    }
    out.write(line + " " + std::to_string(node.bytes) + "\n");
  });
}

}  // namespace hprof
