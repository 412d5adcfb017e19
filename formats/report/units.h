#pragma once

#include <cstdint>
#include <string>

namespace hprof {

/// Bytes in 1024-based units with one decimal, rounded half up: "512 B", "22.2 MiB".
std::string format_bytes(std::uint64_t bytes);

/// Basis points as a percentage with two decimals: 9242 → "92.42 %".
std::string format_share(std::uint64_t basis_points);

/// part / whole in basis points, rounded down; 0 of nothing is 0. Exact for all 64-bit numbers with
/// part ≤ whole.
std::uint64_t share_bp(std::uint64_t part, std::uint64_t whole);

/// Milliseconds since 1970 as "2026-11-29 22:06:38 UTC".
std::string format_time(std::uint64_t milliseconds);

}  // namespace hprof
