#pragma once

#include "common/checked.h"
#include "common/memory.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <sys/mman.h>
#include <type_traits>

namespace hprof {

/// Bytes that BigArray has handed out and not yet taken back, and the most there ever were;
/// deterministic figures for --stats.
struct BigArrayUse {
  std::uint64_t now = 0;
  std::uint64_t peak = 0;
  std::uint64_t total = 0;
};

inline BigArrayUse& big_array_use() {
  static BigArrayUse use;
  return use;
}

/// A per-object column in memory: fixed size, trivially copyable elements, asked to lie on huge
/// pages (random access over gigabytes is bound by page-table walks otherwise; where they are off
/// nothing changes).
template <typename T>
class BigArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  BigArray() = default;

  /// `size` uninitialised elements.
  explicit BigArray(std::uint64_t size) : size_(size), data_(allocate(size)) { account(); }

  /// `size` elements of zero bytes. Memory is taken where elements are written only, and in small
  /// pages until expect_many(): for columns of which often little is used.
  static BigArray sparse(std::uint64_t size) {
    BigArray out;
    out.size_ = size;
    out.data_.reset(static_cast<T*>(std::calloc(size, sizeof(T))));
    if (size != 0 && !out.data_) {
      throw OutOfMemory(checked_mul(size, sizeof(T)));
    }
    out.account();
    return out;
  }
  /// Says that most of a sparse array will be used.
  void expect_many() {
    auto* const bytes = reinterpret_cast<std::uint8_t*>(data());
    const auto base = reinterpret_cast<std::uintptr_t>(bytes);
    const std::uint64_t begin = align_up(base, kHugePage);
    const std::uint64_t end = (base + size_ * sizeof(T)) / kHugePage * kHugePage;
    if (begin < end) {
      madvise(bytes + (begin - base), end - begin, MADV_HUGEPAGE);
    }
  }

  BigArray(std::uint64_t size, T value) : BigArray(size) { std::fill_n(data_.get(), size_, value); }

  BigArray(BigArray&& other) noexcept { swap(other); }
  BigArray& operator=(BigArray&& other) noexcept {
    release();
    swap(other);
    return *this;
  }
  BigArray(const BigArray&) = delete;
  BigArray& operator=(const BigArray&) = delete;
  ~BigArray() { release(); }

  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::uint64_t index) { return data_.get()[index]; }
  const T& operator[](std::uint64_t index) const { return data_.get()[index]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  std::span<T> span() { return {data(), size_}; }
  std::span<const T> span() const { return {data(), size_}; }

  /// Gives the memory back at once; the array is empty afterwards.
  void release() {
    if (data_) {
      big_array_use().now -= size_ * sizeof(T);
    }
    data_.reset();
    size_ = 0;
  }

  /// Gives the whole pages between two elements back; what was in [first, last) must not be read
  /// any more.
  void give_back(std::uint64_t first, std::uint64_t last) {
    auto* const bytes = reinterpret_cast<std::uint8_t*>(data());
    const auto base = reinterpret_cast<std::uintptr_t>(bytes);
    const std::uint64_t begin = align_up(base + first * sizeof(T), kPage);
    const std::uint64_t end = (base + last * sizeof(T)) / kPage * kPage;
    if (begin < end) {
      madvise(bytes + (begin - base), end - begin, MADV_DONTNEED);
    }
  }

  void swap(BigArray& other) noexcept {
    std::swap(size_, other.size_);
    data_.swap(other.data_);
  }

 private:
  struct Free {
    void operator()(T* pointer) const { std::free(pointer); }
  };

  static constexpr std::uint64_t kHugePage = 2U << 20U;
  static constexpr std::uint64_t kPage = 1U << 16U;  // of any machine

  static T* allocate(std::uint64_t size) {
    if (size == 0) {
      return nullptr;
    }
    const std::uint64_t bytes = checked_mul(size, sizeof(T));
    const std::uint64_t step = bytes >= kHugePage ? kHugePage : 64;
    void* memory = std::aligned_alloc(step, align_up(bytes, step));
    if (memory == nullptr) {
      throw OutOfMemory(checked_add(bytes, step));  // an aligned block is cut out of a bigger one
    }
    if (step == kHugePage) {
      madvise(memory, bytes, MADV_HUGEPAGE);
    }
    return static_cast<T*>(memory);
  }

  void account() const {
    auto& use = big_array_use();
    use.now += size_ * sizeof(T);
    use.total += size_ * sizeof(T);
    use.peak = std::max(use.peak, use.now);
  }

  std::uint64_t size_ = 0;
  std::unique_ptr<T, Free> data_;
};

}  // namespace hprof
