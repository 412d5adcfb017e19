#pragma once

#include "common/big_array.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

namespace hprof {

/// How the bytes of an array are to be read where Strings are over it.
enum class TextCoder : std::uint8_t { unknown, latin1, utf16 };

/// Primitive arrays with the same content, or one array that several Strings have.
struct ContentGroup {
  std::uint64_t hash = 0;
  std::uint32_t type = 0;           ///< row of the type table
  std::uint32_t length = 0;         ///< elements
  std::uint32_t members = 0;        ///< arrays; by hash at first, by content once verified
  std::uint32_t under_strings = 0;  ///< of these, arrays that some String has
  std::uint32_t first_array = std::numeric_limits<std::uint32_t>::max();  ///< object index
  std::uint32_t strings = 0;        ///< Strings over them, of this group's coder
  std::uint32_t string_arrays = 0;  ///< arrays of these
  std::uint32_t first_string = std::numeric_limits<std::uint32_t>::max();  ///< object index
  TextCoder coder = TextCoder::unknown;
  bool parted = false;  ///< its hash stands for several contents or texts
};

/// Sorts primitive arrays into groups by their content hashes. Arrays are numbered in index order,
/// those without content included; an array that is alone has no group and takes four bytes.
class ContentGroups {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  /// Makes room for that many arrays; before the first.
  void reserve(std::uint64_t arrays) { entries_ = BigArray<Entry>(arrays); }
  /// The next array, in index order.
  void add(std::uint64_t hash);
  /// Ends the adding: from here on arrays with equal hashes have a group.
  void group();

  std::uint64_t arrays() const { return next_; }
  std::uint32_t of(std::uint64_t array) const { return group_of_[array]; }
  std::vector<ContentGroup>& rows() { return rows_; }
  const std::vector<ContentGroup>& rows() const { return rows_; }

  /// A group for an array that is alone so far.
  std::uint32_t make(std::uint64_t array);
  /// A new group for an array that turned out to differ from its group; the old one has a member
  /// less.
  std::uint32_t split(std::uint64_t array);
  /// Moves such an array to a group that split() has made.
  void reassign(std::uint64_t array, std::uint32_t group);
  /// The group that counts Strings with this coder over arrays of `group`.
  std::uint32_t with_coder(std::uint32_t group, TextCoder coder);

 private:
  struct [[gnu::packed]] Entry {
    std::uint64_t hash;
    std::uint32_t array;
  };
  static constexpr unsigned kPartitionBits = 8;

  void partition();
  void group(std::span<const Entry> entries);

  BigArray<Entry> entries_;
  std::uint64_t used_ = 0;
  std::array<std::uint64_t, (1U << kPartitionBits) + 1> bounds_{};  ///< of partitions
  std::uint32_t next_ = 0;
  BigArray<std::uint32_t> group_of_;
  std::vector<ContentGroup> rows_;
  std::unordered_map<std::uint32_t, std::uint32_t> other_coder_;
  std::vector<std::uint32_t> slots_;  ///< scratch of group()
};

}  // namespace hprof
