// Three bytes that every member begins with occur by chance or in the content of others, so what
// follows must inflate: to an end with the right checksum, or for a long way. Attempts that fail
// cost a bounded effort in all, however many places look like a member.
#include "common/member_search.h"

#include "common/error.h"

#include <algorithm>
#include <array>

namespace hprof {
namespace {

constexpr int kGzipWindow = 15 + 16;
constexpr std::array<std::uint8_t, 3> kBegin{0x1f, 0x8b, 8};
constexpr std::uint8_t kReservedFlags = 0xe0;
constexpr std::size_t kScanBytes = 1U << 20U;
constexpr std::size_t kFirstBytes = 1U << 10U;
constexpr std::size_t kMoreBytes = 1U << 16U;
constexpr std::uint64_t kProofPacked = 1U << 20U;
constexpr std::uint64_t kProofInflated = 16U << 20U;
/// Inflated bytes that prove a member in which the file ends.
constexpr std::uint64_t kProofAtEnd = 4096;
constexpr std::uint64_t kMostEffort = 256U << 20U;
constexpr std::uint64_t kAttemptEffort = 1024;

/// The first place in `bytes` where a member may begin; their size if there is none.
std::size_t likely_begin(std::span<const std::uint8_t> bytes, std::size_t from) {
  for (auto at = bytes.begin() + static_cast<std::ptrdiff_t>(from);; ++at) {
    at = std::search(at, bytes.end(), kBegin.begin(), kBegin.end());
    if (bytes.end() - at <= static_cast<std::ptrdiff_t>(kBegin.size())) {
      return bytes.size();
    }
    if ((at[kBegin.size()] & kReservedFlags) == 0) {
      return static_cast<std::size_t>(at - bytes.begin());
    }
  }
}

/// Whether the file has its end there, zeros, or another member.
bool may_follow(PlainSource& file, std::uint64_t position) {
  std::array<std::uint8_t, kBegin.size()> bytes{};
  const std::size_t got = file.look(position, bytes);
  return got < bytes.size() || bytes == kBegin ||
         bytes == std::array<std::uint8_t, kBegin.size()>{};
}

}  // namespace

MemberSearch::MemberSearch()
    : packed_(kMoreBytes), inflated_(kMoreBytes), effort_left_(kMostEffort) {
  if (inflateInit2(&stream_, kGzipWindow) != Z_OK) {
    fail(ExitCode::os_error, "not enough memory to inflate");
  }
}

MemberSearch::~MemberSearch() {
  inflateEnd(&stream_);
}

std::optional<std::uint64_t> MemberSearch::next(PlainSource& file, std::uint64_t from,
                                                std::uint64_t inflated_to) {
  std::vector<std::uint8_t> window(kScanBytes + kBegin.size());
  for (std::uint64_t start = from;; start += kScanBytes) {
    const std::span seen(window.data(), file.look(start, window));
    for (std::size_t at = likely_begin(seen, 0); at < seen.size();
         at = likely_begin(seen, at + 1)) {
      if (effort_left_ == 0) {
        return std::nullopt;
      }
      if (is_member(file, start + at, start + at < inflated_to)) {
        return start + at;
      }
    }
    if (seen.size() < window.size()) {
      return std::nullopt;
    }
  }
}

bool MemberSearch::is_member(PlainSource& file, std::uint64_t position, bool wants_follower) {
  inflateReset2(&stream_, kGzipWindow);
  if (is_proved(file, position, wants_follower)) {
    return true;
  }
  const std::uint64_t effort = kAttemptEffort + stream_.total_in + stream_.total_out;
  effort_left_ -= std::min(effort_left_, effort);
  return false;
}

bool MemberSearch::is_proved(PlainSource& file, std::uint64_t position, bool wants_follower) {
  for (std::size_t wanted = kFirstBytes;; wanted = kMoreBytes) {
    const std::uint64_t at = position + stream_.total_in;
    const std::size_t got = file.look(at, std::span(packed_).first(wanted));
    if (got == 0) {
      return stream_.total_out >= kProofAtEnd;
    }
    const int status = inflate_input(std::span(packed_).first(got));
    if (status == Z_STREAM_END) {
      return !wants_follower || may_follow(file, position + stream_.total_in);
    }
    if (status != Z_OK) {
      return false;
    }
    if (stream_.total_in >= kProofPacked || stream_.total_out >= kProofInflated) {
      return true;
    }
  }
}

/// Inflates all of it, or as much as proves a member.
int MemberSearch::inflate_input(std::span<const std::uint8_t> input) {
  stream_.next_in = const_cast<Bytef*>(input.data());
  stream_.avail_in = static_cast<uInt>(input.size());
  int status = Z_OK;
  do {
    stream_.next_out = inflated_.data();
    stream_.avail_out = static_cast<uInt>(inflated_.size());
    status = inflate(&stream_, Z_NO_FLUSH);
  } while (status == Z_OK && (stream_.avail_in != 0 || stream_.avail_out == 0) &&
           stream_.total_out < kProofInflated);
  return status == Z_BUF_ERROR ? Z_OK : status;
}

}  // namespace hprof
