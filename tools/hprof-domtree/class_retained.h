#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace hprof {

/// Adds up, per class, the retained sizes of the members of {class object} ∪ instances that have no
/// other member among any of their dominators, while the dominator tree is walked in preorder.
/// java.lang.Class's own class object is a member twice over and then counts twice.
class ClassRetained {
 public:
  explicit ClassRetained(std::size_t classes) : open_(classes) {}

  /// A member of `own` is entered, and left again after all that it dominates.
  void enter(std::uint32_t object, std::uint32_t own) {
    if (!open_[own]) {
      push(object, own);
    }
  }
  /// The same for the class object of `represented`, which is an instance of `own`.
  void enter_class_object(std::uint32_t object, std::uint32_t own, std::uint32_t represented) {
    const bool tops_own = !open_[own];
    const bool tops_represented = !open_[represented];
    if (tops_own) {
      push(object, own);
    }
    if (tops_represented) {
      push(object, represented);
    }
  }

  /// Calls `add(class index)` for every class of which the object that is left is a topmost member.
  template <typename Add>
  void leave(std::uint32_t object, Add&& add) {
    while (!topmost_.empty() && topmost_.back().first == object) {
      open_[topmost_.back().second] = false;
      add(topmost_.back().second);
      topmost_.pop_back();
    }
  }

 private:
  void push(std::uint32_t object, std::uint32_t class_index) {
    open_[class_index] = true;
    topmost_.emplace_back(object, class_index);
  }

  std::vector<bool> open_;  ///< per class: a member is among the nodes entered and not left
  std::vector<std::pair<std::uint32_t, std::uint32_t>> topmost_;  ///< such members with the class
};

}  // namespace hprof
