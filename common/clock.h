#pragma once

#include <string>

namespace hprof {

/// The time as "2026-11-29T22:06:38Z".
std::string now_utc();

}  // namespace hprof
