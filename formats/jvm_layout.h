#pragma once

#include <cstdint>

namespace hprof {

/// In which order a JVM lays out the fields of an instance.
enum class FieldPacking : std::uint8_t {
  filled,   ///< JDK 15 and later: widest first, references last, into any gap of the super classes
  stacked,  ///< JDK 14 and before: each class begins behind its super class, filled up to a
            ///< reference
};

/// How a HotSpot JVM lays out objects.
struct JvmLayout {
  std::uint32_t header = 12;      ///< bytes before the first field: 8 (compact, or 32 bits), 12, 16
  std::uint32_t reference = 4;    ///< bytes of a reference in the heap
  std::uint32_t word = 8;         ///< bytes of a native pointer
  std::uint32_t alignment = 8;    ///< of objects
  std::uint32_t array_base = 16;  ///< bytes before the elements of an array, those of 8 bytes apart
  FieldPacking packing = FieldPacking::filled;

  /// The class is named inside the mark word.
  bool is_compact() const { return header == word; }
  bool operator==(const JvmLayout&) const = default;
};

/// How far a dump's own distances between objects bear out a layout; classes with instances, and
/// kinds of arrays.
struct LayoutSupport {
  std::uint64_t equal = 0;    ///< their least distance is just the size
  std::uint64_t larger = 0;   ///< it is larger: perhaps no neighbour was ever seen
  std::uint64_t smaller = 0;  ///< it is smaller, which contradicts the layout
  bool given = false;         ///< some of it was told by the user, not inferred

  bool operator==(const LayoutSupport&) const = default;
};

/// A layout and what speaks for it.
struct InferredLayout {
  JvmLayout layout;
  LayoutSupport support;

  bool operator==(const InferredLayout&) const = default;
};

enum class Confidence : std::uint8_t { low, medium, high };

/// What the support is worth.
inline Confidence confidence_of(const LayoutSupport& support) {
  if (support.equal >= 20 && support.equal >= support.larger &&
      support.smaller * 50 <= support.equal) {
    return Confidence::high;
  }
  return support.equal >= 5 && support.smaller * 5 <= support.equal ? Confidence::medium
                                                                    : Confidence::low;
}

}  // namespace hprof
