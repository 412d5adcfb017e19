#pragma once

#include <sstream>
#include <string>

namespace hprof {

/// Joins the printed forms of its arguments; for messages, not for hot loops.
template <typename... Parts>
std::string concat(const Parts&... parts) {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  (out << ... << parts);
  return out.str();
}

}  // namespace hprof
