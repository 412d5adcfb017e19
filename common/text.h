#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hprof {

/// 0x-prefixed lower-case hex without padding, the way addresses are written everywhere.
std::string hex_address(std::uint64_t address);

/// Last part of a path.
std::string base_name(const std::string& path);

/// Quotes control bytes and invalid UTF-8 as \xNN, so that a hostile name cannot garble a message.
std::string printable(std::string_view raw);

/// Length in bytes of the well-formed UTF-8 sequence at `text[at]`; 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t at);

/// Decimal digits in groups of three: "1,234,567".
std::string grouped(std::uint64_t value);

/// "1 object", "2,000 objects".
std::string format_count(std::uint64_t count, const std::string& singular,
                         const std::string& plural);

}  // namespace hprof
