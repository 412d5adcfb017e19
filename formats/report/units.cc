#include "formats/report/units.h"

#include "common/text.h"

#include <array>
#include <bit>
#include <ctime>
#include <limits>

namespace hprof {
namespace {

constexpr std::array kUnits{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
constexpr std::uint64_t kBasisPoints = 10000;

/// `bytes` in tenths of 2^shift, rounded half up.
std::uint64_t tenths(std::uint64_t bytes, unsigned shift) {
  const std::uint64_t whole = bytes >> shift;
  const std::uint64_t rest = bytes & ((std::uint64_t{1} << shift) - 1);
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  // Ten times the rest of the largest unit, 2^60, just fits in 64 bits.
  return whole * 10 + ((rest * 10 + half) >> shift);
}

std::string two_digits(std::uint64_t value) {
  return (value < 10 ? "0" : "") + std::to_string(value);
}

}  // namespace

std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 1024) {
    return std::to_string(bytes) + " B";
  }
  auto unit = static_cast<unsigned>(std::bit_width(bytes) - 1) / 10;
  std::uint64_t shown = tenths(bytes, unit * 10);
  if (shown >= 10240 && unit < kUnits.size()) {
    ++unit;
    shown = tenths(bytes, unit * 10);
  }
  return grouped(shown / 10) + "." + std::to_string(shown % 10) + " " + kUnits.at(unit - 1);
}

std::string format_share(std::uint64_t basis_points) {
  return grouped(basis_points / 100) + "." + two_digits(basis_points % 100) + " %";
}

std::uint64_t share_bp(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) {
    return 0;
  }
  if (part <= std::numeric_limits<std::uint64_t>::max() / kBasisPoints) {
    return part * kBasisPoints / whole;
  }
  // Long division digit by digit: 10000 = 10^4, and part % whole · 10 fits once both are shifted
  // alike.
  std::uint64_t result = part / whole;
  std::uint64_t rest = part % whole;
  for (int digit = 0; digit < 4; ++digit) {
    std::uint64_t quotient = 0;
    std::uint64_t sum = 0;
    for (int step = 0; step < 10; ++step) {
      const bool wraps = sum >= whole - rest;
      sum = wraps ? sum - (whole - rest) : sum + rest;
      quotient += wraps ? 1 : 0;
    }
    result = result * 10 + quotient;
    rest = sum;
  }
  return result;
}

std::string format_time(std::uint64_t milliseconds) {
  const auto seconds = static_cast<std::time_t>(milliseconds / 1000);
  std::tm fields{};
  std::array<char, 64> buffer{};
  if (::gmtime_r(&seconds, &fields) == nullptr) {
    return std::to_string(milliseconds) + " ms";
  }
  const std::size_t length =
      std::strftime(buffer.data(), buffer.size(), "%Y-%m-%d %H:%M:%S UTC", &fields);
  return {buffer.data(), length};
}

}  // namespace hprof
