#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// The ways in which MAT may print the text of a String: cut behind 1024 characters, blanks at the
/// ends lost in the table, control characters as \uXXXX, and other characters beyond ASCII either
/// so or as they are.
std::vector<std::string> mat_renderings(std::string_view text);

}  // namespace hprof
