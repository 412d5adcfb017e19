#pragma once

#include "formats/report/impossible_size.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

struct Report;

/// Why what is said of a heap need not hold for the program: a dump that was read in part, GC roots
/// or references that were left out. The fields mean what those of their names in the report mean.
struct Caveats {
  bool complete = true;
  bool ends_early = false;
  std::string root_policy = "dump";
  std::optional<std::string> reference_policy;
  std::optional<std::uint64_t> roots_left_out;
  std::optional<ImpossibleSize> impossible_size;

  /// Whether objects may be reached that seem not to be; sizes do not matter for that.
  bool any() const { return !complete || strong_only() || roots_left_out.value_or(0) != 0; }
  /// Soft, weak, final and phantom references were left out of the dominator tree.
  bool strong_only() const { return reference_policy == "strong"; }
  /// What was read of a damaged dump has GC roots of its own, so that its counts and bytes of
  /// reachable objects are lower bounds.
  bool has_lower_bounds() const { return !complete && root_policy != "fallback"; }

  bool operator==(const Caveats&) const = default;
};

Caveats caveats_of(const Report& report);

/// "The dump is damaged", and that it is cut where it is.
std::string damaged_words(const Caveats& caveats);
/// What they mean for figures and sentences, one each.
std::vector<std::string> caveat_sentences(const Caveats& caveats);
/// These sentences behind one another.
std::string caveat_text(const Caveats& caveats);
/// The same in a few words, for formats with room for a name only: "damaged, strong references
/// only".
std::string caveat_words(const Caveats& caveats);

/// A sentence that says that something is not there: "In what was read of the dump, there are no
/// Strings." where that is less than the whole dump.
std::string as_far_as_read(bool complete, std::string sentence);
/// "the dump", or the part of it that could be read.
std::string what_was_read(bool complete);

/// Of a damaged dump: how references into what was lost are counted.
inline constexpr const char* kLostLooksCleared =
    "A reference that led into what was lost of the dump counts as a cleared one.";
/// That there are no allocation sites, and why.
std::string no_allocation_stacks(bool complete);

/// What an object is that no GC root reaches: "garbage that was not collected yet", or what else it
/// may be; of several objects "garbage".
std::string fate_of_unreached(const Caveats& caveats, bool several);

/// Of a damaged dump with much that no GC root reaches, a sentence that this need not be garbage;
/// else "".
std::string cut_off_sentence(const Report& report);

}  // namespace hprof
