#pragma once

#include "tools/hprof-report/shortest_paths.h"

#include <cstdint>
#include <map>
#include <vector>

namespace hprof {

/// Objects from a GC root to a target; of a long path only both ends.
struct ObjectPath {
  std::vector<std::uint32_t> objects;
  std::uint64_t left_out = 0;
  std::size_t left_out_after = 0;   ///< objects before the gap; 0: none
  std::uint32_t last_left_out = 0;  ///< the one that references the first object after the gap
  bool only_weak = false;
};

/// The path to a reached object with at most `most` objects of it.
ObjectPath path_to(const ShortestPaths& paths, std::uint32_t target, std::size_t most);
/// The same of a path that is there already.
ObjectPath shortened(const std::vector<std::uint32_t>& objects, std::size_t most);

/// Collects the paths to single objects while searches find them.
class PathBook {
 public:
  explicit PathBook(std::size_t most_objects) : most_(most_objects) {}

  void want(std::uint32_t target);
  /// Targets that no search has reached so far.
  const std::vector<std::uint32_t>& missing() const { return missing_; }
  /// Takes the paths to missing targets that this search reached; `only_weak`: it followed the
  /// excluded references, too.
  void take(const ShortestPaths& paths, bool only_weak);
  /// nullptr where no path was found.
  const ObjectPath* find(std::uint32_t target) const;
  const std::map<std::uint32_t, ObjectPath>& paths() const { return paths_; }

 private:
  std::size_t most_;
  std::vector<std::uint32_t> missing_;
  std::map<std::uint32_t, ObjectPath> paths_;
};

}  // namespace hprof
