#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// What became of one field: equal, different for a proven harmless reason, different, or without
/// counterpart.
enum class Tier { match, explainable, fail, skipped };

/// The harmless reasons. There is no other, and each is granted by its own proof (proofs.h) only.
enum class Reason {
  none,
  order,                         ///< the same set, listed in another order where order says nothing
  tie_break,                     ///< two rows of equal rank key changed places
  rounding,                      ///< MAT's text stands for a band of values, and ours lies in it
  no_counterpart,                ///< only one side has the field
  mat_class_object_rooting_gap,  ///< the difference lies in objects of java.lang.Class alone
};

struct Verdict {
  Tier tier = Tier::fail;
  Reason reason = Reason::none;
  std::string evidence;
};

/// One compared field, or `count` fields of one kind that have no counterpart.
struct Field {
  std::string section;
  std::string name;
  std::string ours;
  std::string mat;
  Verdict verdict;
  std::uint64_t count = 1;
};

struct Summary {
  std::uint64_t match = 0;
  std::uint64_t explainable = 0;
  std::uint64_t fail = 0;
  std::uint64_t skipped = 0;

  std::uint64_t compared() const { return match + explainable + fail; }
};

/// The outcome for one dump.
struct Comparison {
  std::string mat;   ///< what was read of MAT, names joined by ", "
  std::string ours;  ///< base name of our report
  std::vector<Field> fields;

  Summary summary() const;
};

/// "MATCH", "EXPLAINABLE", "FAIL", "SKIPPED".
const char* tier_name(Tier tier);
/// "Order", "TieBreak", "Rounding", "NoCounterpart", "MatClassObjectRootingGap"; empty for none.
const char* reason_name(Reason reason);

}  // namespace hprof
