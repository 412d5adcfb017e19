// Input is read into one large buffer. Skips that leave the buffer far behind are left to the
// source, which need not read what it can go round.
#include "common/input_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace hprof {

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

void BufferedInput::stop_at_gaps(bool stops) {
  source_->stop_at_gaps(stops);
  if (stops && !source_->gaps().empty()) {
    buffer_start_ = source_->go_to(position());
    at_ = 0;
    end_ = 0;
  }
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
