#pragma once

#include <bit>
#include <cstdint>
#include <deque>

namespace hprof {

/// Numbers up to a known one, in as few bytes each as that needs, looked up by their place.
class NumberLog {
 public:
  explicit NumberLog(std::uint64_t largest)
      : width_((static_cast<unsigned>(std::bit_width(largest | 1U)) + 7) / 8) {}

  void append(std::uint32_t number) {
    for (unsigned i = 0; i < width_; ++i) {
      bytes_.push_back(static_cast<std::uint8_t>(number >> (8 * i)));
    }
  }
  std::uint32_t operator[](std::uint64_t place) const {
    std::uint32_t number = 0;
    for (unsigned i = 0; i < width_; ++i) {
      number |= std::uint32_t{bytes_[place * width_ + i]} << (8 * i);
    }
    return number;
  }

 private:
  unsigned width_;
  std::deque<std::uint8_t> bytes_;
};

}  // namespace hprof
