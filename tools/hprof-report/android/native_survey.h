#pragma once

#include "formats/report/overview.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Finds what Android's NativeAllocationRegistry says of the memory outside the heap that objects
/// own: sun.misc.Cleaner → its referent, and by its thunk the registry with the size.
class NativeSurvey : public Surveyor {
 public:
  explicit NativeSurvey(const Heap& heap);

  /// Whether the heap has registries at all.
  bool any() const { return any_; }
  bool wants(std::uint32_t type) override { return roles_[type] != Role::none; }
  void on_instance(const ObjectRecord& record) override;

  /// Adds the native sizes of reachable objects to the rows of their classes, and their sum.
  void fill(Overview& overview) const;

 private:
  enum class Role : std::uint8_t { none, cleaner, thunk, registry };
  struct Cleaner {
    std::uint32_t referent = 0;
    std::uint32_t thunk = 0;
  };

  static Role role_of(std::string_view class_name);
  /// (referent, bytes), ascending.
  std::vector<std::pair<std::uint32_t, std::uint64_t>> sizes() const;

  const Heap& heap_;
  std::vector<Role> roles_;  ///< by type
  bool any_ = false;
  std::vector<Cleaner> cleaners_;
  std::unordered_map<std::uint32_t, std::uint32_t> registry_of_thunk_;
  std::unordered_map<std::uint32_t, std::uint64_t> size_of_registry_;
};

}  // namespace hprof
