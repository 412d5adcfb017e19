#pragma once

#include "common/big_array.h"
#include "common/bit_vector.h"
#include "common/packed_numbers.h"
#include "common/ranked_bits.h"
#include "formats/graph_stream.h"
#include "formats/report/string_findings.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/strings/string_heap.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Objects whose holders are wanted, each with a small number that several may have in common.
class MarkedObjects {
 public:
  static constexpr std::uint8_t kNone = 255;

  explicit MarkedObjects(std::uint64_t objects) : bits_(objects) {}

  /// In ascending order, once each.
  void add(std::uint32_t object, std::uint8_t mark) {
    bits_.set(object);
    marks_.push_back(mark);
  }
  void finish() { bits_.finish(); }
  template <typename Visit>
  void for_each(Visit&& visit) const {
    bits_.for_each_set(visit);
  }
  std::uint8_t of(std::uint32_t object) const {
    return bits_.test(object) ? marks_[bits_.rank(object)] : kNone;
  }

 private:
  RankedBits bits_;
  std::vector<std::uint8_t> marks_;
};

/// Counts which fields, static fields and arrays reference Strings and marked arrays. Needs no
/// column of the heap: it is told what it needs of them.
class StringHolderTally : public Surveyor {
 public:
  /// Marks of Strings and of arrays must differ.
  StringHolderTally(const Heap& heap, DumpSource& dump, const StringHeap& strings,
                    std::unique_ptr<MarkedObjects> marked_strings,
                    std::unique_ptr<MarkedObjects> marked_arrays);

  /// To be shown every node in index order before the survey.
  void note_node(const DomtreeNode& node) {
    if (content_.test(node.index)) {
      add_content(node);
    }
  }
  /// Then counts the references from object arrays, which have no names, without the dump.
  /// `type_of(object)`: row of the type table; `is_reachable(object)`.
  template <typename TypeOf, typename IsReachable>
  void count_elements(TypeOf&& type_of, IsReachable&& is_reachable);

  bool wants(std::uint32_t type) override;
  void on_instance(const ObjectRecord& record) override;

  /// Counts the static fields of reachable class objects, which need no dump; to be called after
  /// the last record.
  void add_statics(const std::function<bool(std::uint32_t)>& is_reachable);

  /// Who holds Strings, by descending retained size.
  std::vector<TextHolder> of_strings(std::size_t count) const;
  /// Who references the objects with this mark, by descending references.
  std::vector<TextHolder> of_mark(std::uint8_t mark, std::size_t count) const;

 private:
  struct Sum {
    std::uint64_t references = 0;
    std::uint64_t held_alone = 0;
    std::uint64_t retained = 0;
  };
  struct ReferenceField {
    std::uint32_t offset = 0;
    std::uint32_t site = 0;
  };
  using Sums = std::unordered_map<std::uint32_t, Sum>;
  static constexpr std::uint32_t kNothing = 0xffffffffU;
  static constexpr std::size_t kWait = 16;  ///< references that pass by meanwhile
  /// On its way to being counted.
  struct Reference {
    std::uint64_t id = 0;
    std::uint32_t site = 0;
    std::uint32_t holder = 0;
    std::uint32_t target = kNothing;
    std::uint32_t place = kNothing;  ///< of the target among Strings and marked arrays
  };
  /// What is kept of a String or a marked array.
  struct [[gnu::packed]] Content {
    std::uint32_t above = 0;  ///< its dominator
    std::uint8_t mark = MarkedObjects::kNone;
    bool is_string = false;
  };

  void name_arrays();
  void name_fields(std::uint32_t type);
  std::uint32_t add_site(std::string label);
  std::uint64_t id_at(const std::uint8_t* bytes) const;
  void note_id(std::uint64_t id, std::uint32_t site, std::uint32_t holder);
  void add_content(const DomtreeNode& node);
  void advance(const Reference& next);
  /// The reference that came so many steps ago.
  Reference& waiting(std::size_t steps) {
    return waiting_[(step_ + waiting_.size() - steps) % waiting_.size()];
  }
  void find_target(Reference& reference);
  void find_content(Reference& reference);
  void note(const Reference& reference);
  void flush();
  using LabelledSums = std::map<std::string, Sum>;

  void add_to(LabelledSums& sums, std::uint32_t site, const Sum& sum) const;
  static std::vector<TextHolder> rows(const LabelledSums& sums);
  bool is_content(ObjectIndex target) const;

  const Heap& heap_;
  DumpSource& dump_;
  const StringHeap& strings_;
  std::unique_ptr<MarkedObjects> marked_strings_;  ///< until all nodes are noted
  std::unique_ptr<MarkedObjects> marked_arrays_;
  unsigned id_size_;
  RankedBits content_;  ///< Strings and marked arrays, by object; what follows is by rank
  BitVector seen_;      ///< held alone, and counted as such
  BigArray<Content> of_content_;
  PackedNumbers retained_;  ///< bytes
  std::uint64_t noted_ = 0;
  std::vector<std::vector<ReferenceField>> fields_;  ///< by type
  std::vector<std::uint32_t> array_sites_;           ///< by type; kNothing: not looked at
  std::vector<std::string> labels_;                  ///< by site
  std::vector<Sum> string_sums_;                     ///< by site
  std::unordered_map<std::uint8_t, Sums> mark_sums_;
  std::array<Reference, 4 * kWait> waiting_{};
  std::size_t step_ = 0;
};

template <typename TypeOf, typename IsReachable>
void StringHolderTally::count_elements(TypeOf&& type_of, IsReachable&& is_reachable) {
  marked_strings_.reset();
  marked_arrays_.reset();
  std::uint32_t site = kNothing;
  for_each_reference(
      heap_.graph(),
      [&](std::uint32_t row) {
        site = array_sites_[type_of(row)];
        return site != kNothing && is_reachable(row);
      },
      [&](std::uint32_t row, std::uint32_t target) {
        advance({.site = site, .holder = row, .target = target});
      });
}

}  // namespace hprof
