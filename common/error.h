#pragma once

#include "common/concat.h"

#include <stdexcept>
#include <string>

namespace hprof {

/// What a tool's exit status means; the numbers are those of sysexits.h where it has one.
enum class ExitCode : int {
  ok = 0,
  verdict_fail = 2,    ///< a comparison or gate said FAIL
  usage = 64,          ///< bad option or argument
  bad_data = 65,       ///< input is damaged, cut short or of another kind
  no_input = 66,       ///< input missing or unreadable
  limit = 69,          ///< valid, but beyond a documented limit
  bug = 70,            ///< an internal check failed
  os_error = 71,       ///< no memory, or the system refused something
  cannot_create = 73,  ///< output cannot be created
  io_error = 74,       ///< reading or writing failed midway
  stale = 75,          ///< inputs do not belong together; an earlier stage must run again
};

/// The one exception of the project: what to say and how to exit.
/// The message reads "file: place: what is wrong; what to do"; run_tool() puts the tool's name
/// before it.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// An Error(bad_data) of someone who knows what is wrong, but not with which file.
class Unplaced : public Error {
 public:
  explicit Unplaced(const std::string& what) : Error(ExitCode::bad_data, what) {}
};

/// Throws Error out of line, so that the checks in hot code stay small.
[[noreturn]] void throw_error(ExitCode code, const std::string& message);

[[noreturn]] void throw_unplaced(const std::string& what);

/// Throws Error with the joined parts as its message.
template <typename... Parts>
[[noreturn]] void fail(ExitCode code, const Parts&... parts) {
  throw_error(code, concat(parts...));
}

/// Runs `action`; what it throws Unplaced is said of `files`, with what to do about it.
template <typename Action>
auto placing(const std::string& files, const std::string& remedy, Action&& action) {
  try {
    return action();
  } catch (const Unplaced& error) {
    fail(ExitCode::bad_data, files, ": ", error.what(), "; ", remedy);
  }
}

/// An internal check that stays on in release builds: a false condition is our bug (exit 70).
inline void check(bool condition, const char* what) {
  if (!condition) [[unlikely]] {
    throw_error(ExitCode::bug, concat("internal check failed: ", what, "; please report this"));
  }
}

/// The system's text for an errno value.
std::string errno_text(int error_number);

}  // namespace hprof
