#include "tools/hprof-report/paths/described_objects.h"

#include "common/error.h"

#include <algorithm>

namespace hprof {

void DescribedObjects::sort() {
  std::sort(wanted_.begin(), wanted_.end());
  wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
}

const HeapObject& DescribedObjects::at(std::uint32_t object) const {
  const auto found =
      std::lower_bound(objects_.begin(), objects_.end(), object,
                       [](const HeapObject& o, std::uint32_t wanted) { return o.index < wanted; });
  check(found != objects_.end() && found->index == object, "an object was not described");
  return *found;
}

}  // namespace hprof
