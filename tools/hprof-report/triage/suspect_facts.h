#pragma once

#include "tools/hprof-report/triage/rules.h"

#include <cstdint>
#include <string>

namespace hprof::triage {

/// The static field on which a suspect hangs; nullptr where it hangs on something else.
const Holder* static_anchor_of(const Suspect& suspect);

/// What the accumulation point retains, or else the suspect itself.
std::uint64_t gathered(const Suspect& suspect);

/// "28.7 MiB (96.77 %)": bytes and their share of the used heap.
std::string size_and_share(const Facts& facts, std::uint64_t bytes);

}  // namespace hprof::triage
