#pragma once

#include "common/input_stream.h"
#include "formats/hprof_visitor.h"

#include <cstdint>

namespace hprof {

/// Has a lenient reader read a dump to its end. No record reaches over a place where packed bytes
/// are missing: what was begun before is damaged, and another is looked for behind it.
template <typename Reader, typename OnProgress>
std::uint32_t read_over_gaps(Reader& reader, BufferedInput& input, DumpSelection selection,
                             OnProgress&& progress) {
  input.stop_at_gaps(true);
  std::uint32_t dumps = 0;
  do {
    dumps = reader.read(selection, progress);
  } while (input.pass_gap());
  input.stop_at_gaps(false);
  return dumps;
}

}  // namespace hprof
