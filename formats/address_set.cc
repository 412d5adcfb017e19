#include "formats/address_set.h"

#include "common/error.h"

#include <algorithm>
#include <bit>

namespace hprof {

void AddressSet::select_page(std::uint64_t number) {
  std::uint32_t slot = page_slots_.find(number);
  if (slot == U64Map::kNone) {
    slot = add_slot(number);
  }
  last_page_ = number;
  last_slot_ = slot;
}

std::uint32_t AddressSet::add_slot(std::uint64_t number) {
  const auto slot = static_cast<std::uint32_t>(page_numbers_.size());
  if (slot % kPagesPerSlab == 0) {
    slabs_.emplace_back(std::uint64_t{kPagesPerSlab} * kPageWords);
  }
  std::fill_n(words_of(slot), kPageWords, 0);
  page_numbers_.push_back(number);
  page_slots_.insert(number, slot);
  return slot;
}

void AddressSet::split_granules(std::uint64_t address) {
  AddressSet finer;
  finer.shift_ = static_cast<unsigned>(std::countr_zero(address));
  for (std::uint32_t slot = 0; slot < page_numbers_.size(); ++slot) {
    const std::uint64_t first = page_numbers_[slot] * kPageGranules;
    const std::uint64_t* words = words_of(slot);
    for (std::uint32_t bit = 0; bit < kPageGranules; ++bit) {
      if (((words[bit / 64] >> (bit % 64)) & 1U) != 0) {
        finer.insert((first + bit) << shift_);
      }
    }
  }
  *this = std::move(finer);
}

bool AddressSet::contains(std::uint64_t address) const {
  const std::uint64_t granule = address >> shift_;
  const std::uint32_t slot = page_slots_.find(granule / kPageGranules);
  if ((granule << shift_) != address || slot == U64Map::kNone) {
    return false;
  }
  const std::uint64_t bit = granule % kPageGranules;
  return ((words_of(slot)[bit / 64] >> (bit % 64)) & 1U) != 0;
}

void AddressSet::freeze() {
  if (count_ > kMostObjects) {
    fail(ExitCode::limit, "the dump has ", count_, " objects, more than the ", kMostObjects,
         " that fit; analyse a smaller heap");
  }
  order_.resize(page_numbers_.size());
  for (std::uint32_t slot = 0; slot < order_.size(); ++slot) {
    order_[slot] = slot;
  }
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return page_numbers_[a] < page_numbers_[b];
  });
  ranks_ = BigArray<std::uint32_t>(std::uint64_t{kRanksPerPage} * order_.size());
  std::uint32_t rank = 0;
  for (const std::uint32_t slot : order_) {
    order_base_.push_back(rank);
    const std::uint64_t* words = words_of(slot);
    for (std::uint32_t w = 0; w < kPageWords; ++w) {
      if (w % (kRankBits / 64) == 0) {
        ranks_[std::uint64_t{slot} * kRanksPerPage + w / (kRankBits / 64)] = rank;
      }
      rank += static_cast<std::uint32_t>(__builtin_popcountll(words[w]));
    }
  }
  count_ = rank;
}

std::uint64_t AddressSet::address_at(ObjectIndex index) const {
  check(index.value() < count_, "an object index beyond the address set");
  const auto after = std::upper_bound(order_base_.begin(), order_base_.end(), index.value());
  const std::uint32_t slot = order_[static_cast<std::size_t>(after - order_base_.begin()) - 1];
  const auto* first = ranks_.data() + std::uint64_t{slot} * kRanksPerPage;
  const auto* block = std::upper_bound(first, first + kRanksPerPage, index.value()) - 1;
  std::uint32_t left = index.value() - *block;
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
  return (page_numbers_[slot] * kPageGranules + w * 64 +
          static_cast<unsigned>(std::countr_zero(word)))
         << shift_;
}

AddressSet::Page AddressSet::page(std::size_t position) const {
  const std::uint32_t slot = order_[position];
  const std::uint64_t next = position + 1 < order_.size() ? order_base_[position + 1] : count_;
  return {.number = page_numbers_[slot],
          .objects = static_cast<std::uint32_t>(next - order_base_[position]),
          .words = {words_of(slot), kPageWords}};
}

void AddressSet::begin(unsigned granule_shift) {
  shift_ = granule_shift;
}

std::span<std::uint64_t> AddressSet::add_page(std::uint64_t number) {
  return {words_of(add_slot(number)), kPageWords};
}

}  // namespace hprof
