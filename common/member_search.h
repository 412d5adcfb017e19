#pragma once

#include "common/plain_source.h"

#include <zlib.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hprof {

/// Finds members of a gzip file behind bytes that are none.
class MemberSearch {
 public:
  MemberSearch();
  MemberSearch(const MemberSearch&) = delete;
  MemberSearch& operator=(const MemberSearch&) = delete;
  ~MemberSearch();

  /// Where the next member begins at or behind `from`, if there is one and it is found in
  /// reasonable time. What lies before `inflated_to` was inflated as a part of another member, so
  /// that a member which begins there must be followed by the next or by the end.
  std::optional<std::uint64_t> next(PlainSource& file, std::uint64_t from,
                                    std::uint64_t inflated_to);

 private:
  bool is_member(PlainSource& file, std::uint64_t position, bool wants_follower);
  bool is_proved(PlainSource& file, std::uint64_t position, bool wants_follower);
  int inflate_input(std::span<const std::uint8_t> input);

  z_stream stream_{};
  std::vector<std::uint8_t> packed_;
  std::vector<std::uint8_t> inflated_;
  std::uint64_t effort_left_;
};

}  // namespace hprof
