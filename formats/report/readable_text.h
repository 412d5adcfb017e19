#pragma once

#include <string>
#include <string_view>

namespace hprof {

/// Valid UTF-8 from the bytes of an HPROF string or a file name. Well-formed UTF-8 is kept; what
/// modified UTF-8 writes differently (NUL as c0 80, a supplementary character as two surrogates)
/// becomes the character that is meant; every other byte becomes the four characters \xNN.
std::string readable_text(std::string_view raw);

}  // namespace hprof
