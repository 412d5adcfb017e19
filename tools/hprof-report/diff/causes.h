#pragma once

#include "formats/diff/heap_diff.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// The growth from which on something is notable: a part of what the heap grew by, and never next
/// to nothing of the heap.
std::uint64_t notable_growth(const DiffSeries& used_heap);

/// What grows notably by the tables of `diff`: the likeliest owner first, then the other owners,
/// classes, loaders and threads, each by descending growth.
std::vector<DiffCause> find_causes(const HeapDiff& diff);

/// "static field ", "field ", "the largest collection in field ".
std::string field_holder_words(const DiffField& field);

/// "static field ", "local variable in ": what stands before the name of a holder.
std::string holder_words(HolderKind kind);

/// A few sentences: why the dumps may not be comparable, how the heap changed, and who holds what
/// grew. Of one dump in several reports nothing grows.
Finding verdict_of(const HeapDiff& diff, bool one_dump);

}  // namespace hprof
