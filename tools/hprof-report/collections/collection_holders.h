#pragma once

#include "common/bit_vector.h"
#include "formats/report/collections.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/roots.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace hprof {

/// The holder of an object: the nearest dominator that is no structure, and what it holds on the
/// way to the object.
struct CollectionHolding {
  std::uint32_t holder = 0;  ///< kVirtualRoot: no single object
  std::uint32_t first = 0;   ///< the object itself, or the outermost structure around it

  // NOLINTNEXTLINE(modernize-use-nullptr): the zero is the compiler's own
  auto operator<=>(const CollectionHolding&) const = default;
};

/// Climbs from objects to their holders. Needs the dominators.
class CollectionHolderFinder {
 public:
  /// `structure`: bits of objects that only hold others together.
  CollectionHolderFinder(const Heap& heap, const BitVector& structure)
      : heap_(heap), structure_(structure) {}

  /// Of a reachable object.
  CollectionHolding find(std::uint32_t object);

 private:
  /// Structures are remembered by this part of their numbers, so that a list of a million nodes is
  /// not climbed a million times and a million results are not kept.
  static constexpr std::uint32_t kRemembered = 32;

  const Heap& heap_;
  const BitVector& structure_;
  std::unordered_map<std::uint32_t, CollectionHolding> known_;
};

/// Says in words through which field a holder holds something.
class CollectionHolderNames {
 public:
  CollectionHolderNames(const Heap& heap, const RootKinds& roots);

  /// Of holders that are class objects or no single object; "" for others, whose record it takes.
  std::string without_record(const CollectionHolding& holding) const;
  /// From the holder's record.
  std::string from_record(const ObjectRecord& record, std::uint32_t first,
                          FieldTable& fields) const;

 private:
  std::string static_field(ClassIndex class_index, std::uint32_t first) const;
  bool is_local(std::uint32_t thread, std::uint32_t object) const;

  const Heap& heap_;
  const RootKinds& roots_;
  std::unordered_map<std::uint32_t, ClassIndex> class_objects_;
};

}  // namespace hprof
