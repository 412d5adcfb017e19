// Every page begins as a list of granules and becomes a bitmap when the list gets long. The map
// from page numbers tells the two apart by a bit of the slot, so that ordinary heaps, where nearly
// all pages are bitmaps, pay nothing for the lists.
#include "formats/address_set.h"

#include "common/error.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace hprof {

void AddressSet::select_page(std::uint64_t number) {
  std::uint32_t slot = page_slots_.find(number);
  if (slot == U64Map::kNone) {
    slot = kSparse + static_cast<std::uint32_t>(sparse_.size());
    sparse_.push_back({.number = number, .granules = {}});
    page_slots_.insert(number, slot);
  }
  last_page_ = number;
  last_slot_ = slot;
  last_words_ = is_sparse(slot) ? nullptr : words_of(slot);
}

bool AddressSet::insert_sparse(std::uint32_t granule) {
  auto& granules = sparse_of(last_slot_).granules;
  const auto place = std::lower_bound(granules.begin(), granules.end(), granule);
  if (place != granules.end() && *place == granule) {
    return true;
  }
  granules.insert(place, static_cast<std::uint16_t>(granule));
  ++count_;
  if (granules.size() > kMostInList) {
    make_dense();
  }
  return false;
}

/// Turns the page at hand from a list into a bitmap.
void AddressSet::make_dense() {
  const auto granules = std::move(sparse_of(last_slot_).granules);
  sparse_of(last_slot_).granules = {};
  last_slot_ = add_dense(last_page_);
  last_words_ = words_of(last_slot_);
  for (const std::uint32_t granule : granules) {
    last_words_[granule / 64] |= std::uint64_t{1} << (granule % 64);
  }
}

std::uint32_t AddressSet::add_dense(std::uint64_t number) {
  const auto slot = static_cast<std::uint32_t>(page_numbers_.size());
  if (slot % kPagesPerSlab == 0) {
    slabs_.emplace_back(std::uint64_t{kPagesPerSlab} * kPageWords);
  }
  std::fill_n(words_of(slot), kPageWords, 0);
  page_numbers_.push_back(number);
  page_slots_.assign(number, slot);
  return slot;
}

void AddressSet::split_granules(std::uint64_t address) {
  AddressSet finer;
  finer.shift_ = static_cast<unsigned>(std::countr_zero(address));
  sort_pages();
  for_each([&](std::uint64_t before) { finer.insert(before); });
  *this = std::move(finer);
}

bool AddressSet::contains(std::uint64_t address) const {
  const std::uint64_t granule = address >> shift_;
  const std::uint32_t slot = page_slots_.find(granule / kPageGranules);
  if ((granule << shift_) != address || slot == U64Map::kNone) {
    return false;
  }
  const std::uint64_t bit = granule % kPageGranules;
  if (is_sparse(slot)) {
    const auto& granules = sparse_of(slot).granules;
    return std::binary_search(granules.begin(), granules.end(), bit);
  }
  return ((words_of(slot)[bit / 64] >> (bit % 64)) & 1U) != 0;
}

/// Lists the pages that have objects in ascending order.
void AddressSet::sort_pages() {
  order_.clear();
  for (std::uint32_t slot = 0; slot < page_numbers_.size(); ++slot) {
    order_.push_back(slot);
  }
  for (std::uint32_t i = 0; i < sparse_.size(); ++i) {
    if (!sparse_[i].granules.empty()) {
      order_.push_back(kSparse + i);
    }
  }
  std::sort(order_.begin(), order_.end(),
            [this](std::uint32_t a, std::uint32_t b) { return number_of(a) < number_of(b); });
}

void AddressSet::freeze() {
  if (count_ > kMostObjects) {
    fail(ExitCode::limit, "the dump has ", count_, " objects, more than the ", kMostObjects,
         " that fit; analyse a smaller heap");
  }
  sort_pages();
  ranks_ = BigArray<std::uint32_t>(std::uint64_t{kRanksPerPage} * page_numbers_.size());
  order_base_.reserve(order_.size());
  std::uint32_t rank = 0;
  for (const std::uint32_t slot : order_) {
    order_base_.push_back(rank);
    if (is_sparse(slot)) {
      sparse_of(slot).base = rank;
      rank += static_cast<std::uint32_t>(sparse_of(slot).granules.size());
    } else {
      rank = rank_dense(slot, rank);
    }
  }
  count_ = rank;
}

/// Writes the ranks of a page that begins with `rank`; returns the next page's.
std::uint32_t AddressSet::rank_dense(std::uint32_t slot, std::uint32_t rank) {
  const std::uint64_t* words = words_of(slot);
  for (std::uint32_t w = 0; w < kPageWords; ++w) {
    if (w % (kRankBits / 64) == 0) {
      ranks_[std::uint64_t{slot} * kRanksPerPage + w / (kRankBits / 64)] = rank;
    }
    rank += static_cast<std::uint32_t>(__builtin_popcountll(words[w]));
  }
  return rank;
}

ObjectIndex AddressSet::index_in_sparse(std::uint32_t slot, std::uint32_t granule) const {
  if (slot == U64Map::kNone) {
    return ObjectIndex::none();
  }
  const auto& page = sparse_of(slot);
  const auto place = std::lower_bound(page.granules.begin(), page.granules.end(), granule);
  if (place == page.granules.end() || *place != granule) {
    return ObjectIndex::none();
  }
  return ObjectIndex(page.base + static_cast<std::uint32_t>(place - page.granules.begin()));
}

std::uint64_t AddressSet::address_at(ObjectIndex index) const {
  if (index.value() >= count_) [[unlikely]] {
    throw_unplaced("an object is not in the index");
  }
  const auto after = std::upper_bound(order_base_.begin(), order_base_.end(), index.value());
  const std::uint32_t slot = order_[static_cast<std::size_t>(after - order_base_.begin()) - 1];
  const std::uint64_t granule = is_sparse(slot)
                                    ? sparse_of(slot).granules[index.value() - sparse_of(slot).base]
                                    : granule_at(slot, index.value());
  return (number_of(slot) * kPageGranules + granule) << shift_;
}

/// Granule of an object in a page that is a bitmap.
std::uint64_t AddressSet::granule_at(std::uint32_t slot, std::uint32_t index) const {
  const auto* first = ranks_.data() + std::uint64_t{slot} * kRanksPerPage;
  const auto* block = std::upper_bound(first, first + kRanksPerPage, index) - 1;
  std::uint32_t left = index - *block;
  const std::uint64_t* words = words_of(slot);
  std::uint64_t w = static_cast<std::uint64_t>(block - first) * (kRankBits / 64);
  for (;; ++w) {
    const auto in_word = static_cast<std::uint32_t>(__builtin_popcountll(words[w]));
    if (left < in_word) {
      break;
    }
    left -= in_word;
  }
  std::uint64_t word = words[w];
  for (; left != 0; --left) {
    word &= word - 1;
  }
  return w * 64 + static_cast<unsigned>(std::countr_zero(word));
}

AddressSet::Page AddressSet::page(std::size_t position) const {
  const std::uint32_t slot = order_[position];
  const std::uint64_t number = number_of(slot);
  if (is_sparse(slot)) {
    const auto& granules = sparse_of(slot).granules;
    return {.number = number,
            .objects = static_cast<std::uint32_t>(granules.size()),
            .words = {},
            .granules = granules};
  }
  const bool ranked = position < order_base_.size();
  const std::uint64_t next = position + 1 < order_base_.size() ? order_base_[position + 1] : count_;
  return {.number = number,
          .objects = ranked ? static_cast<std::uint32_t>(next - order_base_[position]) : 0,
          .words = {words_of(slot), kPageWords},
          .granules = {}};
}

bool AddressSet::begin(unsigned granule_shift) {
  shift_ = granule_shift;
  return shift_ <= kFirstShift;
}

bool AddressSet::begin_page(std::uint64_t number) {
  const std::uint64_t most = (std::numeric_limits<std::uint64_t>::max() >> shift_) / kPageGranules;
  if (number > most || (last_page_ != kNoPage && number <= last_page_)) {
    return false;
  }
  select_page(number);
  return true;
}

std::span<std::uint64_t> AddressSet::page_words() {
  make_dense();
  return {last_words_, kPageWords};
}

}  // namespace hprof
