// As with the hashes of arrays: numbers are dealt out to partitions that fit a processor's cache,
// and in each of them equal ones meet in a small table.
#include "tools/hprof-report/strings/distinct_numbers.h"

#include "tools/hprof-report/heap_files.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

namespace hprof {
namespace {

constexpr std::uint64_t kNumbersPerPartition = 1U << 14U;
constexpr unsigned kMostPartitionBits = 16;
constexpr std::uint32_t kEmpty = 0xffffffffU;

std::uint64_t spread(std::uint64_t number) {
  return number * 0x9e3779b97f4a7c15ULL;
}

/// The numbers of one partition.
template <typename Number>
std::uint64_t count_in(std::span<const Number> numbers, std::vector<std::uint32_t>& slots) {
  const std::size_t size = std::bit_ceil(2 * numbers.size() + 1);
  slots.assign(size, kEmpty);
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    const std::uint64_t hash = spread(numbers[i]);
    std::size_t at = (hash ^ hash >> 32U) & (size - 1);
    while (slots[at] != kEmpty && numbers[slots[at]] != numbers[i]) {
      at = (at + 1) & (size - 1);
    }
    if (slots[at] == kEmpty) {
      slots[at] = i;
      ++count;
    }
  }
  return count;
}

/// Moves each number to its partition, in place; gives where partitions start, and the end.
template <typename Number>
std::vector<std::uint64_t> partition(std::span<Number> numbers, unsigned bits) {
  const auto home_of = [bits](Number number) { return spread(number) >> 1U >> (63U - bits); };
  std::vector<std::uint64_t> bounds((std::size_t{1} << bits) + 1);
  for (const auto number : numbers) {
    ++bounds[home_of(number) + 1];
  }
  for (std::size_t i = 1; i < bounds.size(); ++i) {
    bounds[i] += bounds[i - 1];
  }
  auto next = bounds;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    while (next[i] < bounds[i + 1]) {
      const auto home = home_of(numbers[next[i]]);
      if (home == i) {
        ++next[i];
      } else {
        std::swap(numbers[next[i]], numbers[next[home]++]);
      }
    }
  }
  return bounds;
}

template <typename Number>
std::uint64_t count_distinct(std::span<Number> numbers) {
  const auto parts = std::bit_width(numbers.size() / kNumbersPerPartition);
  const auto bits = std::min(static_cast<unsigned>(parts), kMostPartitionBits);
  const auto bounds = partition(numbers, bits);
  std::vector<std::uint32_t> slots;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    count += count_in<Number>(numbers.subspan(bounds[i], bounds[i + 1] - bounds[i]), slots);
  }
  return count;
}

}  // namespace

DistinctNumbers::DistinctNumbers(std::uint64_t numbers, bool wide)
    : narrow_(wide ? 0 : numbers), wide_(wide ? numbers : 0) {}

void DistinctNumbers::add(std::uint64_t number) {
  if (used_ < narrow_.size()) {
    narrow_[used_++] = static_cast<std::uint32_t>(number);
  } else {
    require_consistent(used_ < wide_.size());
    wide_[used_++] = number;
  }
}

std::uint64_t DistinctNumbers::count() {
  const std::uint64_t count = count_distinct(narrow_.span().first(narrow_.empty() ? 0 : used_)) +
                              count_distinct(wide_.span().first(wide_.empty() ? 0 : used_));
  *this = {};
  return count;
}

}  // namespace hprof
