#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

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

/// Size of an open file in bytes.
std::uint64_t file_size(const FileDescriptor& file, const std::string& path);

/// Reads up to `out.size()` bytes at `offset` (fewer only at the end of the file).
std::size_t read_at(const FileDescriptor& file, const std::string& path, std::uint64_t offset,
                    std::span<std::uint8_t> out);

/// Bytes of an input, front to back, whatever they are packed in.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `out` as far as bytes are left; 0 only at the end.
  virtual std::size_t read(std::span<std::uint8_t> out) = 0;
  /// Passes over up to `count` bytes without delivering them; returns how many there were.
  virtual std::uint64_t skip(std::uint64_t count) = 0;
  /// Goes on at this byte of the delivered bytes, or at their end if there are fewer, and says
  /// where that is; going back in a compressed file inflates it anew.
  virtual std::uint64_t go_to(std::uint64_t position) = 0;
  /// Says that places behind will be gone to often: from now on notes are taken on the way (up to
  /// 4 MiB) that let go_to() begin near them.
  virtual void expect_returns() {}
  /// From now on packing that is damaged ends the bytes instead of failing.
  virtual void tolerate_damage() {}
  /// What ended the bytes early; "" if nothing did.
  virtual std::string damage() const { return {}; }
  /// Bytes behind the packed ones that are not packed and were ignored; known at the end.
  virtual std::uint64_t ignored_bytes() const { return 0; }
  /// Bytes read from the file so far (compressed ones for gzip).
  virtual std::uint64_t bytes_read() const = 0;
  /// Whether the bytes are inflated on the way, so that their number is not known beforehand.
  virtual bool is_compressed() const = 0;
  /// Share of the file behind us, in bytes of the file; for progress.
  virtual std::uint64_t file_position() const = 0;
};

/// The bytes of `path`, inflated if the content (not the name) is gzip: any number of members,
/// empty ones included, whatever follows them.
std::unique_ptr<ByteSource> open_source(const std::string& path);
/// The same of a file that is open.
std::unique_ptr<ByteSource> open_source(FileDescriptor file, const std::string& path);

/// A ByteSource behind a large buffer, with a 64-bit position and cheap small reads.
class BufferedInput {
 public:
  static constexpr std::size_t kBufferBytes = 1U << 20U;

  explicit BufferedInput(std::unique_ptr<ByteSource> source,
                         std::size_t buffer_bytes = kBufferBytes);

  /// Bytes consumed so far (of the inflated stream).
  std::uint64_t position() const { return buffer_start_ + at_; }

  /// A pointer to the next `count` bytes if that many are left, else nullptr. The buffer grows to
  /// hold them, but only as far as bytes are really there.
  const std::uint8_t* peek(std::size_t count) {
    if (end_ - at_ >= count) [[likely]] {
      return buffer_.data() + at_;
    }
    return refill(count);
  }

  /// Consumes bytes that peek() has shown.
  void advance(std::size_t count) { at_ += count; }

  /// Bytes in the buffer at the current position, to work on without further checks.
  std::span<const std::uint8_t> buffered() const { return {buffer_.data() + at_, end_ - at_}; }

  /// Passes over `count` bytes; returns how many there were.
  std::uint64_t skip(std::uint64_t count);

  bool at_end() { return peek(1) == nullptr; }
  /// Goes on at `position` of the inflated stream, before or behind the present one, or at the end
  /// if it is beyond that.
  void go_to(std::uint64_t position);
  const ByteSource& source() const { return *source_; }
  ByteSource& source() { return *source_; }

 private:
  const std::uint8_t* refill(std::size_t count);

  std::unique_ptr<ByteSource> source_;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t buffer_start_ = 0;
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

}  // namespace hprof
