// Input is read with plain read(2) into one large buffer; gzip members are inflated on the way.
// Skips that leave the buffer far behind become lseek(2) where the bytes need not be inflated.
#include "common/input_stream.h"

#include "common/error.h"
#include "common/text.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hprof {
namespace {

constexpr std::size_t kGzipBufferBytes = 1U << 18U;
constexpr std::array<std::uint8_t, 2> kGzipMagic{0x1f, 0x8b};

class PlainSource : public ByteSource {
 public:
  PlainSource(FileDescriptor file, std::string path)
      : file_(std::move(file)), path_(std::move(path)), size_(file_size(file_, path_)) {}

  std::size_t read(std::span<std::uint8_t> out) override {
    const std::size_t count = read_at(file_, path_, position_, out);
    position_ += count;
    bytes_read_ += count;
    return count;
  }

  std::uint64_t skip(std::uint64_t count) override {
    const std::uint64_t step = std::min(count, size_ > position_ ? size_ - position_ : 0);
    position_ += step;
    return step;
  }

  std::uint64_t go_to(std::uint64_t position) override {
    return position_ = std::min(position, size_);
  }

  std::uint64_t bytes_read() const override { return bytes_read_; }
  bool is_compressed() const override { return false; }
  std::uint64_t file_position() const override { return position_; }

 private:
  FileDescriptor file_;
  std::string path_;
  std::uint64_t size_;
  std::uint64_t position_ = 0;
  std::uint64_t bytes_read_ = 0;
};

class GzipSource : public ByteSource {
 public:
  GzipSource(FileDescriptor file, std::string path)
      : path_(path), plain_(std::move(file), std::move(path)), buffer_(kGzipBufferBytes) {
    start_stream();
  }

  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<std::uint8_t> out) override {
    std::size_t done = 0;
    while (done < out.size() && !finished_) {
      done += inflate_some(out.subspan(done));
    }
    delivered_ += done;
    return done;
  }

  std::uint64_t skip(std::uint64_t count) override {
    std::array<std::uint8_t, 16384> sink{};
    std::uint64_t done = 0;
    while (done < count) {
      const auto want =
          static_cast<std::size_t>(std::min<std::uint64_t>(sink.size(), count - done));
      const std::size_t got = read(std::span(sink).first(want));
      if (got == 0) {
        break;
      }
      done += got;
    }
    return done;
  }

  std::uint64_t go_to(std::uint64_t position) override {
    if (position < delivered_) {
      restart();
    }
    skip(position - delivered_);
    return delivered_;
  }

  void tolerate_damage() override { tolerant_ = true; }
  std::string damage() const override { return damage_; }

  std::uint64_t bytes_read() const override { return plain_.bytes_read(); }
  bool is_compressed() const override { return true; }
  std::uint64_t file_position() const override { return plain_.file_position() - stream_.avail_in; }

 private:
  static constexpr int kGzipWindow = 15 + 16;

  void start_stream() {
    if (inflateInit2(&stream_, kGzipWindow) != Z_OK) {
      fail(ExitCode::os_error, path_, ": not enough memory to inflate");
    }
  }

  void restart() {
    plain_.go_to(0);
    inflateReset(&stream_);
    stream_.avail_in = 0;
    between_members_ = true;
    finished_ = false;
    delivered_ = 0;
  }

  bool fill() {
    if (stream_.avail_in == 0) {
      stream_.next_in = buffer_.data();
      stream_.avail_in = static_cast<uInt>(plain_.read(buffer_));
    }
    return stream_.avail_in != 0;
  }

  std::size_t inflate_some(std::span<std::uint8_t> out) {
    if (between_members_ && !next_member()) {
      finished_ = true;
      return 0;
    }
    if (!fill()) {
      end_early("the gzip stream ends early");
      return 0;
    }
    const std::size_t room = std::min<std::size_t>(out.size(), 1U << 30U);
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      inflateReset(&stream_);
      between_members_ = true;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      end_early(stream_.msg != nullptr ? stream_.msg : "the gzip stream is damaged");
    }
    return room - stream_.avail_out;
  }

  /// Passes zero padding; true when another member follows.
  bool next_member() {
    while (fill()) {
      while (stream_.avail_in != 0 && *stream_.next_in == 0) {
        ++stream_.next_in;
        --stream_.avail_in;
      }
      if (stream_.avail_in != 0) {
        between_members_ = false;
        return true;
      }
    }
    return false;
  }

  void end_early(const char* what) {
    const std::string where = concat("compressed byte ", hex_address(file_position()), ": ", what);
    if (!tolerant_) {
      fail(ExitCode::bad_data, printable(base_name(path_)), ": ", where, "; copy the dump again");
    }
    damage_ = where;
    finished_ = true;
  }

  std::string path_;
  PlainSource plain_;
  std::vector<std::uint8_t> buffer_;
  z_stream stream_{};
  bool between_members_ = true;
  bool finished_ = false;
  bool tolerant_ = false;
  std::uint64_t delivered_ = 0;
  std::string damage_;
};

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
  auto file = open_input(path);
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
