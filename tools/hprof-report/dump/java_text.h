#pragma once

#include "formats/record_kind.h"

#include <cstdint>
#include <span>
#include <string>

namespace hprof {

/// Text of a java.lang.String.
struct JavaText {
  std::string utf8;              ///< lone surrogates as U+FFFD
  std::uint64_t characters = 0;  ///< UTF-16 units of the whole string
  bool cut = false;              ///< utf8 is only its beginning
};

/// How a java.lang.String keeps its characters in an array.
struct StringSlice {
  std::uint64_t offset = 0;  ///< first UTF-16 unit; JDK 6 and before
  std::uint64_t count = 0;   ///< UTF-16 units
  bool whole = true;         ///< all of the array, whatever offset and count say
  bool latin1 = false;       ///< one byte per unit: a byte[] with coder 0
};

/// Text in the first `elements` bytes of a char[] (big-endian, as the dump has it) or a byte[]
/// (Latin-1, or UTF-16 in the byte order of the dump's machine, little-endian unless told);
/// `array_elements` is the array's full length.
JavaText decode_text(std::span<const std::uint8_t> elements, RecordKind kind,
                     std::uint64_t array_elements, const StringSlice& slice);

}  // namespace hprof
