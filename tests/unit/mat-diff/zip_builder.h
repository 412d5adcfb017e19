#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hprof::test {

/// One entry of an archive with everything that a hostile writer could set wrong. Sizes default to
/// the true ones.
struct ZipEntry {
  std::string name;
  std::string content;
  bool deflate = true;
  std::uint16_t flags = 0;
  std::optional<std::uint16_t> method;
  std::optional<std::uint64_t> declared_size;
  std::optional<std::uint32_t> declared_crc;
  bool zip64 = false;                  ///< sizes in a zip64 extra field
  std::optional<std::size_t> body_of;  ///< points at the body of that earlier entry
};

/// The archive's bytes.
std::vector<std::uint8_t> zip_of(const std::vector<ZipEntry>& entries);

/// An honest archive of these files.
std::vector<std::uint8_t> zip_of(const std::map<std::string, std::string>& files);

}  // namespace hprof::test
