// Suspects are top-level objects, so an object belongs to the one above it, if any.
#include "tools/hprof-report/paths/retained_classes.h"

#include "common/error.h"

#include <algorithm>
#include <tuple>

namespace hprof {

RetainedClasses::RetainedClasses(const Heap& heap, const std::vector<Suspicion>& suspicions,
                                 const RankedBits& top_level)
    : heap_(heap),
      owners_(top_level.count(), kNobody),
      sums_(suspicions.size(), std::vector<GroupSum>(heap.index().classes.size())) {
  check(suspicions.size() < kNobody, "more suspects than shares of one percent");
  for (std::size_t number = 0; number < suspicions.size(); ++number) {
    const auto& suspicion = suspicions[number];
    const auto owner = static_cast<std::uint8_t>(number);
    if (suspicion.kind == SuspectKind::single) {
      owners_[top_level.rank(suspicion.object.index)] = owner;
    }
    for (const auto& instance : suspicion.instances) {
      owners_[top_level.rank(instance.object)] = owner;
    }
  }
}

std::vector<ClassShare> RetainedClasses::largest(std::size_t suspect, std::size_t most) const {
  std::vector<ClassShare> out;
  for (std::uint32_t row = 0; row < sums_[suspect].size(); ++row) {
    const auto& sum = sums_[suspect][row];
    if (sum.instances != 0) {
      out.push_back({.class_name = heap_.class_name(ClassIndex(row)),
                     .class_address = heap_.class_address(ClassIndex(row)),
                     .objects = sum.instances,
                     .shallow = sum.shallow,
                     .retained = std::nullopt});
    }
  }
  std::sort(out.begin(), out.end(), [](const ClassShare& a, const ClassShare& b) {
    return std::tie(b.shallow, a.class_address) < std::tie(a.shallow, b.class_address);
  });
  out.resize(std::min(out.size(), most));
  return out;
}

}  // namespace hprof
