#pragma once

#include <string>
#include <string_view>

namespace hprof {

/// What some editors put in front of UTF-8 text.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Whether all of it is well-formed UTF-8.
bool is_utf8(std::string_view text);

/// ASCII letters in lower case.
std::string lower_case(std::string_view text);

}  // namespace hprof
