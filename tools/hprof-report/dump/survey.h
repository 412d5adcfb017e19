#pragma once

#include "common/bit_vector.h"
#include "common/steps.h"
#include "tools/hprof-report/dump/dump_source.h"
#include "tools/hprof-report/dump/object_record.h"
#include "tools/hprof-report/dump/type_blocks.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace hprof {

/// Someone who looks at every object of some types, reachable ones unless told, while the whole
/// dump passes by once. Records come in the order of the file, each object once.
class Surveyor {
 public:
  virtual ~Surveyor() = default;

  /// Whether objects of this row of the type table are to be shown; asked once beforehand.
  virtual bool wants(std::uint32_t type) = 0;
  /// Whether also the elements of primitive arrays of that type.
  virtual bool wants_contents(std::uint32_t /*type*/) { return false; }
  /// Whether also unreachable objects.
  virtual bool wants_garbage() { return false; }

  virtual void on_instance(const ObjectRecord& /*record*/) {}
  /// An array begins; its head, without elements.
  virtual void on_array(const ObjectRecord& /*record*/) {}
  /// Ids of an object array, or big-endian elements of a primitive one, piece by piece.
  virtual void on_elements(std::span<const std::uint8_t> /*elements*/) {}
  virtual void on_array_end() {}
};

/// The one reading of the dump that all surveyors share.
class Survey {
 public:
  /// `is_reachable(object)` tells objects that count from garbage.
  Survey(DumpSource& dump, std::function<bool(std::uint32_t)> is_reachable)
      : dump_(dump), is_reachable_(std::move(is_reachable)) {}

  /// Lets run() pass over what holds nothing for anyone, where that is much. `types`: of all
  /// objects.
  void pass_over_others(const TypeBlocks& types) { types_ = &types; }
  /// The same where it is known which objects are wanted: `any_between(lowest, highest)` says
  /// whether there are such.
  void pass_over_others(std::function<bool(std::uint32_t, std::uint32_t)> any_between) {
    any_between_ = std::move(any_between);
  }
  /// `surveyor` must outlive run().
  void add(Surveyor& surveyor) { surveyors_.push_back(&surveyor); }
  /// Reads the dump, unless it has nothing that any surveyor wants.
  void run(Progress& progress);

 private:
  class Reading;

  bool wants(const Reading& reading, const RecordPlace& place) const;
  bool pays_to_skip(const Reading& reading) const;

  DumpSource& dump_;
  std::function<bool(std::uint32_t)> is_reachable_;
  const TypeBlocks* types_ = nullptr;
  std::function<bool(std::uint32_t, std::uint32_t)> any_between_;
  std::vector<Surveyor*> surveyors_;
};

}  // namespace hprof
