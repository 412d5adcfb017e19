#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::test {

/// A folder of its own for one test, removed with all that is in it.
class TempFolder {
 public:
  TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder();

  const std::string& path() const { return path_; }
  /// The path of a file in it.
  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

/// Throws std::runtime_error where the file cannot be written.
void write_file(const std::string& path, std::span<const std::uint8_t> bytes);

/// Throws std::runtime_error where there is no such file.
std::vector<std::uint8_t> read_file(const std::string& path);

/// One gzip member with these bytes.
std::vector<std::uint8_t> gzip(std::span<const std::uint8_t> bytes);

/// The bytes in gzip members of `member_bytes` each, the way HotSpot writes its compressed dumps.
std::vector<std::uint8_t> gzip_members(std::span<const std::uint8_t> bytes,
                                       std::size_t member_bytes);

}  // namespace hprof::test
