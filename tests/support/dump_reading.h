#pragma once

#include "common/open_source.h"
#include "formats/hprof_reader.h"
#include "tests/support/files.h"

#include <cstdint>
#include <span>

namespace hprof::test {

/// Reads a dump with a visitor, as the stages do; returns the number of dumps in the file.
template <typename Visitor>
std::uint32_t read_dump(std::span<const std::uint8_t> bytes, Visitor& visitor,
                        std::uint32_t number = 1) {
  const TempFolder folder;
  const std::string path = folder / "test.hprof";
  write_file(path, bytes);
  BufferedInput input(open_source(path));
  const auto header = read_hprof_header(input, path);
  HprofReader<Visitor> reader(input, header, "test.hprof", visitor);
  if (!input.source().is_compressed()) {
    reader.set_input_size(bytes.size());
  }
  return reader.read({.number = number}, [](std::uint64_t) {});
}

}  // namespace hprof::test
