#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace hprof {

/// Whether the beginning of a dump was changed by something that took it for text, as a clause with
/// what to do; "" where nothing looks like it.
std::string text_transfer(std::span<const std::uint8_t> sample);

}  // namespace hprof
