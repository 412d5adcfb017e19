#pragma once

#include "common/big_array.h"
#include "common/bring_near.h"
#include "common/count_ones.h"
#include "common/u64_map.h"
#include "formats/indices.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace hprof {

/// The set of object addresses as a bitmap of heap granules in pages of 2^16, allocated where
/// objects are: about one bit per 8 bytes of heap. A page with few objects is a list of them
/// instead, so that no object costs more than some 150 bytes wherever it lies. Once frozen the set
/// maps address ↔ object index (rank in ascending order) in constant time. The granule starts at 8
/// bytes and is split when an address needs it (Android, hprof agent).
class AddressSet {
 public:
  static constexpr std::uint32_t kPageGranules = 1U << 16U;
  static constexpr std::uint32_t kPageWords = kPageGranules / 64;

  AddressSet() = default;

  /// Adds an address; true when it was in the set before. Not after freeze().
  bool insert(std::uint64_t address) {
    if ((address & ((std::uint64_t{1} << shift_) - 1)) != 0) [[unlikely]] {
      split_granules(address);
    }
    const std::uint64_t granule = address >> shift_;
    if (granule / kPageGranules != last_page_) [[unlikely]] {
      select_page(granule / kPageGranules);
    }
    const auto bit = static_cast<std::uint32_t>(granule % kPageGranules);
    if (last_words_ == nullptr) [[unlikely]] {
      return insert_sparse(bit);
    }
    std::uint64_t& word = last_words_[bit / 64];
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    const bool before = (word & mask) != 0;
    word |= mask;
    count_ += before ? 0 : 1;
    return before;
  }

  /// Whether the address was added.
  bool contains(std::uint64_t address) const;

  /// Number of addresses.
  std::uint64_t size() const { return count_; }
  unsigned granule_shift() const { return shift_; }

  /// Sorts the pages and builds the ranks; call once, after the last insert(). Error(limit) beyond
  /// kMostObjects.
  void freeze();

  /// Index of an address, ObjectIndex::none() if it is not in the set. Only after freeze().
  ObjectIndex index_of(std::uint64_t address) const {
    const std::uint64_t granule = address >> shift_;
    if ((granule << shift_) != address) [[unlikely]] {
      return ObjectIndex::none();
    }
    const std::uint32_t slot = page_slots_.find(granule / kPageGranules);
    const auto bit = static_cast<std::uint32_t>(granule % kPageGranules);
    if (is_sparse(slot)) [[unlikely]] {
      return index_in_sparse(slot, bit);
    }
    const std::uint64_t* words = words_of(slot);
    const std::uint64_t word = words[bit / 64];
    if (((word >> (bit % 64)) & 1U) == 0) {
      return ObjectIndex::none();
    }
    return ObjectIndex(ranks_[std::uint64_t{slot} * kRanksPerPage + bit / kRankBits] +
                       rank_within(words, bit));
  }

  /// Asks for what index_of() of this address reads to be brought near. Only after freeze().
  void prefetch(std::uint64_t address) const {
    const std::uint64_t granule = address >> shift_;
    const std::uint32_t slot = page_slots_.find(granule / kPageGranules);
    if (!is_sparse(slot)) {
      const auto bit = static_cast<std::uint32_t>(granule % kPageGranules);
      bring_near(&words_of(slot)[bit / 64]);
      bring_near(&ranks_[std::uint64_t{slot} * kRanksPerPage + bit / kRankBits]);
    }
  }

  /// Address of an object. Only after freeze().
  std::uint64_t address_at(ObjectIndex index) const;

  /// Calls `visit(address)` for every address in ascending order. Only after freeze().
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Page at = page(i);
      const std::uint64_t first = at.number * kPageGranules;
      at.for_each([&](std::uint32_t granule) { visit((first + granule) << shift_); });
    }
  }

  /// One page for writing to a file: its number and either its bitmap or its granules, pages
  /// ascending. Only after freeze().
  struct Page {
    std::uint64_t number;
    std::uint32_t objects;
    std::span<const std::uint64_t> words;
    std::span<const std::uint16_t> granules;

    /// Calls `visit(granule)` for each object, ascending.
    template <typename Visit>
    void for_each(Visit&& visit) const {
      for (const std::uint16_t granule : granules) {
        visit(std::uint32_t{granule});
      }
      for (std::size_t w = 0; w < words.size(); ++w) {
        for (std::uint64_t word = words[w]; word != 0; word &= word - 1) {
          visit(static_cast<std::uint32_t>(w * 64 + static_cast<unsigned>(__builtin_ctzll(word))));
        }
      }
    }
  };
  std::size_t page_count() const { return order_.size(); }
  Page page(std::size_t position) const;

  /// Rebuilds a set from its pages: begin() once; begin_page() and then either page_words() or
  /// add_granule() for each page; then freeze(). False for a granule or a page that cannot be, or
  /// that does not ascend.
  bool begin(unsigned granule_shift);
  bool begin_page(std::uint64_t number);
  void add_granule(std::uint16_t granule) {
    insert((last_page_ * kPageGranules + granule) << shift_);
  }
  /// The bitmap of the page, to be filled.
  std::span<std::uint64_t> page_words();

 private:
  static constexpr std::uint32_t kRankBits = 256;
  static constexpr std::uint32_t kRanksPerPage = kPageGranules / kRankBits;
  static constexpr std::uint32_t kPagesPerSlab = 256;
  static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};
  static constexpr unsigned kFirstShift = 3;
  /// Marks slots of pages that are lists; no page at all (U64Map::kNone) has the mark, too.
  static constexpr std::uint32_t kSparse = 0x80000000U;
  static constexpr std::size_t kMostInList = 64;

  /// A page with few objects.
  struct SparsePage {
    std::uint64_t number = 0;
    std::vector<std::uint16_t> granules;  // ascending
    std::uint32_t base = 0;               // objects before the page
  };

  static bool is_sparse(std::uint32_t slot) { return slot >= kSparse; }
  SparsePage& sparse_of(std::uint32_t slot) { return sparse_[slot - kSparse]; }
  const SparsePage& sparse_of(std::uint32_t slot) const { return sparse_[slot - kSparse]; }
  std::uint64_t* words_of(std::uint32_t slot) {
    return slabs_[slot / kPagesPerSlab].data() + std::uint64_t{slot % kPagesPerSlab} * kPageWords;
  }
  const std::uint64_t* words_of(std::uint32_t slot) const {
    return slabs_[slot / kPagesPerSlab].data() + std::uint64_t{slot % kPagesPerSlab} * kPageWords;
  }

  /// Set bits between the rank's block start and `bit`.
  static std::uint32_t rank_within(const std::uint64_t* words, std::uint32_t bit) {
    std::uint32_t w = bit / kRankBits * (kRankBits / 64);
    std::uint32_t count = 0;
    for (; w < bit / 64; ++w) {
      count += count_ones(words[w]);
    }
    const std::uint64_t below = (std::uint64_t{1} << (bit % 64)) - 1;
    return count + count_ones(words[w] & below);
  }

  std::uint64_t number_of(std::uint32_t slot) const {
    return is_sparse(slot) ? sparse_of(slot).number : page_numbers_[slot];
  }
  void select_page(std::uint64_t number);
  bool insert_sparse(std::uint32_t granule);
  ObjectIndex index_in_sparse(std::uint32_t slot, std::uint32_t granule) const;
  void split_granules(std::uint64_t address);
  std::uint32_t add_dense(std::uint64_t number);
  void make_dense();
  void sort_pages();
  std::uint32_t rank_dense(std::uint32_t slot, std::uint32_t rank);
  std::uint64_t granule_at(std::uint32_t slot, std::uint32_t index) const;

  unsigned shift_ = kFirstShift;
  std::uint64_t count_ = 0;
  std::uint64_t last_page_ = kNoPage;
  std::uint32_t last_slot_ = 0;
  std::uint64_t* last_words_ = nullptr;  // none while the page is a list
  U64Map page_slots_;
  std::vector<SparsePage> sparse_;           // by slot less kSparse; empty ones have become bitmaps
  std::vector<std::uint64_t> page_numbers_;  // by slot
  std::vector<BigArray<std::uint64_t>> slabs_;
  std::vector<std::uint32_t> order_;       // slots, ascending by page number
  std::vector<std::uint32_t> order_base_;  // objects before each page of order_
  BigArray<std::uint32_t> ranks_;
};

}  // namespace hprof
