// Shuffle is a Feistel network over the next even power of two; positions that fall outside are
// sent through it again until they fall inside.
#include "tests/bench/random.h"

#include <algorithm>
#include <bit>

namespace hprof::bench {

std::uint64_t Random::log_between(std::uint64_t least, std::uint64_t most) {
  const auto low = static_cast<unsigned>(std::bit_width(least));
  const auto high = static_cast<unsigned>(std::bit_width(most));
  const auto bits = static_cast<unsigned>(between(low, high));
  const std::uint64_t first = bits == 0 ? 0 : std::uint64_t{1} << (bits - 1);
  const std::uint64_t last = bits == 0 ? 0 : first + (first - 1);
  return between(std::max(least, first), std::min(most, last));
}

Shuffle::Shuffle(std::uint64_t size, std::uint64_t seed) : size_(size), seed_(mix(seed)) {
  while ((std::uint64_t{1} << (2 * half_bits_)) < size) {
    ++half_bits_;
  }
}

std::uint64_t Shuffle::at(std::uint64_t position) const {
  const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
  do {
    std::uint64_t left = position >> half_bits_;
    std::uint64_t right = position & mask;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t mixed = left ^ (mix(right + seed_ + (round << 58U)) & mask);
      left = right;
      right = mixed;
    }
    position = left << half_bits_ | right;
  } while (position >= size_);
  return position;
}

}  // namespace hprof::bench
