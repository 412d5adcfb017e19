#pragma once

#include "tools/hprof-report/shortest_paths.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// An object of a suspect, with the bytes that it retains.
struct Instance {
  std::uint32_t object = 0;
  std::uint64_t retained = 0;
};

/// The path that most of a suspect's instances share, and whether their memory gathers at its end.
struct CommonPath {
  std::vector<std::uint32_t> objects;  ///< from a GC root on
  std::vector<std::uint64_t> shared;   ///< by how many instances, each of them
  bool ends_at_point = false;
};

/// Merges the shortest paths to the instances (ascending) and goes down from the GC root with most
/// of them while more than 80 % share the way and the next object stands for at least 70 % of the
/// retained bytes.
CommonPath merge_paths(const ShortestPaths& paths, std::uint64_t objects,
                       const std::vector<Instance>& instances);

/// GC roots at which the shortest paths to the instances start, each with how many do; most first.
struct Start {
  std::uint32_t root = 0;
  std::uint64_t instances = 0;
};
std::vector<Start> starts_of(const ShortestPaths& paths, std::uint64_t objects,
                             const std::vector<Instance>& instances);

}  // namespace hprof
