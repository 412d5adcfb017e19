#pragma once

#include "formats/report/report.h"

#include <cstdint>
#include <optional>

namespace hprof::triage {

/// A field of the application that keeps a third of the heap or more, and nearly all objects of a
/// class.
struct Hoard {
  Holder field;
  ClassShare element;                   ///< the class, and how many of its objects hang there
  std::uint64_t instances = 0;          ///< of the class in the whole heap
  std::uint64_t retained = 0;           ///< what gathers there
  std::optional<ClassShare> callbacks;  ///< objects of a lambda, nearly all of which hang there
  bool of_listeners = false;            ///< there are callbacks, or a name tells of listeners
  /// What the listeners keep: all of it where the field is named for them, else what their class
  /// retains; what something else leads to as well is not theirs.
  std::uint64_t listeners_retained = 0;
  std::optional<ClassShare> most;  ///< class of half of what gathers there, where it is another one
};

/// The first suspect that is one; nothing where memory hangs on the stack of a thread, since a
/// program at work holds what it works on.
std::optional<Hoard> find_hoard(const Report& report);

}  // namespace hprof::triage
