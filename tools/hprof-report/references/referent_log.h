#pragma once

#include "common/varint.h"
#include "tools/hprof-report/references/strength.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// Which references of the heap are referents, in about three bytes each: source, position among
/// the source's references, strength. Ascending by source.
class ReferentLog {
 public:
  struct Entry {
    std::uint32_t source = 0;
    std::uint32_t ordinal = 0;
    Strength strength = Strength::strong;
  };

  void add(const Entry& entry) {
    append_varint(bytes_, entry.source - last_);
    append_varint(bytes_, std::uint64_t{entry.ordinal} * kStrengths +
                              static_cast<std::uint64_t>(entry.strength));
    last_ = entry.source;
  }

  /// Walks the log front to back.
  class Cursor {
   public:
    explicit Cursor(const ReferentLog& log) : varints_(log.bytes_) { next(); }

    bool at_end() const { return at_end_; }
    const Entry& entry() const { return entry_; }
    void next() {
      at_end_ = varints_.at_end();
      if (!at_end_) {
        entry_.source += static_cast<std::uint32_t>(varints_.next());
        const std::uint64_t coded = varints_.next();
        entry_.ordinal = static_cast<std::uint32_t>(coded / kStrengths);
        entry_.strength = static_cast<Strength>(coded % kStrengths);
      }
    }

   private:
    VarintCursor varints_;
    Entry entry_;
    bool at_end_ = false;
  };

 private:
  std::vector<std::uint8_t> bytes_;
  std::uint32_t last_ = 0;
};

}  // namespace hprof
