#pragma once

#include "common/inflate_points.h"
#include "common/plain_source.h"

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hprof {

/// The inflated bytes of a gzip file: any number of members, empty ones and zeros between them
/// included. What follows the last one and is none is ignored.
class GzipSource : public ByteSource {
 public:
  GzipSource(FileDescriptor file, std::string path);
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override;

  std::size_t read(std::span<std::uint8_t> out) override;
  std::uint64_t skip(std::uint64_t count) override;
  std::uint64_t go_to(std::uint64_t position) override;
  void expect_returns() override;
  void tolerate_damage() override { tolerant_ = true; }
  std::string damage() const override { return damage_; }
  std::uint64_t ignored_bytes() const override { return ignored_; }
  std::uint64_t bytes_read() const override { return plain_.bytes_read(); }
  bool is_compressed() const override { return true; }
  std::uint64_t file_position() const override { return plain_.file_position() - stream_.avail_in; }

 private:
  void restart();
  void restart_at(const InflatePoint& point);
  void start_anew(std::uint64_t file_position, std::uint64_t delivered, int window_bits);
  void jump_towards(std::uint64_t position);
  void note_point();
  bool fill();
  std::size_t inflate_some(std::span<std::uint8_t> out);
  void end_member();
  bool next_member();
  bool member_begins();
  void end_early(const char* what);

  std::string path_;
  PlainSource plain_;
  std::vector<std::uint8_t> buffer_;
  z_stream stream_{};
  bool between_members_ = true;
  bool without_frame_ = false;  ///< in a member that was not read from its beginning
  bool finished_ = false;
  bool tolerant_ = false;
  std::uint64_t delivered_ = 0;
  std::uint64_t ignored_ = 0;
  std::string damage_;
  std::unique_ptr<InflatePoints> points_;
};

}  // namespace hprof
