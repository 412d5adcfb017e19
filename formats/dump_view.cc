#include "formats/dump_view.h"

#include <algorithm>
#include <utility>

namespace hprof {

DumpView::DumpView(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
  source_->expect_returns();
}

/// Appends to the buffer until it reaches there, or the dump ends.
void DumpView::read_up_to(std::uint64_t position) {
  while (end() < position) {
    if (source_at_ != end()) {
      source_at_ = source_->go_to(end());
    }
    if (source_at_ != end()) {
      return;
    }
    const std::size_t before = bytes_.size();
    bytes_.resize(before + kStepBytes);
    const std::size_t got = source_->read(std::span(bytes_).subspan(before));
    bytes_.resize(before + got);
    source_at_ += got;
    if (got == 0) {
      return;
    }
  }
}

std::span<const std::uint8_t> DumpView::in_buffer(std::uint64_t position, std::size_t count) const {
  if (position >= end()) {
    return {};
  }
  const auto at = static_cast<std::size_t>(position - start_);
  return std::span(bytes_).subspan(at, std::min(count, bytes_.size() - at));
}

std::span<const std::uint8_t> DumpView::at(std::uint64_t position, std::size_t count) {
  here_ = position;
  if (position < start_ || position > end()) {
    bytes_.clear();
    start_ = position;
  }
  if (end() - position < count) {
    if (position - start_ > kStepBytes) {
      bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(position - start_));
      start_ = position;
    }
    read_up_to(position + count);
  }
  return in_buffer(position, count);
}

std::span<const std::uint8_t> DumpView::look(std::uint64_t position, std::size_t count) {
  if (position >= start_ && position + count <= here_ + kAheadBytes) {
    read_up_to(position + count);
    return in_buffer(position, count);
  }
  if (source_->is_compressed() && ++far_looks_ > kMostFarLooks) {
    return {};
  }
  source_at_ = source_->go_to(position);
  far_.resize(source_at_ == position ? count : 0);
  const std::size_t got = source_->read(far_);
  source_at_ += got;
  return std::span(far_).first(got);
}

}  // namespace hprof
