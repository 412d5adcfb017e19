#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hprof::bench {

/// What make-heap is asked for.
struct Request {
  std::string path;
  std::uint64_t objects;  ///< about so many; the profile's structures are finished
  std::uint64_t seed;
};

/// A kind of heap that make-heap can write.
struct Profile {
  std::string name;
  std::string what;                                   ///< one line for --help
  std::uint64_t (*objects_for)(std::uint64_t bytes);  ///< how many objects make a dump of that size
  void (*write)(const Request& request);
};

/// All of them, in the order of --help.
const std::vector<Profile>& profiles();

// Heaps like real ones.
void write_collections(const Request& request);
void write_garbage(const Request& request);
void write_nodes(const Request& request);
void write_arrays(const Request& request);
void write_wide(const Request& request);
void write_scattered(const Request& request);
void write_threads(const Request& request);

// The worst shapes for one algorithm or another.
void write_chain(const Request& request);
void write_doubly(const Request& request);
void write_complete(const Request& request);
void write_singletons(const Request& request);
void write_hub(const Request& request);
void write_ladder_iterative(const Request& request);
void write_ladder_semi_nca(const Request& request);

}  // namespace hprof::bench
