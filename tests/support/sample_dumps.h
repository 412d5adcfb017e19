#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hprof::test {

/// A dump that make-hprof can write.
struct SampleDump {
  std::string kind;
  std::string what;            ///< one line for --help
  std::uint64_t default_size;  ///< 0 where the kind has no size
  void (*write)(const std::string& path, std::uint64_t size);
};

/// All of them, in the order of --help.
const std::vector<SampleDump>& sample_dumps();

}  // namespace hprof::test
