// An object belongs to the suspect among its dominators: suspects lie at the top of the tree, so
// there is one at most. Each walk up ends at the first object that is settled, and settles all on
// the way; so every link is walked twice at most.
#include "tools/hprof-report/paths/retained_classes.h"

#include "common/error.h"

#include <algorithm>
#include <tuple>

namespace hprof {
namespace {

constexpr std::uint8_t kUnsettled = 0;
constexpr std::uint8_t kNobody = 255;
constexpr std::uint32_t kAhead = 16;  ///< objects whose dominators are brought near

void settle(const BigArray<std::uint32_t>& dominators, BigArray<std::uint8_t>& owners,
            std::uint32_t object) {
  std::uint32_t at = object;
  while (at != kVirtualRoot && owners[at] == kUnsettled) {
    at = dominators[at];
  }
  const std::uint8_t owner = at == kVirtualRoot ? kNobody : owners[at];
  for (at = object; at != kVirtualRoot && owners[at] == kUnsettled; at = dominators[at]) {
    owners[at] = owner;
  }
}

/// The suspects themselves, marked with their numbers from 1 on.
BigArray<std::uint8_t> marked(const Heap& heap, const std::vector<Suspicion>& suspicions) {
  BigArray<std::uint8_t> owners(heap.objects(), kUnsettled);
  std::uint8_t number = 0;
  for (const auto& suspicion : suspicions) {
    ++number;
    if (suspicion.kind == SuspectKind::single) {
      owners[suspicion.object.index] = number;
    }
    for (const auto& instance : suspicion.instances) {
      owners[instance.object] = number;
    }
  }
  return owners;
}

void settle_all(const BigArray<std::uint32_t>& dominators, BigArray<std::uint8_t>& owners) {
  const auto objects = static_cast<std::uint32_t>(dominators.size());
  for (std::uint32_t object = 0; object < objects; ++object) {
    if (object + kAhead < objects && dominators[object + kAhead] < objects) {
      __builtin_prefetch(&owners[dominators[object + kAhead]]);
    }
    const std::uint32_t dominator = dominators[object];
    if (dominator == kUnreachable) {
      owners[object] = kNobody;
    } else if (dominator != kVirtualRoot && owners[object] == kUnsettled &&
               owners[dominator] != kUnsettled) {
      owners[object] = owners[dominator];
    } else {
      settle(dominators, owners, object);
    }
  }
}

}  // namespace

RetainedClasses::RetainedClasses(const Heap& heap, const std::vector<Suspicion>& suspicions)
    : heap_(heap), sums_(suspicions.size(), std::vector<GroupSum>(heap.index().classes.size())) {
  check(suspicions.size() < kNobody, "more suspects than shares of one percent");
  if (!suspicions.empty()) {
    auto owners = marked(heap, suspicions);
    settle_all(heap.dominators(), owners);
    sum_up(owners);
  }
}

void RetainedClasses::sum_up(const BigArray<std::uint8_t>& owners) {
  heap_.graph().for_each_object([&](const ObjectRow& row) {
    const std::uint8_t owner = owners[row.index];
    if (owner != kNobody) {
      const auto stands_for = heap_.represented({.index = row.index, .type = row.type});
      const auto counted_as = stands_for.is_none() ? heap_.type(row.type).class_index : stands_for;
      auto& sum = sums_[owner - 1U][counted_as.value()];
      ++sum.instances;
      sum.shallow += row.shallow;
    }
  });
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
