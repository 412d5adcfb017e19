#pragma once

#include "formats/dump_damage.h"
#include "tools/hprof-index/dump_sketch.h"

#include <string>
#include <vector>

namespace hprof {

/// Looks at the beginning of a dump and at places all over it, at most some 80 MB; of a compressed
/// dump, and of one in several files, only at the beginning. What is damaged there is passed over.
DumpSketch look_at_dump(const std::string& path, const std::vector<DumpPart>& parts = {});

}  // namespace hprof
