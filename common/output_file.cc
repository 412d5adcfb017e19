// One temporary at a time is registered in a static buffer, so that a signal handler can unlink it
// with nothing but async-signal-safe calls.
#include "common/output_file.h"

#include "common/error.h"
#include "common/text.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace hprof {
namespace {

constexpr std::size_t kBufferBytes = 1U << 18U;

std::array<char, PATH_MAX> pending_temporary;
std::atomic<bool> temporary_is_pending{false};

extern "C" void remove_temporary_and_die(int signal_number) {
  if (temporary_is_pending) {
    ::unlink(pending_temporary.data());
  }
  std::signal(signal_number, SIG_DFL);
  std::raise(signal_number);
}

void register_temporary(const std::string& path) {
  if (path.size() < pending_temporary.size() && !temporary_is_pending) {
    std::memcpy(pending_temporary.data(), path.c_str(), path.size() + 1);
    temporary_is_pending = true;
    for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
      std::signal(signal_number, remove_temporary_and_die);
    }
  }
}

void forget_temporary(const std::string& path) {
  if (temporary_is_pending && path == pending_temporary.data()) {
    temporary_is_pending = false;
  }
}

/// `.NAME.PID` beside the target; a name that would be too long for that is shortened.
std::string temporary_name(const std::string& path) {
  constexpr std::size_t kMostNameBytes = 200;
  const auto slash = path.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  return folder + "." + base_name(path).substr(0, kMostNameBytes) + "." +
         std::to_string(::getpid());
}

bool same_file(const std::string& a, const std::string& b) {
  struct stat first {};
  struct stat second {};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

/// Where a symbolic link leads, so that the file behind it is replaced and not the link.
std::string link_target(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(path.c_str(), nullptr), std::free);
  return real ? std::string(real.get()) : path;
}

/// Of files that may not be there yet.
bool would_be_one_file(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) {
    return false;
  }
  struct stat status {};
  if (::stat(a.c_str(), &status) == 0) {
    return S_ISREG(status.st_mode) && same_file(a, b);
  }
  const auto folder = [](const std::string& path) {
    const auto slash = path.find_last_of('/');
    return slash == std::string::npos ? std::string(".") : path.substr(0, slash + 1);
  };
  return base_name(a) == base_name(b) && same_file(folder(a), folder(b));
}

void write_all(int file, const std::string& path, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      fail(ExitCode::io_error, printable(path), ": writing failed: ", errno_text(errno));
    }
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

}  // namespace

OutputFile::OutputFile(std::string path) : path_(std::move(path)) {
  // Nothing may fail once the temporary exists: without a finished object nobody would remove it.
  buffer_.reserve(kBufferBytes);
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    fail(ExitCode::cannot_create, printable(path_), ": is a folder; name a file");
  }
  if (exists && !S_ISREG(status.st_mode)) {
    file_ = FileDescriptor(::open(path_.c_str(), O_WRONLY | O_CLOEXEC));
  } else {
    target_ = link_target(path_);
    temporary_ = temporary_name(target_);
    ::unlink(temporary_.c_str());
    file_ = FileDescriptor(
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  }
  if (file_.value() < 0) {
    fail(ExitCode::cannot_create, printable(path_), ": cannot be created: ", errno_text(errno));
  }
  if (!in_place()) {
    register_temporary(temporary_);
  }
}

OutputFile::~OutputFile() {
  if (file_.value() >= 0 && !in_place()) {
    ::unlink(temporary_.c_str());
    forget_temporary(temporary_);
  }
}

void OutputFile::write(std::span<const std::uint8_t> bytes) {
  bytes_written_ += bytes.size();
  if (buffer_.size() + bytes.size() > kBufferBytes) {
    flush();
  }
  if (bytes.size() > kBufferBytes) {
    write_all(file_.value(), path_, bytes);
  } else {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  }
}

void OutputFile::write(std::string_view text) {
  write(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

void OutputFile::flush() {
  write_all(file_.value(), path_, buffer_);
  buffer_.clear();
}

void OutputFile::commit() {
  flush();
  const int file = file_.release();
  const bool closed = ::close(file) == 0;
  const bool there = closed && (in_place() || ::rename(temporary_.c_str(), target_.c_str()) == 0);
  const int error_number = errno;
  if (!there && !in_place()) {
    ::unlink(temporary_.c_str());
  }
  forget_temporary(temporary_);
  if (!there) {
    fail(ExitCode::io_error, printable(path_), ": writing failed: ", errno_text(error_number));
  }
}

void require_creatable(const std::string& output) {
  struct stat status {};
  if (::stat(output.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    return;
  }
  const std::string target = link_target(output);
  const auto slash = target.find_last_of('/');
  const std::string folder = slash == std::string::npos ? "." : target.substr(0, slash + 1);
  if (::access(folder.c_str(), W_OK) != 0) {
    fail(ExitCode::cannot_create, printable(output), ": cannot be created: ", errno_text(errno));
  }
}

void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs) {
  for (const auto& input : inputs) {
    if (same_file(output, input)) {
      fail(ExitCode::usage, printable(output),
           ": is an input, writing it would destroy it; name another file for the output");
    }
  }
}

void refuse_same_output(const std::vector<std::string>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (would_be_one_file(outputs[j], outputs[i])) {
        fail(
            ExitCode::usage, printable(outputs[i]),
            ": is named for two outputs, one would overwrite the other; name another file for one");
      }
    }
  }
}

void remove_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
    ::unlink(path.c_str());
  }
}

void touch_file(const std::string& path) {
  if (::utimensat(AT_FDCWD, path.c_str(), nullptr, 0) != 0) {
    fail(ExitCode::io_error, printable(path), ": cannot be touched: ", errno_text(errno));
  }
}

void write_stdout(std::string_view text) {
  write_all(STDOUT_FILENO, "standard output",
            std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

}  // namespace hprof
