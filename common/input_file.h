#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace hprof {

/// A file descriptor that closes itself.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int value) : value_(value) {}
  FileDescriptor(FileDescriptor&& other) noexcept : value_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor();

  int value() const { return value_; }
  int release();

 private:
  int value_ = -1;
};

/// Opens a regular file for reading; Error(no_input) says why it cannot be read (missing, folder,
/// pipe, …).
FileDescriptor open_input(const std::string& path);

/// Whether `path` names a pipe or device, what comes from which can be read once only.
bool is_stream(const std::string& path);
/// Whether the path names a device, like a terminal.
bool is_device(const std::string& path);

/// When the file was last written, replaced or renamed, in nanoseconds since 1970; nothing if there
/// is none.
std::optional<std::int64_t> changed_at(const std::string& path);

/// Size of an open file in bytes.
std::uint64_t file_size(const FileDescriptor& file, const std::string& path);

/// Reads up to `out.size()` bytes at `offset` (fewer only at the end of the file).
std::size_t read_at(const FileDescriptor& file, const std::string& path, std::uint64_t offset,
                    std::span<std::uint8_t> out);

}  // namespace hprof
