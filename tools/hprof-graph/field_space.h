#pragma once

#include <cstdint>
#include <vector>

namespace hprof {

/// The free room of an instance: gaps between its fields, and everything behind its last one.
class FieldSpace {
 public:
  explicit FieldSpace(std::uint64_t header) : end_(header) {}

  /// Puts fields of the same width into the smallest gaps that take them, else behind the last
  /// field; fields lie at multiples of their width.
  void put(std::uint32_t width, std::uint64_t count);
  /// Puts them behind the last field, whatever gaps there are.
  void append(std::uint32_t width, std::uint64_t count);
  /// Leaves `bytes` free behind the last field and gives up all gaps.
  void pad(std::uint64_t bytes);
  /// Gives up all gaps; further fields begin at a multiple of `step`.
  void close(std::uint64_t step);

  /// Where the last field ends.
  std::uint64_t end() const { return end_; }

 private:
  struct Gap {
    std::uint64_t begin;
    std::uint64_t end;
  };

  bool put_in_gap(std::uint32_t width);

  std::vector<Gap> gaps_;  ///< ascending
  std::uint64_t end_;
};

}  // namespace hprof
