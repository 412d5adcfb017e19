#include "common/error.h"

#include <system_error>

namespace hprof {

void throw_error(ExitCode code, const std::string& message) {
  throw Error(code, message);
}

void throw_unplaced(const std::string& what) {
  throw Unplaced(what);
}

std::string errno_text(int error_number) {
  return std::generic_category().message(error_number);
}

}  // namespace hprof
