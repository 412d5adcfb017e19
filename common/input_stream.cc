// Input is read into one large buffer. Skips that leave the buffer far behind are left to the
// source, which need not read what it can go round.
#include "common/input_stream.h"

#include "common/error.h"
#include "common/gzip_source.h"
#include "common/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hprof {
namespace {

constexpr std::array<std::uint8_t, 2> kGzipMagic{0x1f, 0x8b};

}  // namespace

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

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  return open_source(open_input(path), path);
}

std::unique_ptr<ByteSource> open_source(FileDescriptor file, const std::string& path) {
  std::array<std::uint8_t, 2> magic{};
  if (read_at(file, path, 0, magic) == magic.size() && magic == kGzipMagic) {
    return std::make_unique<GzipSource>(std::move(file), path);
  }
  return std::make_unique<PlainSource>(std::move(file), path);
}

BufferedInput::BufferedInput(std::unique_ptr<ByteSource> source, std::size_t buffer_bytes)
    : source_(std::move(source)), buffer_(buffer_bytes) {}

std::uint64_t BufferedInput::skip(std::uint64_t count) {
  const std::uint64_t in_buffer = std::min<std::uint64_t>(count, end_ - at_);
  at_ += static_cast<std::size_t>(in_buffer);
  if (in_buffer == count) {
    return count;
  }
  const std::uint64_t beyond = source_->skip(count - in_buffer);
  buffer_start_ += at_ + beyond;
  at_ = 0;
  end_ = 0;
  return in_buffer + beyond;
}

void BufferedInput::go_to(std::uint64_t position) {
  if (position >= buffer_start_ && position <= buffer_start_ + end_) {
    at_ = static_cast<std::size_t>(position - buffer_start_);
    return;
  }
  buffer_start_ = source_->go_to(position);
  at_ = 0;
  end_ = 0;
}

const std::uint8_t* BufferedInput::refill(std::size_t count) {
  std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
  buffer_start_ += at_;
  end_ -= at_;
  at_ = 0;
  while (end_ < count) {
    if (end_ == buffer_.size()) {
      buffer_.resize(std::min(count, 2 * buffer_.size()));
    }
    const std::size_t got = source_->read(std::span(buffer_).subspan(end_));
    if (got == 0) {
      return nullptr;
    }
    end_ += got;
  }
  return buffer_.data();
}

}  // namespace hprof
