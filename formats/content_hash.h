#pragma once

#include "formats/record_kind.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <cstring>
#include <span>

namespace hprof {

/// Stands for elements that the dump does not have.
inline constexpr std::uint64_t kNoContent = 0;

/// A 64-bit hash of a primitive array's type, length and elements, taken while they stream past;
/// two different seeds give two hashes that have nothing to do with each other.
class ContentHash {
 public:
  ContentHash() = default;
  ContentHash(std::uint64_t seed, RecordKind kind, std::uint64_t elements)
      : state_(fold(elements ^ kFirst, (seed + 1) * kSecond)),
        secret_(fold(seed ^ kSecond, kFirst) ^ static_cast<std::uint64_t>(kind)) {}

  /// The next elements, big-endian as in a dump; it does not matter where they are cut.
  void add(std::span<const std::uint8_t> bytes) {
    if (rest_bytes_ != 0) {
      bytes = fill_rest(bytes);
    }
    const std::uint8_t* at = bytes.data();
    const std::uint8_t* const end = at + bytes.size() / kBlock * kBlock;
    for (; at != end; at += kBlock) {
      mix(at);
    }
    const std::size_t left = bytes.size() % kBlock;
    if (left != 0) {
      std::memcpy(rest_ + rest_bytes_, at, left);
      rest_bytes_ += left;
    }
  }

  /// Of all that was added; never kNoContent.
  std::uint64_t value() const {
    std::uint64_t state = state_;
    if (rest_bytes_ != 0) {
      std::uint8_t block[kBlock] = {};
      std::memcpy(block, rest_, rest_bytes_);
      state = mixed(state, block);
    }
    return std::max<std::uint64_t>(fold(state ^ secret_, kSecond), kNoContent + 1);
  }

 private:
  static constexpr std::size_t kBlock = 16;
  static constexpr std::uint64_t kFirst = 0x9e3779b97f4a7c15ULL;
  static constexpr std::uint64_t kSecond = 0xd6e8feb86659fd93ULL;

  /// Both halves of the product, laid over each other.
  static std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
  }

  std::uint64_t mixed(std::uint64_t state, const std::uint8_t* block) const {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    std::memcpy(&low, block, 8);
    std::memcpy(&high, block + 8, 8);
    return fold(low ^ state, high ^ secret_) ^ (state << 23U | state >> 41U);
  }
  void mix(const std::uint8_t* block) { state_ = mixed(state_, block); }

  /// Completes the block that was begun; returns what is left of `bytes`.
  std::span<const std::uint8_t> fill_rest(std::span<const std::uint8_t> bytes) {
    const std::size_t taken = std::min(kBlock - rest_bytes_, bytes.size());
    if (taken != 0) {
      std::memcpy(rest_ + rest_bytes_, bytes.data(), taken);
      rest_bytes_ += taken;
    }
    if (rest_bytes_ == kBlock) {
      mix(rest_);
      rest_bytes_ = 0;
    }
    return bytes.subspan(taken);
  }

  std::uint64_t state_ = 0;
  std::uint64_t secret_ = 0;
  std::size_t rest_bytes_ = 0;
  std::uint8_t rest_[kBlock] = {};
};

/// Two further hashes beside the one in X.graph.
struct ContentDigest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): the zero is the compiler's own
  auto operator<=>(const ContentDigest&) const = default;
};

/// Takes a ContentDigest while elements stream past.
class DigestTaker {
 public:
  DigestTaker() = default;
  DigestTaker(RecordKind kind, std::uint64_t elements)
      : low_(1, kind, elements), high_(2, kind, elements) {}

  void add(std::span<const std::uint8_t> bytes) {
    low_.add(bytes);
    high_.add(bytes);
  }
  ContentDigest value() const { return {.low = low_.value(), .high = high_.value()}; }

 private:
  ContentHash low_;
  ContentHash high_;
};

}  // namespace hprof
