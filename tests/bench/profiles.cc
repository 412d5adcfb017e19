#include "tests/bench/profiles.h"

#include <cmath>

namespace hprof::bench {
namespace {

template <std::uint64_t BytesPerObject>
std::uint64_t at_size(std::uint64_t bytes) {
  return bytes / BytesPerObject;
}

/// n arrays of n references of 8 bytes each.
std::uint64_t square_root(std::uint64_t bytes) {
  return static_cast<std::uint64_t>(std::sqrt(static_cast<double>(bytes) / 8));
}

}  // namespace

const std::vector<Profile>& profiles() {
  static const std::vector<Profile> all{
      {"collections",
       "maps, lists, strings, boxed numbers, linked nodes with byte arrays, a pool of all of them",
       at_size<122>, write_collections},
      {"nodes", "linked lists, trees with parent links, HashMap<Integer,Integer>, a random graph",
       at_size<53>, write_nodes},
      {"arrays", "primitive arrays of 1 KiB to 16 MiB", at_size<850'000>, write_arrays},
      {"wide", "reference arrays of 300000 elements, up to 60000 classes of many loaders",
       at_size<63>, write_wide},
      {"scattered", "a tree of records, written in random address order as ZGC does", at_size<45>,
       write_scattered},
      {"garbage", "like collections, nine objects of ten unreachable", at_size<122>, write_garbage},
      {"threads", "a thread per thousand objects, held by its locals", at_size<48>, write_threads},
      {"chain", "one singly linked list", at_size<41>, write_chain},
      {"doubly", "one doubly linked list, held by its head", at_size<49>, write_doubly},
      {"complete", "N arrays, each of which references all N", square_root, write_complete},
      {"singletons", "unreachable objects without references", at_size<25>, write_singletons},
      {"hub", "one object that all others reference", at_size<49>, write_hub},
      {"ladder-iterative",
       "a doubly linked list held by both ends: one round per node for iterative algorithms",
       at_size<49>, write_ladder_iterative},
      {"ladder-semi-nca",
       "a long path to many joins near the root: a climb of the whole path for each", at_size<49>,
       write_ladder_semi_nca},
  };
  return all;
}

}  // namespace hprof::bench
