#pragma once

#include "common/byte_source.h"
#include "common/input_file.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace hprof {

/// The bytes of a file as they are.
class PlainSource : public ByteSource {
 public:
  PlainSource(FileDescriptor file, std::string path)
      : file_(std::move(file)), path_(std::move(path)), size_(file_size(file_, path_)) {}

  std::size_t read(std::span<std::uint8_t> out) override {
    const std::size_t count = read_at(file_, path_, position_, out);
    position_ += count;
    bytes_read_ += count;
    return count;
  }

  std::uint64_t skip(std::uint64_t count) override {
    const std::uint64_t step = std::min(count, size_ > position_ ? size_ - position_ : 0);
    position_ += step;
    return step;
  }

  std::uint64_t go_to(std::uint64_t position) override {
    return position_ = std::min(position, size_);
  }

  /// Fills `out` from any place without going there.
  std::size_t look(std::uint64_t position, std::span<std::uint8_t> out) {
    const std::size_t count = read_at(file_, path_, position, out);
    bytes_read_ += count;
    return count;
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes_read() const override { return bytes_read_; }
  bool is_compressed() const override { return false; }
  std::uint64_t file_position() const override { return position_; }

 private:
  FileDescriptor file_;
  std::string path_;
  std::uint64_t size_;
  std::uint64_t position_ = 0;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace hprof
