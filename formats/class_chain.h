#pragma once

#include "formats/heap_index.h"

#include <vector>

namespace hprof {

/// A class followed by its super classes up to the topmost. Damaged dumps may hold a cycle: the
/// chain then ends somewhere inside it, after at most three rounds (Brent's algorithm).
inline std::vector<ClassIndex> class_chain(const HeapIndex& index, ClassIndex start) {
  std::vector<ClassIndex> chain;
  ClassIndex checkpoint = ClassIndex::none();
  std::size_t next_checkpoint = 1;
  for (ClassIndex at = start; !at.is_none() && at != checkpoint;
       at = index.classes[at.value()].super_class) {
    chain.push_back(at);
    if (chain.size() == next_checkpoint) {
      checkpoint = at;
      next_checkpoint *= 2;
    }
  }
  return chain;
}

}  // namespace hprof
