#include "formats/inflated_window.h"

#include "common/open_source.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace hprof {

ByteSource& InflatedWindow::source() {
  if (!source_) {
    source_ = open_source(path_);
    source_->tolerate_damage();
    source_->expect_returns();
  }
  return *source_;
}

std::uint64_t InflatedWindow::size() {
  if (!size_) {
    size_ = source().go_to(std::numeric_limits<std::uint64_t>::max());
  }
  return *size_;
}

const std::vector<std::uint8_t>& InflatedWindow::piece(std::uint64_t number) {
  if (const auto found = pieces_.find(number); found != pieces_.end()) {
    return found->second;
  }
  std::vector<std::uint8_t> bytes(kPieceBytes);
  const std::uint64_t start = number * kPieceBytes;
  const std::size_t got = source().go_to(start) == start ? source().read(bytes) : 0;
  bytes.resize(got);
  pieces_inflated_ += number == next_ ? 0 : 1;
  next_ = number + 1;
  if (kept_.size() < kPiecesKept) {
    kept_.push_back(number);
  } else {
    pieces_.erase(std::exchange(kept_[oldest_], number));
    oldest_ = (oldest_ + 1) % kPiecesKept;
  }
  return pieces_.emplace(number, std::move(bytes)).first->second;
}

std::vector<std::uint8_t> InflatedWindow::bytes_at(std::uint64_t position, std::size_t count) {
  std::vector<std::uint8_t> out;
  while (count != 0) {
    const auto& bytes = piece(position / kPieceBytes);
    const std::size_t at = position % kPieceBytes;
    if (at >= bytes.size()) {
      break;
    }
    const std::size_t step = std::min(count, bytes.size() - at);
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(step));
    position += step;
    count -= step;
  }
  return out;
}

}  // namespace hprof
