#pragma once

#include "formats/report/leaks.h"
#include "tools/hprof-report/paths/leak_finder.h"
#include "tools/hprof-report/paths/path_describer.h"

#include <string>
#include <vector>

namespace hprof {

/// Names by which to search for a suspect's cause: its class, the class of its accumulation point,
/// their class loaders, and the frames with locals that have to do with it.
std::vector<std::string> keywords_of(const Heap& heap, const Suspicion& suspicion,
                                     const PathDescriber& describer, const Suspect& suspect);

}  // namespace hprof
