#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace hprof {

/// How the JVM that was dumped lays out objects, inferred from the distances between them.
struct HeapLayout {
  bool compact_headers = false;
  std::uint64_t header = 0;
  std::optional<std::uint64_t> class_pointer;
  std::uint64_t reference = 0;
  std::uint64_t alignment = 0;
  std::uint64_t array_base = 0;
  std::string field_packing;
  std::string confidence;
  bool given = false;
  std::uint64_t classes_equal = 0;
  std::uint64_t classes_larger = 0;
  std::uint64_t classes_smaller = 0;

  bool operator==(const HeapLayout&) const = default;
  static constexpr auto kName = "HeapLayout";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("compact_headers", self.compact_headers,
          "the class is part of the 8 bytes of the mark word (JDK 24 and later)");
    visit("header", self.header, "bytes before the first field");
    visit("class_pointer", self.class_pointer,
          "bytes of the header that name the class; absent with compact headers");
    visit("reference", self.reference, "bytes of a reference");
    visit("alignment", self.alignment, "bytes to which objects are aligned");
    visit("array_base", self.array_base,
          "bytes before the elements of an array; elements of 8 bytes begin at a multiple of 8");
    visit("field_packing", self.field_packing,
          "filled: fields go into gaps of the super classes (JDK 15 and later); stacked: behind "
          "them");
    visit("confidence", self.confidence,
          "high, medium or low: how far the dump bears the layout out");
    visit("given", self.given, "some of it was told with --layout");
    visit("classes_equal", self.classes_equal,
          "classes and kinds of arrays whose least distance to the next object is just their size");
    visit("classes_larger", self.classes_larger,
          "it is larger: no object was seen right behind one of them");
    visit("classes_smaller", self.classes_smaller, "it is smaller, which contradicts the layout");
  }
};

}  // namespace hprof
