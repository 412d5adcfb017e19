#pragma once

#include "formats/report/string_findings.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/strings/string_reader.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// A text that one or more Strings have, by which the report's rows are made.
struct TextValue {
  std::uint64_t hash = 0;
  std::uint64_t length = 0;  ///< UTF-16 characters
  std::uint64_t strings = 0;
  std::uint64_t arrays = 0;
  std::uint64_t surplus_arrays = 0;
  std::uint64_t surplus_array_shallow = 0;
  std::uint32_t first_string = 0xffffffffU;  ///< object index
  std::uint32_t group = 0xffffffffU;         ///< content group; none for slices
};

/// Texts of Strings that use part of an array (JDK 6 and before): hashes each part in a further
/// reading of the dump, all parts of an array while its elements stream past once. Texts are taken
/// for equal when 122 bits of hash and their lengths are.
class SliceTexts : public Surveyor {
 public:
  SliceTexts(const HeapIndex& index, std::vector<TextSlice> slices);

  bool wants(std::uint32_t type) override;
  bool wants_contents(std::uint32_t type) override { return wants(type); }
  void on_array(const ObjectRecord& record) override;
  void on_elements(std::span<const std::uint8_t> elements) override;
  void on_array_end() override;

  /// After the reading, in no particular order. An array is surplus when all of its Strings have
  /// one text and another array of that text stays, the smallest if all could go.
  std::vector<TextValue> values(const std::vector<GraphType>& types);
  /// Arrays that have elements which no String uses.
  SlicedArrays sliced(const Heap& heap, std::size_t rows) const;

 private:
  /// Two hashes modulo 2^61 − 1 of all elements so far; those of any part follow from two of these.
  struct Prefix {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    auto operator<=>(const Prefix&) const = default;
  };
  /// Where a slice begins or ends.
  struct Edge {
    std::uint64_t position = 0;
    bool is_end = false;
    std::uint32_t slice = 0;
    auto operator<=>(const Edge&) const = default;
  };
  /// An array and its slices [first, end).
  struct Run {
    std::uint32_t type = 0;
    std::uint64_t length = 0;
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    bool one_text = true;
  };
  struct Text {
    Prefix hash;
    std::uint32_t count = 0;
    std::uint32_t run = 0;
    std::uint32_t string = 0;
    auto operator<=>(const Text&) const = default;
    bool same_as(const Text& other) const { return hash == other.hash && count == other.count; }
  };

  static Prefix part(const Prefix& start, const Prefix& end, std::uint64_t count);
  void pass_edges();
  std::uint64_t used(const Run& run) const;
  SlicedArrayRow row(const Heap& heap, const Run& run) const;
  TextValue value(std::span<const Text> texts, const std::vector<GraphType>& types) const;

  const HeapIndex& index_;
  std::vector<TextSlice> slices_;  ///< ascending
  std::vector<Run> runs_;
  std::vector<Text> texts_;
  bool open_ = false;
  unsigned width_ = 1;
  std::uint64_t position_ = 0;
  Prefix prefix_;
  std::vector<Edge> edges_;
  std::size_t next_edge_ = 0;
  std::vector<Prefix> starts_;  ///< by slice of the open array
};

}  // namespace hprof
