#pragma once

#include "formats/heap_index.h"
#include "tests/support/dump_reading.h"
#include "tools/hprof-index/resolve.h"

#include <cstdint>
#include <span>

namespace hprof::test {

/// Indexes a dump as hprof-index does.
inline HeapIndex index_of(std::span<const std::uint8_t> bytes, std::uint32_t number = 1) {
  const TempFolder folder;
  write_file(folder / "test.hprof", bytes);
  BufferedInput input(open_source(folder / "test.hprof"));
  const auto header = read_hprof_header(input, "test.hprof");
  Collector collector(header.identifier_size);
  read_dump(bytes, collector, number);
  return resolve(std::move(collector), header);
}

}  // namespace hprof::test
