#pragma once

#include "formats/report/leaks.h"
#include "tools/hprof-report/paths/leak_finder.h"
#include "tools/hprof-report/paths/path_describer.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hprof {

/// The thread that a suspect is or that is nearest to it on its path; none where no thread has to
/// do with it.
std::optional<std::uint32_t> thread_of(const StackTexts& stacks, const Suspicion& suspicion,
                                       const ObjectPath* path);

/// Locals of a thread, ascending.
std::vector<std::uint32_t> locals_of(const HeapIndex& index, std::uint32_t thread);

/// The thread with its stack, at most `most_frames`; beside each frame the locals that lie on the
/// path or retain more than a tenth of the suspect.
SuspectThread describe_thread(const Heap& heap, const PathDescriber& describer,
                              std::uint32_t thread, const Suspicion& suspicion,
                              const ObjectPath* path, std::size_t most_frames);

}  // namespace hprof
