#pragma once

#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/section_log.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace hprof {

/// Instances of a group above which MAT takes a random sample.
inline constexpr std::uint64_t kMatSampleLimit = 10'000;

/// Compares what MAT's text on a suspect says beside its figures, and the shortest path on its page
/// of details: top consumers, path, threads, significant frames, keywords. `name` starts the
/// fields' names, `ours` is our suspect.
void compare_suspect_text(const Sides& sides, const std::string& name, const MatSuspect& mat,
                          const nlohmann::json& ours, SectionLog& log);

}  // namespace hprof
