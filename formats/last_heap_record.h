#pragma once

#include "formats/dump_course.h"
#include "formats/record_search.h"

#include <cstdint>
#include <optional>

namespace hprof {

/// The heap record that was read last, whole as it seemed. When no record begins behind it, its
/// length may be what is wrong, and it is mended: once, or two wrong headers could send a reader to
/// and fro.
class LastHeapRecord {
 public:
  struct Record {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint8_t tag = 0;
    bool was_read = true;  ///< not only passed over, for being another dump's
    DumpCourse before;
  };

  const Record& get() const { return record_; }
  void set(const Record& record) { record_ = record; }
  void forget() { record_ = {}; }

  /// Where the record really ends, if it is not where it seemed to, at `place`, where none begins.
  /// What was read of it stays read, so it can only be longer then.
  std::optional<std::uint64_t> mended_end(const RecordSearch& search,
                                          const DamagedRecord::Place& place);
  /// Whether the record at that position has been mended.
  bool is_mended(std::uint64_t start) const { return start == mended_; }

 private:
  Record record_;
  std::uint64_t mended_ = 0;  ///< start of the record that was mended last
};

}  // namespace hprof
