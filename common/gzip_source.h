#pragma once

#include "common/inflate_points.h"
#include "common/member_search.h"
#include "common/plain_source.h"

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof {

/// The inflated bytes of a gzip file: any number of members, empty ones and zeros between them
/// included. What follows the last one and is none is ignored. Where damage is tolerated, inflating
/// goes on at the next member behind it.
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
  std::vector<PackingGap> gaps() const override { return gaps_; }
  void stop_at_gaps(bool stops) override { stops_ = stops; }
  bool pass_gap() override { return std::exchange(at_gap_, false); }
  std::string damage() const override { return damage_; }
  std::uint64_t ignored_bytes() const override { return ignored_; }
  std::uint64_t bytes_read() const override { return plain_.bytes_read(); }
  bool is_compressed() const override { return true; }
  std::uint64_t file_position() const override { return plain_.file_position() - stream_.avail_in; }

 private:
  /// From damage to the next member.
  struct Leap {
    std::uint64_t position = 0;  ///< inflated bytes before it
    std::uint64_t to = 0;        ///< in the file; kNowhere: there is none
  };
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

  void restart();
  void restart_at(const InflatePoint& point);
  void start_anew(std::uint64_t file_position, std::uint64_t delivered, int window_bits);
  void jump_towards(std::uint64_t position);
  void note_point();
  bool fill();
  std::size_t inflate_some(std::span<std::uint8_t> out);
  void end_member();
  void leave_member();
  std::optional<std::uint32_t> trailer_field();
  void next_member();
  void pass_zeros();
  bool member_begins();
  void begin_member(std::uint64_t end);
  void end_file(std::uint64_t end, std::uint64_t unused);

  static std::string unused_text(std::uint64_t bytes);
  void break_off(std::string_view what);
  void break_member(std::string_view what);
  bool pass_doubt(std::uint64_t end);
  void add_gap(PackingGap gap);
  bool leap_from_end(std::uint64_t end);
  bool leap(std::uint64_t from, const std::string& what);
  std::uint64_t leap_end(std::uint64_t from, const std::string& what);

  std::string path_;
  PlainSource plain_;
  std::vector<std::uint8_t> buffer_;
  z_stream stream_{};
  bool between_members_ = true;
  bool without_frame_ = false;  ///< in a member that was not read from its beginning
  bool finished_ = false;
  bool tolerant_ = false;
  bool stops_ = false;
  bool at_gap_ = false;             ///< stopped in front of bytes that follow a gap
  std::uint64_t member_start_ = 0;  ///< in the file, of the member read last
  std::uint64_t member_bytes_ = 0;  ///< inflated ones of a member without frame
  std::uint32_t checksum_ = 0;      ///< of these
  std::string doubt_;               ///< what was wrong with the end of the member read last
  bool doubt_lost_ = false;         ///< and its bytes are not as many as it says
  std::vector<Leap> leaps_;         ///< in the order of the file
  std::vector<PackingGap> gaps_;
  std::unique_ptr<MemberSearch> search_;
  std::uint64_t delivered_ = 0;
  std::uint64_t ignored_ = 0;
  std::string damage_;
  std::unique_ptr<InflatePoints> points_;
};

}  // namespace hprof
