#pragma once

#include "formats/dump_view.h"
#include "formats/heap_knowledge.h"
#include "formats/sub_record.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace hprof {

/// Finds rows of heap records among other bytes, by what the dump tells of its heap.
class HeapRuns {
 public:
  /// Where records are looked for.
  struct Bounds {
    std::uint64_t new_from = 0;  ///< records from here on are not known already
    std::uint64_t end = 0;       ///< no record reaches beyond this
    bool is_cut = false;         ///< the last record may lack its end
  };

  struct Record {
    SubRecordHead head;
    Fit fit = Fit::none;
    bool beyond = false;  ///< it would be one if the bounds did not end before it
  };

  /// Records one behind the other.
  struct Run {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    Record last;  ///< the last object that is sure; none if there is none
    std::uint64_t last_begin = 0;
    unsigned unproved = 0;  ///< records behind that
    std::uint64_t sure = 0;
    std::uint64_t sure_end = 0;  ///< of the last record of any kind that is sure

    void append(const Record& record);
  };

  /// How far a run is followed when records fit badly.
  enum class Patience { limited, unlimited };

  enum class Wanted { any, objects };

  /// All three must outlive the search; it adds classes that it comes by to what is known.
  HeapRuns(DumpView& view, HeapKnowledge& known, unsigned identifier_size)
      : view_(view), known_(known), id_size_(identifier_size) {}

  /// From now on these are the bounds.
  void set_bounds(const Bounds& bounds) { bounds_ = bounds; }

  /// Bytes within the bounds; looking ahead does not move the view.
  std::span<const std::uint8_t> bytes_at(std::uint64_t position, std::size_t count, bool ahead);
  Record record_at(std::uint64_t position, bool ahead);
  /// Follows records up to the first that is none, or to one that fits badly and is not made good
  /// by those behind it.
  Run walk(std::uint64_t begin, std::uint64_t stop, Patience patience);
  /// Whether several records that fit stand here, or at least one up to the end.
  bool goes_on(std::uint64_t position);
  /// Whether such records begin here, and with a sure one.
  bool is_convincing(std::uint64_t position);
  /// The first place at or behind `from` where a single record fits, one of an object if that is
  /// wanted; `limit` if there is none.
  std::uint64_t candidate(std::uint64_t from, std::uint64_t limit, Wanted wanted);
  /// Whether a record header stands here, as there is one in a dump that lies in an array.
  bool is_header(std::uint64_t position);

  /// The end of a dump inside an array whose header candidate() came by since the last call of
  /// forget_inner_dump(); 0: there is none.
  std::uint64_t inner_end() const { return inner_end_; }
  void forget_inner_dump() { inner_end_ = 0; }

 private:
  void learn(std::uint64_t position, const Record& record);
  void note_header(std::uint64_t position);

  DumpView& view_;
  HeapKnowledge& known_;
  unsigned id_size_;
  Bounds bounds_;
  std::uint64_t inner_end_ = 0;
};

}  // namespace hprof
