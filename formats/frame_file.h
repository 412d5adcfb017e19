#pragma once

#include "common/error.h"
#include "common/text.h"
#include "formats/frame_io.h"

#include <algorithm>
#include <string>
#include <utility>

namespace hprof {

/// Writes a stage file whose frames are messages of root type Frame: header, whatever append()
/// adds, footer.
template <typename Frame>
class FrameWriter {
 public:
  FrameWriter(const std::string& path, const FileKind& kind, const Provenance& provenance)
      : output_(path) {
    append(1024, [&](typename Frame::Builder frame) {
      frame.setMagic(magic_number(kind));
      fill_header(frame.initHeader(), kind, provenance);
    });
  }

  /// Adds a frame that `fill(Frame::Builder)` fills; `payload_bytes` is about how much goes into
  /// it.
  template <typename Fill>
  void append(std::size_t payload_bytes, Fill&& fill) {
    translating_refused_memory(payload_bytes, [&] {
      capnp::MallocMessageBuilder message(
          static_cast<unsigned>(payload_bytes / sizeof(capnp::word) + 64));
      std::forward<Fill>(fill)(message.initRoot<Frame>());
      output_.write(message);
    });
  }

  /// Bytes written so far.
  std::uint64_t bytes() const { return output_.bytes(); }

  /// Adds the footer and makes the file appear; nothing exists under its name before.
  FileIdentity commit() {
    const FileIdentity identity{.crc32 = output_.crc32(), .bytes = output_.bytes()};
    const std::uint64_t frames = output_.frames();
    append(0, [&](typename Frame::Builder frame) {
      auto footer = frame.initFooter();
      footer.setCrc32(identity.crc32);
      footer.setBytes(identity.bytes);
      footer.setFrames(frames);
    });
    output_.commit();
    return identity;
  }

 private:
  FrameOutput output_;
};

/// Reads a stage file front to back.
template <typename Frame>
class FrameReader {
 public:
  /// Opens the file and reads its header; errors as read_header().
  FrameReader(const std::string& path, const FileKind& kind) : input_(path, kind) {
    if (input_.size() == 0) {
      not_this_kind(path, kind);
    }
    capnp::MessageReader* first = nullptr;
    try {
      first = input_.next();
    } catch (const Error& error) {
      if (error.code() != ExitCode::bad_data) {
        throw;
      }
      not_this_kind(path, kind);
    }
    translating_capnp_errors(input_, [&] {
      const auto frame = first->getRoot<Frame>();
      if (frame.which() != Frame::HEADER) {
        not_this_kind(path, kind);
      }
      provenance_ = read_header(frame.getHeader(), frame.getMagic(), kind, input_);
    });
  }

  const Provenance& provenance() const { return provenance_; }
  const std::string& path() const { return input_.path(); }
  /// Length of the whole file in bytes; an upper bound for anything in it.
  std::uint64_t file_bytes() const { return input_.size(); }

  /// Calls `visit(Frame::Reader)` until it returns false; for what stands at the front of a file.
  template <typename Visit>
  void for_each_until(Visit&& visit) {
    bool more = true;
    while (more) {
      auto* message = input_.next();
      if (message == nullptr) {
        input_.damaged("the file has no footer");
      }
      translating_capnp_errors(input_, [&] {
        const auto frame = message->template getRoot<Frame>();
        more = frame.which() != Frame::FOOTER && visit(frame);
      });
    }
  }

  /// Runs `action`, which reads from the frame that for_each_until() has stopped at; errors say
  /// where that is.
  template <typename Action>
  void within_frame(Action&& action) const {
    translating_capnp_errors(input_, std::forward<Action>(action));
  }

  /// The identity as the footer at the end of the file says, without reading what is between.
  FileIdentity quick_identity() const {
    FileIdentity identity;
    auto message = input_.last_frame(kFooterBytes);
    translating_capnp_errors(input_, [&] {
      const auto frame = message->template getRoot<Frame>();
      if (frame.which() != Frame::FOOTER ||
          frame.getFooter().getBytes() + kFooterBytes != input_.size()) {
        input_.damaged("the file has no footer");
      }
      identity = {.crc32 = frame.getFooter().getCrc32(), .bytes = frame.getFooter().getBytes()};
    });
    return identity;
  }

  /// Calls `visit(Frame::Reader)` for every frame between header and footer, in order, then holds
  /// the footer against what was read. Returns the file's identity. Error(bad_data) when the file
  /// is cut or damaged anywhere.
  template <typename Visit>
  FileIdentity for_each(Visit&& visit) {
    while (auto* message = input_.next()) {
      bool is_footer = false;
      translating_capnp_errors(input_, [&] {
        const auto frame = message->template getRoot<Frame>();
        is_footer = frame.which() == Frame::FOOTER;
        if (!is_footer) {
          visit(frame);
        } else {
          check_footer(frame.getFooter());
        }
      });
      if (is_footer) {
        return input_.before_current();
      }
    }
    input_.damaged("the file has no footer");
  }

 private:
  /// Segment table, root pointer, frame (two data words, one pointer), footer (three data words).
  static constexpr std::uint64_t kFooterBytes = 64;

  void check_footer(schema::FileFooter::Reader footer) const {
    const auto seen = input_.before_current();
    if (footer.getBytes() != seen.bytes || footer.getCrc32() != seen.crc32 ||
        footer.getFrames() != input_.frames_before_current()) {
      input_.damaged("the checksum does not match");
    }
    if (!input_.at_end()) {
      input_.damaged("bytes follow the footer");
    }
    input_.found_whole();
  }

  FrameInput input_;
  Provenance provenance_;
};

/// Whole-file check and identity of a stage file, without using its contents.
template <typename Frame>
std::pair<Provenance, FileIdentity> identify_stage_file(const std::string& path,
                                                        const FileKind& kind) {
  FrameReader<Frame> reader(path, kind);
  const auto identity = reader.for_each([](typename Frame::Reader) {});
  return {reader.provenance(), identity};
}

/// True when `path` holds a whole file with exactly this provenance, so that there is nothing to
/// do.
template <typename Frame>
bool is_current(const std::string& path, const FileKind& kind, const Provenance& wanted) {
  try {
    return identify_stage_file<Frame>(path, kind).first == wanted;
  } catch (const Error&) {
    return false;
  }
}

/// Views a Data field as bytes.
inline std::span<const std::uint8_t> as_span(capnp::Data::Reader data) {
  return {data.begin(), data.size()};
}

/// Views bytes as a Data value.
inline capnp::Data::Reader as_data(std::span<const std::uint8_t> bytes) {
  return {bytes.data(), bytes.size()};
}

}  // namespace hprof
