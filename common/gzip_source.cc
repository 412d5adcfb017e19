// Inflating can begin between two blocks of a member if the 32 KiB before are known; whoever comes
// back often lets such places be noted (the method of zlib's author, see zran in zlib's examples:
// stop at block ends, keep the window). What is inflated from there has no checksum of its own, but
// was inflated once with it.
#include "common/gzip_source.h"

#include "common/error.h"
#include "common/text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace hprof {
namespace {

constexpr std::size_t kGzipBufferBytes = 1U << 18U;
constexpr int kGzipWindow = 15 + 16;
constexpr std::array<Bytef, 2> kMagic{0x1f, 0x8b};
constexpr int kRawWindow = -15;
constexpr std::size_t kWindowBytes = 1U << 15U;
constexpr int kBlockEnd = 128;
constexpr int kLastBlock = 64;
constexpr std::string_view kBadChecksum = "incorrect data check";
constexpr std::string_view kBadLength = "incorrect length check";
constexpr const char* kEndsEarly = "the gzip stream ends early";

}  // namespace

GzipSource::GzipSource(FileDescriptor file, std::string path)
    : path_(path), plain_(std::move(file), std::move(path)), buffer_(kGzipBufferBytes) {
  if (inflateInit2(&stream_, kGzipWindow) != Z_OK) {
    fail(ExitCode::os_error, path_, ": not enough memory to inflate");
  }
}

GzipSource::~GzipSource() {
  inflateEnd(&stream_);
}

std::size_t GzipSource::read(std::span<std::uint8_t> out) {
  std::size_t done = 0;
  while (done < out.size() && !finished_ && !at_gap_) {
    done += inflate_some(out.subspan(done));
  }
  return done;
}

std::uint64_t GzipSource::skip(std::uint64_t count) {
  const std::uint64_t begin = delivered_;
  const std::uint64_t end = begin + std::min(count, ~begin);
  if (!stops_) {
    jump_towards(end);
  }
  std::array<std::uint8_t, 16384> sink{};
  while (delivered_ < end) {
    const auto step =
        static_cast<std::size_t>(std::min<std::uint64_t>(sink.size(), end - delivered_));
    if (read(std::span(sink).first(step)) == 0) {
      break;
    }
  }
  return delivered_ - begin;
}

std::uint64_t GzipSource::go_to(std::uint64_t position) {
  if (position < delivered_) {
    const auto* const point = points_ ? points_->before(position) : nullptr;
    point != nullptr ? restart_at(*point) : restart();
  }
  at_gap_ = false;
  const bool stops = std::exchange(stops_, false);
  skip(position - delivered_);
  stops_ = stops;
  return delivered_;
}

void GzipSource::expect_returns() {
  if (!points_) {
    points_ = std::make_unique<InflatePoints>();
  }
}

/// Goes ahead to the last point up to there, if that is ahead.
void GzipSource::jump_towards(std::uint64_t position) {
  const auto* const point = points_ ? points_->before(position) : nullptr;
  if (point != nullptr && point->delivered > delivered_) {
    restart_at(*point);
  }
}

void GzipSource::restart() {
  start_anew(0, 0, kGzipWindow);
  member_start_ = 0;
}

void GzipSource::start_anew(std::uint64_t file_position, std::uint64_t delivered, int window_bits) {
  plain_.go_to(file_position);
  stream_.avail_in = 0;
  inflateReset2(&stream_, window_bits);
  without_frame_ = window_bits == kRawWindow;
  between_members_ = !without_frame_;
  finished_ = false;
  doubt_.clear();
  delivered_ = delivered;
}

void GzipSource::restart_at(const InflatePoint& point) {
  member_start_ = point.member_start;
  if (!point.in_member) {
    start_anew(point.file_position, point.delivered, kGzipWindow);
    return;
  }
  start_anew(point.file_position - (point.bits != 0 ? 1 : 0), point.delivered, kRawWindow);
  member_bytes_ = point.member_bytes;
  checksum_ = point.checksum;
  if (point.bits != 0 && fill()) {
    inflatePrime(&stream_, static_cast<int>(point.bits), *stream_.next_in >> (8 - point.bits));
    ++stream_.next_in;
    --stream_.avail_in;
  }
  inflateSetDictionary(&stream_, point.window.data(), static_cast<uInt>(point.window.size()));
}

void GzipSource::note_point() {
  if (!points_ || !points_->is_due(delivered_)) {
    return;
  }
  InflatePoint point{
      .delivered = delivered_,
      .file_position = file_position(),
      .bits = 0,
      .in_member = !between_members_,
      .member_start = member_start_,
      .member_bytes = without_frame_ ? member_bytes_ : stream_.total_out,
      .checksum = without_frame_ ? checksum_ : static_cast<std::uint32_t>(stream_.adler),
      .window = {}};
  if (point.in_member) {
    const int state = stream_.data_type;
    if ((state & kBlockEnd) == 0 || (state & kLastBlock) != 0) {
      return;
    }
    point.bits = static_cast<unsigned>(state) & 7U;
    point.window.resize(kWindowBytes);
    uInt size = 0;
    inflateGetDictionary(&stream_, point.window.data(), &size);
    point.window.resize(size);
  }
  points_->add(std::move(point));
}

bool GzipSource::fill() {
  if (stream_.avail_in == 0) {
    stream_.next_in = buffer_.data();
    stream_.avail_in = static_cast<uInt>(plain_.read(buffer_));
  }
  return stream_.avail_in != 0;
}

std::size_t GzipSource::inflate_some(std::span<std::uint8_t> out) {
  if (between_members_) {
    next_member();
    if (between_members_) {
      return 0;
    }
  }
  if (!fill()) {
    break_off(kEndsEarly);
    return 0;
  }
  const std::size_t room = std::min<std::size_t>(out.size(), 1U << 30U);
  stream_.next_out = out.data();
  stream_.avail_out = static_cast<uInt>(room);
  const int status = inflate(&stream_, points_ ? Z_BLOCK : Z_NO_FLUSH);
  const std::size_t got = room - stream_.avail_out;
  delivered_ += got;
  if (without_frame_) {
    member_bytes_ += got;
    checksum_ = static_cast<std::uint32_t>(crc32_z(checksum_, out.data(), got));
  }
  if (status == Z_STREAM_END) {
    end_member();
  } else if (status != Z_OK && status != Z_BUF_ERROR) {
    break_member(stream_.msg != nullptr ? stream_.msg : "the gzip stream is damaged");
  } else {
    note_point();
  }
  return got;
}

/// Its data is at an end, and right as far as zlib has looked.
void GzipSource::end_member() {
  if (without_frame_) {
    const auto checksum = trailer_field();
    if (checksum && *checksum != checksum_) {
      break_member(kBadChecksum);
      return;
    }
    const auto length = checksum ? trailer_field() : std::nullopt;
    if (!length) {
      break_off(kEndsEarly);
      return;
    }
    if (*length != static_cast<std::uint32_t>(member_bytes_)) {
      break_member(kBadLength);
      return;
    }
  }
  leave_member();
}

void GzipSource::leave_member() {
  inflateReset2(&stream_, kGzipWindow);
  without_frame_ = false;
  between_members_ = true;
}

/// Four bytes behind the data of a member; nothing where the file ends.
std::optional<std::uint32_t> GzipSource::trailer_field() {
  std::uint32_t value = 0;
  for (unsigned bits = 0; bits < 32; bits += 8) {
    if (!fill()) {
      return std::nullopt;
    }
    value |= std::uint32_t{*stream_.next_in} << bits;
    ++stream_.next_in;
    --stream_.avail_in;
  }
  return value;
}

void GzipSource::next_member() {
  const std::uint64_t end = file_position();
  pass_zeros();
  if (stream_.avail_in == 0) {
    end_file(end, 0);
  } else if (member_begins()) {
    begin_member(end);
  } else if (!tolerant_ || !leap_from_end(end)) {
    end_file(end, plain_.size() - file_position());
  }
}

void GzipSource::pass_zeros() {
  while (fill() && *stream_.next_in == 0) {
    ++stream_.next_in;
    --stream_.avail_in;
  }
}

/// Whether the next bytes are those that every member begins with; they may lie on both sides of
/// the buffer's end.
bool GzipSource::member_begins() {
  if (stream_.avail_in == 1) {
    buffer_[0] = *stream_.next_in;
    stream_.next_in = buffer_.data();
    stream_.avail_in += static_cast<uInt>(plain_.read(std::span(buffer_).subspan(1)));
  }
  return stream_.avail_in > 1 && stream_.next_in[0] == kMagic[0] && stream_.next_in[1] == kMagic[1];
}

/// A member begins here; the one before it ended at `end`.
void GzipSource::begin_member(std::uint64_t end) {
  if (tolerant_ && !pass_doubt(end)) {
    return;
  }
  note_point();
  member_start_ = file_position();
  between_members_ = false;
}

/// Nothing but `unused` bytes that are not packed lies behind the member that ended at `end`.
void GzipSource::end_file(std::uint64_t end, std::uint64_t unused) {
  plain_.skip(~std::uint64_t{0});
  stream_.avail_in = 0;
  finished_ = true;
  if (doubt_.empty()) {
    ignored_ = file_position() - end;
  } else {
    damage_ = doubt_ + unused_text(unused);
  }
}

}  // namespace hprof
