#pragma once

#include "formats/report/references.h"

#include <cstddef>

namespace hprof {

inline constexpr std::size_t kStrengths = Words<Strength>::kWords.size();

}  // namespace hprof
