// Data that is damaged often inflates on for a while, into members that follow, so the next one is
// looked for from some way back. What was found is kept: whoever comes back must be given the same
// bytes, and finds them at once.
#include "common/error.h"
#include "common/gzip_source.h"
#include "common/text.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kMostBack = 1U << 20U;
constexpr std::size_t kMostGaps = 1000;
/// Zeros that may fill up the space between two members.
constexpr std::uint64_t kMostPadding = 1U << 16U;
constexpr std::string_view kBadChecksum = "incorrect data check";

std::string at_byte(std::uint64_t position, std::string_view what) {
  return concat("compressed byte ", hex_address(position), ": ", what);
}

/// How a leap goes on that was necessary at `noticed` and ends at `to`.
std::string leap_text(std::uint64_t noticed, std::uint64_t to) {
  return to > noticed
             ? concat("; ", format_count(to - noticed, "packed byte is", "packed bytes are"),
                      " passed over and not counted, inflating goes on behind them")
             : concat("; compressed byte ", hex_address(to), " and what follows is inflated, too");
}

}  // namespace

std::string GzipSource::unused_text(std::uint64_t bytes) {
  return bytes == 0 ? ""
                    : concat("; ", format_count(bytes, "packed byte", "packed bytes"),
                             " from there on ", bytes == 1 ? "is" : "are", " not used");
}

/// The data of a member cannot be inflated any further.
void GzipSource::break_off(std::string_view what) {
  const std::uint64_t here = file_position();
  const std::string where = at_byte(here, what);
  if (!tolerant_) {
    fail(ExitCode::bad_data, printable(base_name(path_)), ": ", where, "; copy the dump again");
  }
  const std::uint64_t back = here - std::min(here, kMostBack);
  if (!leap(std::max(member_start_ + 1, back), where)) {
    damage_ = where + unused_text(plain_.size() - here);
    finished_ = true;
  }
}

/// zlib refuses a member: its data, or what stands behind that, which is no reason not to go on.
void GzipSource::break_member(std::string_view what) {
  const std::uint64_t here = file_position();
  const bool bad_checksum = what == kBadChecksum;
  if (!tolerant_ || (!bad_checksum && what != "incorrect length check")) {
    break_off(what);
    return;
  }
  const auto bytes = static_cast<std::uint32_t>(without_frame_ ? member_bytes_ : stream_.total_out);
  const auto length = bad_checksum ? trailer_field() : bytes;
  if (!length) {
    break_off("the gzip stream ends early");
    return;
  }
  doubt_ = at_byte(here, what);
  doubt_lost_ = *length != bytes;
  leave_member();
}

/// Tells of what was wrong with the end of the last member, or of a hole behind it; false where
/// reading stops for that.
bool GzipSource::pass_doubt(std::uint64_t end) {
  if (doubt_.empty() && file_position() - end > kMostPadding) {
    doubt_ = at_byte(end, concat(format_count(file_position() - end, "zero", "zeros"),
                                 " where a member should begin"));
    doubt_lost_ = true;
  }
  if (doubt_.empty()) {
    return true;
  }
  add_gap({.position = delivered_,
           .lost = doubt_lost_,
           .what = doubt_ + "; inflating goes on behind that"});
  doubt_.clear();
  at_gap_ = stops_ && doubt_lost_;
  return !at_gap_;
}

void GzipSource::add_gap(PackingGap gap) {
  const bool known = std::any_of(gaps_.begin(), gaps_.end(), [&](const PackingGap& other) {
    return other.position == gap.position && other.what == gap.what;
  });
  if (!known && gaps_.size() < kMostGaps) {
    gaps_.push_back(std::move(gap));
  }
}

/// Goes from a place between members where none begins to the next one. One that cannot be trusted
/// may have reached into those behind it.
bool GzipSource::leap_from_end(std::uint64_t end) {
  const std::uint64_t back = end - std::min(end, kMostBack);
  return doubt_.empty() ? leap(end, at_byte(end, "no gzip member begins here"))
                        : leap(std::max(member_start_ + 1, back), doubt_);
}

/// Goes to the next member at or behind `from`; false where there is none.
bool GzipSource::leap(std::uint64_t from, const std::string& what) {
  const std::uint64_t to = leap_end(from, what);
  if (to == kNowhere) {
    return false;
  }
  plain_.go_to(to);
  stream_.avail_in = 0;
  doubt_.clear();
  leave_member();
  at_gap_ = stops_;
  return true;
}

std::uint64_t GzipSource::leap_end(std::uint64_t from, const std::string& what) {
  const auto known = std::find_if(leaps_.begin(), leaps_.end(), [&](const Leap& leap) {
    return leap.position == delivered_ && leap.to > member_start_;
  });
  if (known != leaps_.end()) {
    return known->to;
  }
  if (!search_) {
    search_ = std::make_unique<MemberSearch>();
  }
  const std::uint64_t here = file_position();
  const auto to = gaps_.size() < kMostGaps ? search_->next(plain_, from, here) : std::nullopt;
  if (to) {
    add_gap({.position = delivered_, .lost = true, .what = what + leap_text(here, *to)});
  }
  leaps_.push_back({.position = delivered_, .to = to.value_or(kNowhere)});
  return leaps_.back().to;
}

}  // namespace hprof
