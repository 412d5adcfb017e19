// A stream is copied to a file in memory, so that whoever reads need not know of it.
#include "common/text_input.h"

#include "common/error.h"
#include "common/text.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace hprof {
namespace {

constexpr std::size_t kPieceBytes = 1U << 16U;
constexpr std::uint64_t kMostBytes = 1U << 30U;

void append(const FileDescriptor& copy, const std::string& path,
            std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(copy.value(), bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) {
      fail(ExitCode::os_error, printable(path), ": cannot be kept in memory: ", errno_text(errno));
    }
    bytes = bytes.subspan(count < 0 ? 0 : static_cast<std::size_t>(count));
  }
}

FileDescriptor copy_in_memory(const FileDescriptor& stream, const std::string& path) {
  FileDescriptor copy(::memfd_create("input", MFD_CLOEXEC));
  if (copy.value() < 0) {
    fail(ExitCode::os_error, printable(path), ": cannot be kept in memory: ", errno_text(errno));
  }
  std::vector<std::uint8_t> piece(kPieceBytes);
  std::uint64_t total = 0;
  while (const std::size_t count = read_piece(stream, printable(path), piece, ExitCode::io_error)) {
    total += count;
    if (total > kMostBytes) {
      fail(ExitCode::limit, printable(path),
           ": more than a gigabyte came from it; save it to a file first");
    }
    append(copy, path, std::span(piece).first(count));
  }
  return copy;
}

}  // namespace

std::size_t read_piece(const FileDescriptor& stream, const std::string& name,
                       std::span<std::uint8_t> out, ExitCode when_refused) {
  for (;;) {
    const ssize_t count = ::read(stream.value(), out.data(), out.size());
    if (count >= 0) {
      return static_cast<std::size_t>(count);
    }
    if (errno != EINTR) {
      fail(when_refused, name, ": cannot be read: ", errno_text(errno));
    }
  }
}

FileDescriptor open_text_input(const std::string& path) {
  if (!is_stream(path)) {
    return open_input(path);
  }
  const FileDescriptor stream(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (stream.value() < 0) {
    fail(ExitCode::no_input, printable(path), ": cannot be read: ", errno_text(errno));
  }
  return copy_in_memory(stream, path);
}

}  // namespace hprof
