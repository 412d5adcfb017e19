#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// Which dump a stage file speaks of; see schema/common.capnp.
struct DumpIdentity {
  std::string name;  ///< base name of the file
  std::uint64_t size_bytes = 0;
  std::uint64_t timestamp_ms = 0;
  std::uint32_t edge_crc32 = 0;
  std::uint32_t dump_number = 1;

  bool operator==(const DumpIdentity&) const = default;
};

/// Content identity of a stage file: checksum and length up to its footer.
struct FileIdentity {
  std::uint32_t crc32 = 0;
  std::uint64_t bytes = 0;

  bool operator==(const FileIdentity&) const = default;
};

/// A stage file that another one was made from.
struct InputIdentity {
  std::string kind;
  FileIdentity identity;

  bool operator==(const InputIdentity&) const = default;
};

/// Where a stage file's contents come from; two files with equal provenance have equal contents.
struct Provenance {
  std::string tool;
  std::string tool_version;
  std::vector<std::string> options;  ///< "name=value", all that change the contents
  DumpIdentity dump;
  std::vector<InputIdentity> inputs;

  bool operator==(const Provenance&) const = default;
};

/// One of the kinds of stage file.
struct FileKind {
  const char* name;  ///< "index"
  const char* tool;  ///< who writes it
  char magic[9];     ///< eight characters, the first field of the first frame
  std::uint16_t format_version;
};

inline constexpr FileKind kIndexFile{"index", "hprof-index", "HPROFIDX", 4};
inline constexpr FileKind kGraphFile{"graph", "hprof-graph", "HPROFGRF", 2};
inline constexpr FileKind kDomtreeFile{"domtree", "hprof-domtree", "HPROFDOM", 2};

/// Examines the file named `path`: size, checksum of its ends; timestamp and number come from the
/// caller.
DumpIdentity identify_dump(const std::string& path, std::uint64_t timestamp_ms,
                           std::uint32_t dump_number);

}  // namespace hprof
