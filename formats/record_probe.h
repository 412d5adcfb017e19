#pragma once

#include "common/input_file.h"
#include "formats/inflated_window.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// Looks at any place of a damaged dump and tells whether records begin there. A compressed one is
/// inflated a second time for that, but only where something is wrong or cannot be told otherwise.
class RecordProbe {
 public:
  RecordProbe(const std::string& path, bool compressed, unsigned identifier_size);

  /// Bytes of the dump; inflates a compressed one to its end once.
  std::uint64_t size() const { return compressed_ ? inflated_.size() : file_bytes_; }
  /// Bytes of the dump; 0 for a compressed one until something is wrong with it.
  std::uint64_t known_size() const { return compressed_ && !inflated_.knows_size() ? 0 : size(); }
  /// Whether the dump can have a record of that length; a compressed one can until something is
  /// wrong with it.
  bool fits(std::uint64_t body, std::uint64_t length) const;
  /// Whether the dump can be so large that lengths do not fit in four bytes.
  bool may_wrap() const;
  /// Whether looks have become so dear that it is better to stop.
  bool is_worn() const { return inflated_.is_worn(); }

  /// As many bytes as there are.
  std::vector<std::uint8_t> bytes_at(std::uint64_t position, std::size_t count) const;
  /// Whether nothing but zeros follow.
  bool zeros_from(std::uint64_t position) const;

  /// Whether a record begins here, if the file does not end before that can be seen: its tag and
  /// length are possible and another record or the end follows it.
  bool is_header(std::uint64_t position) const;
  /// Whether some records in a row begin here, up to the first heap record or the end.
  bool is_chain(std::uint64_t position) const;
  /// Whether a body of that length begins with whole heap records, some or all that it has.
  bool heap_begins(std::uint64_t body, std::uint64_t length) const;
  /// Whether a body of unknown length does, up to the next record or the end of the file.
  bool heap_begins(std::uint64_t body) const;

 private:
  FileDescriptor file_;
  std::string path_;
  bool compressed_;
  unsigned id_size_;
  std::uint64_t file_bytes_;
  mutable InflatedWindow inflated_;  ///< of a compressed dump
};

}  // namespace hprof
