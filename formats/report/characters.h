#pragma once

#include "common/text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hprof {

/// Names are cut after this many characters where people read them; the JSON has them whole.
inline constexpr std::size_t kMaxNameCharacters = 300;
/// What is shown for an empty name.
inline constexpr std::string_view kNoName = "(no name)";

/// The character that a well-formed UTF-8 sequence stands for; of a stray byte its lower bits.
std::uint32_t code_point(std::string_view sequence);

/// Controls, zero-width and bidirectional characters, line separators, the byte order mark.
bool is_unseen(std::uint32_t value);

/// Appends \uXXXX.
void append_escape(std::string& out, std::uint32_t value);

/// Calls visit(sequence, value) for each character, a stray byte taken for one, and appends "…" to
/// `out` where it stops after `most`.
template <typename Visit>
void for_each_character(std::string_view text, std::size_t most, std::string& out, Visit&& visit) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    if (count == most) {
      out += "…";
      return;
    }
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text, at));
    const auto sequence = text.substr(at, length);
    visit(sequence, code_point(sequence));
    at += length;
  }
}

}  // namespace hprof
