// Only regular files are taken: every stage reads its inputs at several places.
#include "common/input_file.h"

#include "common/error.h"
#include "common/text.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hprof {

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    FileDescriptor old(value_);
    value_ = other.release();
  }
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (value_ >= 0) {
    ::close(value_);
  }
}

int FileDescriptor::release() {
  const int value = value_;
  value_ = -1;
  return value;
}

FileDescriptor open_input(const std::string& path) {
  FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.value() < 0) {
    fail(ExitCode::no_input, printable(path), ": cannot be read: ", errno_text(errno));
  }
  struct stat status {};
  if (::fstat(file.value(), &status) != 0) {
    fail(ExitCode::no_input, printable(path), ": cannot be read: ", errno_text(errno));
  }
  if (S_ISDIR(status.st_mode)) {
    fail(ExitCode::no_input, printable(path), ": is a folder; name a file");
  }
  if (!S_ISREG(status.st_mode)) {
    fail(ExitCode::no_input, printable(path),
         ": is a pipe or device, which cannot be read twice; save it to a file first");
  }
  return file;
}

bool is_stream(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

bool is_device(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
}

std::optional<std::int64_t> changed_at(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return std::nullopt;
  }
  constexpr std::int64_t kSecond = 1'000'000'000;
  return std::int64_t{status.st_ctim.tv_sec} * kSecond + status.st_ctim.tv_nsec;
}

std::uint64_t file_size(const FileDescriptor& file, const std::string& path) {
  struct stat status {};
  if (::fstat(file.value(), &status) != 0) {
    fail(ExitCode::io_error, printable(path), ": cannot be examined: ", errno_text(errno));
  }
  return static_cast<std::uint64_t>(status.st_size);
}

std::size_t read_at(const FileDescriptor& file, const std::string& path, std::uint64_t offset,
                    std::span<std::uint8_t> out) {
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t count = ::pread(file.value(), out.data() + done, out.size() - done,
                                  static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      fail(ExitCode::io_error, printable(path), ": byte ", hex_address(offset + done),
           ": reading failed: ", errno_text(errno));
    }
    if (count == 0) {
      break;
    }
    done += static_cast<std::size_t>(count);
  }
  return done;
}

}  // namespace hprof
