#pragma once

#include "common/bit_vector.h"
#include "common/ranked_bits.h"
#include "formats/graph_stream.h"
#include "formats/report/string_findings.h"
#include "tools/hprof-report/dominators/label_column.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/strings/content_groups.h"

#include <array>
#include <cstdint>
#include <vector>

namespace hprof {

/// Which reachable objects are Strings and primitive arrays, which array is under which String, and
/// what they take in all.
class StringHeap {
 public:
  /// `by_content`: also group arrays by their content hashes.
  StringHeap(const Heap& heap, bool by_content, std::size_t rows);

  /// To be shown every object in index order.
  void note(const ObjectRow& row, bool reachable) {
    if (by_content_) {
      types_.set(row.index, row.type);
    }
    if (uses_[row.type] != Use::none && reachable) {
      note_used(row);
    }
  }
  /// Then a pass over X.graph; needs no column.
  void find_arrays();
  /// To be shown every object in index order, after that; also once contents are forgotten.
  void add(const HeapObject& object) {
    if (uses_[object.type] != Use::none && object.reachable()) {
      add_used(object);
    }
  }
  /// Fills what is known without the dump; one more pass where the longest arrays are shared.
  void fill(Strings& out) const;

  /// Calls `take(string, array)` for every reachable String that has an array, by one pass over
  /// X.graph.
  template <typename Take>
  void for_each_string(Take&& take) const;

  /// Gives back what only tells equal contents.
  void forget_contents() { groups_ = ContentGroups(); }
  /// Row of an object in the type table; only by content, until forget_types().
  std::uint32_t type_of(std::uint32_t object) const { return types_[object]; }
  void forget_types() { types_ = {}; }

  bool is_string(std::uint32_t object) const { return strings_.test(object); }
  /// Bits of them, by object.
  const BitVector& strings() const { return strings_; }
  const RankedBits& arrays() const { return arrays_; }
  ContentGroups& groups() { return groups_; }
  const ContentGroups& groups() const { return groups_; }
  std::uint64_t string_shallow() const { return string_shallow_; }
  /// By type: whether objects of it reference Strings or primitive arrays; only by content.
  bool references_content(std::uint32_t type) const { return references_content_[type]; }
  /// Per row of the type table what its reachable arrays sum up to; only by content.
  struct TypeSum {
    std::uint64_t arrays = 0;
    std::uint64_t shallow = 0;
    std::uint64_t without_content = 0;  ///< arrays whose elements the dump leaves out
  };
  const std::vector<TypeSum>& array_sums() const { return array_sums_; }

 private:
  static constexpr std::size_t kBuckets = 33;
  struct Bucket {
    std::uint64_t strings = 0;
    std::uint64_t arrays = 0;
    std::uint64_t shallow = 0;
  };
  struct LongArray {
    std::uint64_t length = 0;
    std::uint32_t array = 0;
    std::uint32_t dominator = 0;
    std::uint64_t shallow = 0;
  };

  /// What objects of a type are here.
  enum class Use : std::uint8_t { none, string, array };

  void make_room();
  void note_used(const ObjectRow& row);
  void find_arrays_of_strings();
  class Reading;
  void take_array(std::uint32_t array);
  void add_used(const HeapObject& object);
  void add_array(const HeapObject& object);
  void note_long(const HeapObject& object);
  std::vector<LongString> longest() const;
  bool is_text_array(std::uint32_t type) const;

  const Heap& heap_;
  bool by_content_;
  std::size_t rows_;
  std::vector<Use> uses_;  ///< by type
  std::uint64_t string_shallow_ = 0;
  BitVector strings_;       ///< by object
  BitVector under_string_;  ///< by object
  RankedBits arrays_;
  std::vector<std::uint8_t> bucket_of_;  ///< by array
  LabelColumn types_;                    ///< by object
  std::vector<bool> references_content_;
  ContentGroups groups_;
  std::array<Bucket, kBuckets> buckets_;
  std::vector<TypeSum> array_sums_;
  std::vector<TypeSum> loose_sums_;
  std::vector<LongArray> longest_;  ///< a heap, the shortest on top
  std::uint64_t instances_ = 0;
  std::uint64_t with_array_ = 0;
  std::uint64_t sharing_ = 0;
  std::uint64_t next_array_ = 0;
};

template <typename Take>
void StringHeap::for_each_string(Take&& take) const {
  std::uint64_t last = ~std::uint64_t{0};
  for_each_reference(
      heap_.graph(), [this](std::uint32_t row) { return strings_.test(row); },
      [&](std::uint32_t string, std::uint32_t target) {
        if (string != last && arrays_.test(target)) {
          last = string;
          take(string, target);
        }
      });
}

}  // namespace hprof
