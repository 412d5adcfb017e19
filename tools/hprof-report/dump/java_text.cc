// Compact strings keep UTF-16 in the byte order of the machine, which a dump does not record: every
// machine on which HotSpot is common is little-endian.
#include "tools/hprof-report/dump/java_text.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr char32_t kReplacement = 0xfffd;

void append_utf8(std::string& out, char32_t c) {
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((c >> shift) & 0x3fU));
  };
  if (c < 0x80U) {
    out += static_cast<char>(c);
  } else if (c < 0x800U) {
    out += static_cast<char>(0xc0U | c >> 6U);
    tail(0);
  } else if (c < 0x10000U) {
    out += static_cast<char>(0xe0U | c >> 12U);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0U | c >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
}

constexpr bool is_high(char32_t unit) {
  return unit >= 0xd800U && unit < 0xdc00U;
}
constexpr bool is_low(char32_t unit) {
  return unit >= 0xdc00U && unit < 0xe000U;
}

/// UTF-16 units one by one.
class Units {
 public:
  Units(std::span<const std::uint8_t> bytes, RecordKind kind, bool latin1)
      : bytes_(bytes), big_endian_(kind == RecordKind::char_array), width_(latin1 ? 1 : 2) {}

  std::uint64_t size() const { return bytes_.size() / width_; }
  char32_t operator[](std::uint64_t at) const {
    const std::uint8_t* const unit = bytes_.data() + at * width_;
    if (width_ == 1) {
      return *unit;
    }
    return big_endian_ ? char32_t{unit[0]} << 8U | unit[1] : char32_t{unit[1]} << 8U | unit[0];
  }

 private:
  std::span<const std::uint8_t> bytes_;
  bool big_endian_;
  unsigned width_;
};

std::string to_utf8(const Units& units, std::uint64_t first, std::uint64_t end) {
  std::string out;
  for (std::uint64_t at = first; at < end; ++at) {
    const char32_t unit = units[at];
    if (is_high(unit) && at + 1 < end && is_low(units[at + 1])) {
      append_utf8(out, 0x10000U + ((unit - 0xd800U) << 10U) + (units[++at] - 0xdc00U));
    } else {
      append_utf8(out, is_high(unit) || is_low(unit) ? kReplacement : unit);
    }
  }
  return out;
}

}  // namespace

JavaText decode_text(std::span<const std::uint8_t> elements, RecordKind kind,
                     std::uint64_t array_elements, const StringSlice& slice) {
  const bool bytes = kind == RecordKind::byte_array;
  const bool latin1 = bytes && slice.latin1;
  const std::uint64_t available = bytes && !latin1 ? array_elements / 2 : array_elements;
  const std::uint64_t first = slice.whole ? 0 : std::min(slice.offset, available);
  const std::uint64_t count = slice.whole ? available : std::min(slice.count, available - first);
  const Units units(elements, kind, latin1);
  const std::uint64_t end = std::min(first + count, units.size());
  return {.utf8 = first < end ? to_utf8(units, first, end) : std::string(),
          .characters = count,
          .cut = end < first + count};
}

}  // namespace hprof
