#pragma once

#include <cstdint>

namespace hprof::bench {

/// Mixes the bits of a number; equal on every machine.
constexpr std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

/// Repeatable random numbers, fast enough for every field of every object.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(mix(seed)) {}

  std::uint64_t next() { return mix(state_ += 0x9e3779b97f4a7c15ULL); }
  std::uint32_t next32() { return static_cast<std::uint32_t>(next() >> 32U); }
  /// 0 … limit − 1; limit > 0.
  std::uint64_t below(std::uint64_t limit) {
    return static_cast<std::uint64_t>((Wide{next()} * limit) >> 64U);
  }
  /// Both ends included.
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + below(most - least + 1);
  }
  /// True `numerator` times of `denominator`.
  bool chance(std::uint64_t numerator, std::uint64_t denominator) {
    return below(denominator) < numerator;
  }
  /// Between least and most, every power of two as likely as the next.
  std::uint64_t log_between(std::uint64_t least, std::uint64_t most);

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t state_;
};

/// A repeatable order of 0 … size − 1 that needs no memory.
class Shuffle {
 public:
  Shuffle(std::uint64_t size, std::uint64_t seed);
  /// What stands at `position` in this order.
  std::uint64_t at(std::uint64_t position) const;

 private:
  std::uint64_t size_;
  std::uint64_t seed_;
  unsigned half_bits_ = 1;
};

}  // namespace hprof::bench
