#pragma once

#include "common/input_file.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// A file that appears whole or not at all: written to `.NAME.PID` beside the target, synced by
/// close, renamed by commit(). Without commit(), and at SIGINT, SIGTERM, SIGHUP or SIGPIPE, the
/// temporary is removed. A symbolic link is followed, a device or pipe is written in place.
class OutputFile {
 public:
  /// Error(cannot_create) when the folder is missing or not writable.
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(std::span<const std::uint8_t> bytes);
  void write(std::string_view text);
  std::uint64_t bytes_written() const { return bytes_written_; }
  /// The file that commit() renames, for a library that writes it itself; empty for a device or
  /// pipe.
  const std::string& temporary() const { return temporary_; }

  /// Flushes, closes (checked) and renames; Error(io_error) when any of it fails.
  void commit();

 private:
  void flush();
  bool in_place() const { return temporary_.empty(); }

  std::string path_;
  std::string target_;     ///< behind symbolic links; what is renamed to
  std::string temporary_;  ///< empty: a device or pipe, written in place
  FileDescriptor file_;
  std::vector<std::uint8_t> buffer_;
  std::uint64_t bytes_written_ = 0;
};

/// Error(cannot_create) when nothing can be created under that name; for a check before hours of
/// work.
void require_creatable(const std::string& output);

/// Error(usage) when `output` is one of the `inputs` under any name: writing it would destroy what
/// is read.
void refuse_overwriting(const std::string& output, const std::vector<std::string>& inputs);

/// Error(usage) when two of the outputs are one file; empty ones and devices may be.
void refuse_same_output(const std::vector<std::string>& outputs);

/// Removes a file; a device, a pipe or what is not there stays as it is.
void remove_file(const std::string& path);

/// Sets a file's modification time to now, for make's sake.
void touch_file(const std::string& path);

/// Writes `text` to standard output and checks that all of it arrived; Error(io_error) otherwise.
void write_stdout(std::string_view text);

}  // namespace hprof
