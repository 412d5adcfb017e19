// The dominator tree is climbed from each object to the next that is asked about. Where many climbs
// share a long way, as along a list of millions, answers are kept at one node in 256 and end the
// later ones.
#include "tools/hprof-report/threads/dominating.h"

#include "common/bit_vector.h"
#include "common/error.h"

#include <algorithm>
#include <unordered_map>

namespace hprof {
namespace {

class Climb {
 public:
  Climb(const BigArray<std::uint32_t>& dominators, const std::vector<std::uint32_t>& goals)
      : dominators_(dominators), is_goal_(dominators.size()) {
    for (const auto goal : goals) {
      is_goal_.set(goal);
    }
  }

  /// The nearest goal above `object`, kNone if there is none.
  std::uint32_t from(std::uint32_t object) {
    passed_.clear();
    const std::uint32_t goal = climb(dominators_[object]);
    for (const auto node : passed_) {
      known_.emplace(node, goal);
    }
    return goal;
  }

 private:
  static bool is_kept(std::uint32_t node) { return (node * 0x9e3779b1U) >> 24U == 0; }

  std::uint32_t climb(std::uint32_t at) {
    for (; at < dominators_.size(); at = dominators_[at]) {
      if (is_goal_.test(at)) {
        return at;
      }
      if (is_kept(at)) {
        const auto found = known_.find(at);
        if (found != known_.end()) {
          return found->second;
        }
        passed_.push_back(at);
      }
    }
    return DominatingObjects::kNone;
  }

  const BigArray<std::uint32_t>& dominators_;
  BitVector is_goal_;
  std::unordered_map<std::uint32_t, std::uint32_t> known_;
  std::vector<std::uint32_t> passed_;
};

}  // namespace

DominatingObjects::DominatingObjects(const BigArray<std::uint32_t>& dominators,
                                     std::vector<std::uint32_t> objects)
    : objects_(std::move(objects)) {
  std::sort(objects_.begin(), objects_.end());
  objects_.erase(std::unique(objects_.begin(), objects_.end()), objects_.end());
  number(find_parents(dominators));
}

/// Per object the place of the nearest that dominates it; one past the last where there is none.
std::vector<std::uint32_t> DominatingObjects::find_parents(
    const BigArray<std::uint32_t>& dominators) const {
  Climb climb(dominators, objects_);
  std::vector<std::uint32_t> parents;
  parents.reserve(objects_.size());
  for (const auto object : objects_) {
    const auto goal = climb.from(object);
    parents.push_back(goal == kNone ? static_cast<std::uint32_t>(objects_.size()) : place_of(goal));
  }
  return parents;
}

/// Numbers the forest in preorder, going down to first children and on to siblings.
void DominatingObjects::number(const std::vector<std::uint32_t>& parents) {
  const auto root = static_cast<std::uint32_t>(parents.size());
  std::vector<std::uint32_t> first_child(parents.size() + 1, kNone);
  std::vector<std::uint32_t> sibling(parents.size() + 1, kNone);
  for (std::uint32_t place = root; place-- > 0;) {
    sibling[place] = first_child[parents[place]];
    first_child[parents[place]] = place;
  }
  stretches_.resize(parents.size());
  std::uint32_t next = 0;
  std::uint32_t at = first_child[root];
  while (at != kNone && at != root) {
    stretches_[at].first = next++;
    if (first_child[at] != kNone) {
      at = first_child[at];
      continue;
    }
    while (at != root) {
      stretches_[at].last = next - 1;
      if (sibling[at] != kNone) {
        at = sibling[at];
        break;
      }
      at = parents[at];
    }
  }
}

std::uint32_t DominatingObjects::place_of(std::uint32_t object) const {
  const auto found = std::lower_bound(objects_.begin(), objects_.end(), object);
  check(found != objects_.end() && *found == object, "an object was not asked about");
  return static_cast<std::uint32_t>(found - objects_.begin());
}

std::uint64_t DominatingObjects::retained(std::vector<std::uint32_t> places,
                                          const RetainedColumn& retained) const {
  std::sort(places.begin(), places.end(), [this](std::uint32_t a, std::uint32_t b) {
    return stretches_[a].first < stretches_[b].first;
  });
  std::uint64_t sum = 0;
  std::uint32_t end = 0;  // one past what is summed
  for (const auto place : places) {
    if (stretches_[place].first >= end) {
      sum += retained[objects_[place]];
      end = stretches_[place].last + 1;
    }
  }
  return sum;
}

}  // namespace hprof
