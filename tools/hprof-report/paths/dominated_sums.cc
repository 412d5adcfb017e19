#include "tools/hprof-report/paths/dominated_sums.h"

#include <algorithm>
#include <tuple>

namespace hprof {

DominatedSums::DominatedSums(const Heap& heap, const std::vector<std::uint32_t>& dominators,
                             std::size_t most)
    : heap_(heap), most_(most), is_dominator_(kSieve) {
  for (const auto dominator : dominators) {
    is_dominator_[dominator % kSieve] = true;
    sums_.try_emplace(dominator, most);
  }
}

void DominatedSums::add_to_sums(const HeapObject& object) {
  const auto found = sums_.find(object.dominator);
  if (found != sums_.end()) {
    auto& sums = found->second;
    sums.all.add(object);
    sums.classes[heap_.class_of(object).value()].add(object);
    sums.largest.add(object);
  }
}

Accumulated DominatedSums::of(std::uint32_t dominator) const {
  const auto& sums = sums_.at(dominator);
  Accumulated out{.objects = sums.all.instances,
                  .shallow = sums.all.shallow,
                  .retained = sums.all.retained,
                  .classes = {},
                  .largest = {}};
  for (const auto& [row, sum] : sums.classes) {
    out.classes.push_back({.class_name = heap_.class_name(ClassIndex(row)),
                           .class_address = heap_.class_address(ClassIndex(row)),
                           .objects = sum.instances,
                           .shallow = sum.shallow,
                           .retained = sum.retained});
  }
  std::sort(out.classes.begin(), out.classes.end(), [](const ClassShare& a, const ClassShare& b) {
    return std::tie(b.retained, a.class_address) < std::tie(a.retained, b.class_address);
  });
  out.classes.resize(std::min(out.classes.size(), most_));
  for (const auto& object : sums.largest.sorted()) {
    out.largest.push_back(heap_.reference(object));
  }
  return out;
}

ObjectIndex DominatedSums::largest_of(std::uint32_t dominator) const {
  const auto largest = sums_.at(dominator).largest.sorted();
  return largest.empty() ? ObjectIndex::none() : ObjectIndex(largest.front().index);
}

}  // namespace hprof
