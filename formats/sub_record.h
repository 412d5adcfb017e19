#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

namespace hprof {

/// Stands for the length of a heap record of which too little can be seen to tell.
inline constexpr std::uint64_t kUnseenBytes = std::numeric_limits<std::uint64_t>::max();

/// Bytes of the heap record that `bytes` begin with, which may be more than there are, or
/// kUnseenBytes; nothing if none begins so.
std::optional<std::uint64_t> sub_record_bytes(std::span<const std::uint8_t> bytes,
                                              unsigned identifier_size);

/// Whether a heap record with that tag is an object's.
bool is_object_tag(std::uint8_t tag);
/// Whether a heap record with that tag names an object, as all do but HEAP_DUMP_INFO.
bool may_begin_run(std::uint8_t tag);

/// What a heap record says of itself in its first bytes.
struct SubRecordHead {
  std::uint8_t tag = 0;
  std::uint64_t id = 0;        ///< of the object, of what a root holds, or of a heap's name
  std::uint64_t class_id = 0;  ///< of an instance's or array's class; a class' super class
  std::uint32_t trace = 0;     ///< stack trace serial of an object, or number of a heap
  std::uint32_t elements = 0;  ///< of an array; bytes of fields of an instance
  std::uint64_t bytes = 0;     ///< of the whole record, more than there are if that cannot be seen
};

/// Bytes in which the head of any heap record is seen; the length of a class takes more.
inline constexpr std::size_t kSubRecordHead = 80;

/// The head of the record that `bytes` begin with; nothing if none begins so, or not all of the
/// head is there.
std::optional<SubRecordHead> sub_record_head(std::span<const std::uint8_t> bytes,
                                             unsigned identifier_size);

/// Bytes that the own fields of a class take in an instance; `bytes` hold the whole CLASS_DUMP.
std::uint64_t own_field_bytes(std::span<const std::uint8_t> bytes, unsigned identifier_size);

}  // namespace hprof
