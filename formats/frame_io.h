#pragma once

#include "common.capnp.h"
#include "common/input_file.h"
#include "common/output_file.h"
#include "formats/provenance.h"
#include "formats/whole_files.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hprof {

/// Writes the frames of a stage file as a stream of unpacked Cap'n Proto messages, with their
/// running checksum.
class FrameOutput {
 public:
  explicit FrameOutput(const std::string& path) : out_(path) {}

  void write(capnp::MessageBuilder& message);
  std::uint32_t crc32() const { return crc_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t frames() const { return frames_; }
  /// Makes the file appear under its name.
  void commit() { out_.commit(); }

 private:
  OutputFile out_;
  std::uint32_t crc_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t frames_ = 0;
};

/// Reads the frames of a stage file one after the other; sizes are bounded before anything is
/// allocated.
class FrameInput {
 public:
  FrameInput(const std::string& path, const FileKind& kind);

  /// The next frame, valid until the next call; nullptr at the end of the file.
  /// Error(bad_data) for a cut or garbled frame.
  capnp::MessageReader* next();

  /// The frame that the file's last `bytes` bytes are, whatever next() has read; Error(bad_data) if
  /// they are none.
  std::unique_ptr<capnp::MessageReader> last_frame(std::uint64_t bytes) const;

  const std::string& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  /// Checksum and number of all bytes before the frame that next() returned last; of a file that
  /// this process has found whole before, the checksum is known for its last frame alone.
  FileIdentity before_current() const { return before_; }
  /// To be called when the last frame has been held against before_current().
  void found_whole() const;
  std::uint64_t frames_before_current() const { return frames_ - 1; }
  bool at_end() const { return position_ == size_; }

  /// Error(bad_data) that the file is damaged, with the place and `what`.
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  std::string path_;
  FileKind kind_;
  FileDescriptor file_;
  std::uint64_t size_;
  std::optional<FileStamp> stamp_;
  std::optional<FileIdentity> known_;  ///< of a file that was found whole before
  std::uint64_t position_ = 0;
  std::uint64_t frames_ = 0;
  std::uint32_t crc_ = 0;
  FileIdentity before_;
  std::vector<std::uint64_t> words_;  ///< the current frame, aligned as Cap'n Proto wants it
  std::unique_ptr<capnp::FlatArrayMessageReader> message_;
};

void fill_header(schema::FileHeader::Builder header, const FileKind& kind,
                 const Provenance& provenance);

/// Checks magic and version and returns what the header says. Error(bad_data) for another kind of
/// file, Error(limit) for a newer format, Error(stale) for an older one.
Provenance read_header(schema::FileHeader::Reader header, std::uint64_t magic, const FileKind& kind,
                       const FrameInput& input);

std::uint64_t magic_number(const FileKind& kind);

/// Says that `path` is no stage file of this kind, and what it looks like.
[[noreturn]] void not_this_kind(const std::string& path, const FileKind& kind);

/// Runs `action`, turning what Cap'n Proto throws about a message, and what is Unplaced, into
/// Error(bad_data) for `input`.
void translating_capnp_errors(const FrameInput& input, const std::function<void()>& action);

/// Runs `action`, which builds a frame of about `bytes`; a refused allocation of the library in it
/// becomes OutOfMemory.
void translating_refused_memory(std::uint64_t bytes, const std::function<void()>& action);

}  // namespace hprof
