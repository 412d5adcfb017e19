// A walk up leaves the topmost object at all it has passed, so every link is walked twice at most.
#include "tools/hprof-report/dominators/topmost.h"

#include "common/bring_near.h"
#include "formats/domtree_file.h"

#include <utility>

namespace hprof {
namespace {

constexpr std::uint32_t kAhead = 16;  ///< objects whose dominators are brought near

}  // namespace

BigArray<std::uint32_t> topmost_objects(BigArray<std::uint32_t> dominators) {
  auto& tops = dominators;
  const auto objects = static_cast<std::uint32_t>(tops.size());
  for (std::uint32_t object = 0; object < objects; ++object) {
    tops[object] = tops[object] == kVirtualRoot ? object : tops[object];
  }
  for (std::uint32_t object = 0; object < objects; ++object) {
    if (object + kAhead < objects && tops[object + kAhead] != kUnreachable) {
      bring_near(&tops[tops[object + kAhead]]);
    }
    auto top = tops[object];
    if (top == kUnreachable) {
      continue;
    }
    while (tops[top] != top) {
      top = tops[top];
    }
    for (auto at = object; tops[at] != top;) {
      at = std::exchange(tops[at], top);
    }
  }
  return dominators;
}

}  // namespace hprof
