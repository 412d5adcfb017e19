#pragma once

#include "common/steps.h"
#include "tools/hprof-report/dump/dump_source.h"
#include "tools/hprof-report/dump/java_text.h"
#include "tools/hprof-report/dump/object_record.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace hprof {

/// Fetches single records from the dump. Whoever needs one says so beforehand; all that are wanted
/// at a time are fetched in one reading, and what is wanted on seeing them in the next.
class RecordFetcher {
 public:
  using Take = std::function<void(const ObjectRecord&)>;
  using TakeText = std::function<void(const JavaText&)>;
  using TakePosition = std::function<void(std::uint64_t position)>;

  /// Bytes of elements that are delivered where nothing else is said.
  static constexpr std::uint64_t kMostBytes = 1U << 16U;

  explicit RecordFetcher(DumpSource& dump) : dump_(dump) {}

  /// Has `take` called with the record of `object` in a coming reading, with at most `most_bytes`
  /// of elements. Nothing comes for none() and for objects without a record of their own (class
  /// objects, the pseudo object at 0).
  void want(ObjectIndex object, Take take, std::uint64_t most_bytes = kMostBytes);
  /// The same for the text of a java.lang.String of any JDK; nothing comes for other objects.
  void want_text(ObjectIndex string, TakeText take, std::uint64_t most_characters = 4096);
  /// The first position of `target` in an object array; nothing comes if it is not in it.
  void want_position(ObjectIndex array, ObjectIndex target, TakePosition take);

  /// Reads the dump until nothing is wanted any more. What `take` throws passes through.
  void run();

 private:
  class Reading;
  struct Want {
    std::uint32_t object = 0;
    std::uint64_t most_bytes = 0;
    Take take;
    ObjectIndex target;  ///< not none: only its position is wanted
    TakePosition take_position;
  };

  void read(std::vector<Want> wants);
  void take_string(const ObjectRecord& string, TakeText take, std::uint64_t most_characters);

  DumpSource& dump_;
  std::vector<Want> wants_;
};

}  // namespace hprof
