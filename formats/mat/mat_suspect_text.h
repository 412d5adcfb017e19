#pragma once

#include "formats/mat/mat_export.h"
#include "formats/mat/mat_story.h"

#include <cstddef>

namespace hprof {

/// Reads what a suspect's text says beside the suspect and its accumulation point: top consumers,
/// threads, objects on the shortest path, significant frames, keywords. Returns how many bold parts
/// and list items that took.
std::size_t read_suspect_text(const MatPage& page, const HtmlSection& section, const Story& story,
                              MatSuspect& suspect);

}  // namespace hprof
