#include "formats/html/html_text.h"

#include "formats/report/characters.h"

#include <limits>

namespace hprof {
namespace {

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();
constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr std::string_view kHexDigits = "0123456789abcdef";

bool is_stray(std::string_view sequence) {
  return sequence.size() == 1 && (static_cast<unsigned char>(sequence[0]) & 0x80U) != 0;
}

std::string_view entity(std::uint32_t value) {
  switch (value) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return "";
  }
}

/// Safe as text, in attributes of either quotes, in <title> and in SVG alike, so that a mistaken
/// place does no harm.
std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, kNoLimit, out, [&](std::string_view sequence, std::uint32_t value) {
    if (is_stray(sequence)) {
      out += kReplacement;
    } else if (is_unseen(value)) {
      append_escape(out, value);
    } else if (const auto named = entity(value); !named.empty()) {
      out += named;
    } else {
      out += sequence;
    }
  });
  return out;
}

bool stays_in_fragment(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

}  // namespace

std::string html_text(std::string_view text) {
  return escaped(text);
}

std::string html_attribute(std::string_view value) {
  return escaped(value);
}

std::string html_title(std::string_view text) {
  return escaped(text);
}

std::string svg_text(std::string_view text) {
  return escaped(text);
}

std::string html_fragment(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (stays_in_fragment(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '.';
      out += kHexDigits[byte >> 4U];
      out += kHexDigits[byte & 15U];
    }
  }
  return out;
}

std::string html_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for_each_character(json, kNoLimit, out, [&](std::string_view sequence, std::uint32_t value) {
    const bool unseen = is_unseen(value) && value != '\n';
    if (value == '<' || value == '>' || value == '&' || unseen) {
      append_escape(out, value);
    } else {
      out += is_stray(sequence) ? kReplacement : sequence;
    }
  });
  return out;
}

std::string shown_name(std::string_view name) {
  if (name.find_first_not_of(' ') == std::string_view::npos) {
    return std::string(kNoName);
  }
  std::string out;
  for_each_character(name, kMaxNameCharacters, out,
                     [&](std::string_view sequence, std::uint32_t /*value*/) { out += sequence; });
  return out;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      group =
          group << 8U | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (unsigned i = 0; i < 4; ++i) {
      out += at + i > bytes.size() ? '=' : kDigits[group >> (18 - 6 * i) & 63U];
    }
  }
  return out;
}

}  // namespace hprof
