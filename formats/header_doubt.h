#pragma once

#include "common/input_stream.h"
#include "formats/dump_damage.h"
#include "formats/headless_heap.h"
#include "formats/record_looks.h"
#include "formats/record_probe.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace hprof {

/// Whether the record header that a reader has before it is to be believed. Bytes at hand decide
/// that in whole dumps; where they leave a doubt, other places of the dump are looked at.
class HeaderDoubt {
 public:
  /// Both must outlive this.
  HeaderDoubt(const RecordProbe& probe, HeadlessHeap& headless, unsigned identifier_size)
      : probe_(probe), headless_(headless), id_size_(identifier_size) {}

  /// How the time of a record goes with that of the record before it.
  enum class Time {
    odd,       ///< it cannot follow
    possible,  ///< it can, or there is none before
    telling,   ///< it is 0 like that, which is hardly chance
  };

  /// A header with as much as the reader can see of what follows.
  struct Header {
    std::uint64_t position = 0;
    std::span<const std::uint8_t> bytes;
    bool at_end = false;  ///< the dump has no bytes behind these
    Time time = Time::possible;
    bool behind_heap = false;  ///< heap records stand right before it

    std::uint8_t tag() const { return bytes[0]; }
    std::uint32_t length() const { return header_length(bytes); }
    std::uint64_t body() const { return position + kRecordHeaderBytes; }
    std::span<const std::uint8_t> seen() const { return bytes.subspan(kRecordHeaderBytes); }
  };

  /// The next header, with as much behind it as is needed to tell whether it is one; nothing where
  /// the dump ends before that. `micros_before` is the time of the record before, if there is one.
  std::optional<Header> header_ahead(BufferedInput& input,
                                     std::optional<std::uint32_t> micros_before,
                                     bool behind_heap) const;

  /// Has a record that was read remembered, by which heap records are known later.
  void learn(const Header& header);

  /// What the body of a heap record really has; nothing when its header is right.
  std::optional<LengthFix> length_fix(const Header& header) const;
  /// Whether no record begins here.
  bool is_noise(const Header& header) const;
  /// Whether a header that is none, right behind a segment, stands for the end of the dump.
  bool is_broken_end(const Header& header) const;

 private:
  std::size_t bytes_wanted(std::uint8_t tag, std::uint32_t length, Time time) const;
  bool is_heap_record(const Header& header) const;
  bool is_followed(const Header& header) const;
  bool goes_on(std::uint64_t position) const;
  bool hides_heap(const Header& header) const;
  bool hides_header(const Header& header) const;
  bool is_unpatched(const Header& header) const;
  std::optional<std::uint64_t> wrapped_length(std::uint64_t body, std::uint64_t length) const;

  const RecordProbe& probe_;
  HeadlessHeap& headless_;
  unsigned id_size_;
};

}  // namespace hprof
