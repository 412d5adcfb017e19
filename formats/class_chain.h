#pragma once

#include "formats/heap_index.h"

#include <vector>

namespace hprof {

/// A class that has more super classes than any program's is one of a damaged dump; what would be
/// inherited from further up is not looked at.
inline constexpr std::size_t kDeepestClass = 128;

/// A class followed by its super classes up to the topmost, or to the first for which `stop(class)`
/// says so. Damaged dumps may hold a cycle: the chain then ends somewhere inside it, after at most
/// three rounds (Brent's algorithm).
template <typename Stop>
std::vector<ClassIndex> class_chain(const HeapIndex& index, ClassIndex start, Stop&& stop) {
  std::vector<ClassIndex> chain;
  ClassIndex checkpoint = ClassIndex::none();
  std::size_t next_checkpoint = 1;
  for (ClassIndex at = start; !at.is_none() && at != checkpoint;
       at = index.classes[at.value()].super_class) {
    chain.push_back(at);
    if (stop(at)) {
      break;
    }
    if (chain.size() == next_checkpoint) {
      checkpoint = at;
      next_checkpoint *= 2;
    }
  }
  return chain;
}

/// A class followed by its super classes, kDeepestClass in all at most.
inline std::vector<ClassIndex> class_chain(const HeapIndex& index, ClassIndex start) {
  std::size_t left = kDeepestClass;
  return class_chain(index, start, [&](ClassIndex) { return --left == 0; });
}

}  // namespace hprof
