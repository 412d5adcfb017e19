#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace hprof {

/// A stack of any depth that never copies what it holds and gives memory back as it shrinks.
template <typename T>
class ChunkedStack {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  bool empty() const { return size_ == 0; }
  std::uint64_t size() const { return size_; }
  /// The most elements there ever were.
  std::uint64_t peak() const { return peak_; }

  void push(const T& value) {
    const std::uint64_t chunk = size_ / kChunk;
    if (chunk == chunks_.size()) {
      chunks_.push_back(std::unique_ptr<T[]>(new T[kChunk]));
    }
    chunks_[chunk][size_ % kChunk] = value;
    ++size_;
    peak_ = size_ > peak_ ? size_ : peak_;
  }

  T& top() { return chunks_[(size_ - 1) / kChunk][(size_ - 1) % kChunk]; }

  /// Takes the last element off; one empty chunk is kept so that swinging over a border costs
  /// nothing.
  void pop() {
    --size_;
    if (chunks_.size() > size_ / kChunk + 2) {
      chunks_.pop_back();
    }
  }

 private:
  static constexpr std::uint64_t kChunk = 1U << 14U;

  std::vector<std::unique_ptr<T[]>> chunks_;
  std::uint64_t size_ = 0;
  std::uint64_t peak_ = 0;
};

}  // namespace hprof
