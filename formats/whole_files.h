#pragma once

#include "common/input_file.h"
#include "formats/provenance.h"

#include <compare>
#include <cstdint>
#include <optional>

namespace hprof {

/// What tells a file from another one and from what it was before it was changed.
struct FileStamp {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t bytes = 0;
  std::int64_t changed_ns = 0;  ///< time of the last change, since 1970

  // NOLINTNEXTLINE(modernize-use-nullptr): the zero is the compiler's own
  auto operator<=>(const FileStamp&) const = default;
};

/// Nothing for what is no plain file.
std::optional<FileStamp> stamp_of(const FileDescriptor& file);

/// The files that this process has held against their checksums, so that whoever reads one again
/// and again need do it only the first time.
class WholeFiles {
 public:
  /// The identity of a file that was found whole and is still the same.
  static std::optional<FileIdentity> find(const FileStamp& stamp);
  /// To be told of a file that was found whole. One that has just been changed is not remembered:
  /// another change might leave no trace in its stamp.
  static void add(const FileStamp& stamp, const FileIdentity& identity);
};

}  // namespace hprof
