#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace hprof {

/// A text as a field of RFC 4180, quoted only where it has to be. A text that a spreadsheet would
/// take for a formula (it begins with = + - @ or a control character) gets an apostrophe before it:
/// names in a dump are whatever its program wanted.
std::string csv_text(std::string_view text);

/// A line of fields that are ready, with a line feed behind it.
std::string csv_line(std::initializer_list<std::string> fields);

}  // namespace hprof
