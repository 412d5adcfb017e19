#include "tools/hprof-report/dump/dump_source.h"

#include "common/input_stream.h"

#include <utility>

namespace hprof {

DumpSource::DumpSource(std::string path, std::uint32_t dump_number, const HeapIndex& index,
                       RecordPlaces places)
    : path_(std::move(path)),
      dump_number_(dump_number),
      size_(file_size(open_input(path_), path_)),
      index_(index),
      type_ids_(index),
      fields_(index),
      places_(std::move(places)) {}

}  // namespace hprof
