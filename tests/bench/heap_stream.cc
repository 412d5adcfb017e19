// The buffer holds the open segment, so that its length can be put in when it is full; a record
// that is too big for it gets a segment of its own, whose length is known beforehand, and flows
// through.
#include "tests/bench/heap_stream.h"

#include "tests/bench/random.h"

#include <algorithm>

namespace hprof::bench {
namespace {

constexpr std::size_t kSegmentBytes = 1U << 20U;
constexpr std::size_t kBiggestBuffered = kSegmentBytes / 2;
constexpr std::size_t kPatternBytes = 1U << 16U;
constexpr std::size_t kRecordHeader = 9;
constexpr std::uint8_t kSegmentTag = 0x1c;
constexpr std::string_view kVersion = "JAVA PROFILE 1.0.2";
constexpr std::uint64_t kTimestamp = 1'700'000'000'000;

std::vector<std::uint8_t> noise() {
  std::vector<std::uint8_t> bytes(kPatternBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(mix(i));
  }
  return bytes;
}

std::vector<std::uint8_t> words() {
  std::vector<std::uint8_t> bytes(kPatternBytes);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto letter = mix(i) % 32;
    bytes[i] = static_cast<std::uint8_t>(letter < 26 ? 'a' + letter : ' ');
  }
  return bytes;
}

}  // namespace

HeapStream::HeapStream(const std::string& path, Address first_address)
    : out_(path), buffer_(kSegmentBytes), next_(first_address), noise_(noise()), words_(words()) {
  for (const char letter : kVersion) {
    u1(static_cast<std::uint8_t>(letter));
  }
  u1(0);
  u4(8);
  u8(kTimestamp);
  record_end_ = bytes();
}

void HeapStream::drain() {
  out_.write(std::span<const std::uint8_t>(buffer_).first(used_));
  drained_ += used_;
  used_ = 0;
}

void HeapStream::record(std::uint8_t tag, std::uint32_t length) {
  check(bytes() == record_end_, "a record of a generated heap has the size that it was begun with");
  if (used_ + kRecordHeader + length > buffer_.size()) {
    drain();
  }
  u1(tag);
  u4(0);
  u4(length);
  record_end_ = bytes() + length;
}

void HeapStream::close_segment() {
  if (segment_ != kNone) {
    const auto length =
        __builtin_bswap32(static_cast<std::uint32_t>(used_ - segment_ - kRecordHeader));
    std::memcpy(buffer_.data() + segment_ + 5, &length, sizeof length);
    segment_ = kNone;
  }
  drain();
}

void HeapStream::open(std::uint8_t tag, std::uint64_t bytes_of_record) {
  check(bytes() == record_end_,
        "an object of a generated heap has the size that it was begun with");
  if (bytes_of_record > kBiggestBuffered) {
    check(bytes_of_record <= 0xffffffffU, "an array of a generated heap fits in a segment");
    close_segment();
    record(kSegmentTag, static_cast<std::uint32_t>(bytes_of_record));
  } else if (segment_ == kNone || used_ + bytes_of_record > buffer_.size()) {
    close_segment();
    segment_ = used_;
    record(kSegmentTag, 0);
  }
  record_end_ = bytes() + bytes_of_record;
  u1(tag);
}

void HeapStream::text(Address id, std::string_view text) {
  record(0x01, static_cast<std::uint32_t>(8 + text.size()));
  u8(id);
  for (const char letter : text) {
    u1(static_cast<std::uint8_t>(letter));
  }
}

void HeapStream::load_class(std::uint32_t serial, Address class_id, Address name) {
  record(0x02, 24);
  u4(serial);
  u8(class_id);
  u4(0);
  u8(name);
}

void HeapStream::frame(Address id, Address method, Address signature, Address source,
                       std::uint32_t class_serial, std::uint32_t line) {
  record(0x04, 40);
  u8(id);
  u8(method);
  u8(signature);
  u8(source);
  u4(class_serial);
  u4(line);
}

void HeapStream::trace(std::uint32_t serial, std::uint32_t thread_serial, Address first_frame,
                       std::uint32_t frames) {
  record(0x05, 12 + 8 * frames);
  u4(serial);
  u4(thread_serial);
  u4(frames);
  for (std::uint32_t i = 0; i < frames; ++i) {
    u8(first_frame + i);
  }
}

Address HeapStream::references(Address array_class, std::span<const Address> elements) {
  const Address address = references(array_class, static_cast<std::uint32_t>(elements.size()));
  for (const Address one : elements) {
    element(one);
  }
  return address;
}

void HeapStream::content(const std::vector<std::uint8_t>& pattern, std::uint64_t bytes,
                         std::uint64_t salt) {
  std::size_t from = mix(salt) % (pattern.size() / 2);
  while (bytes != 0) {
    if (used_ == buffer_.size()) {
      drain();
    }
    const auto step = static_cast<std::size_t>(
        std::min<std::uint64_t>({bytes, buffer_.size() - used_, pattern.size() - from}));
    std::memcpy(buffer_.data() + used_, pattern.data() + from, step);
    used_ += step;
    bytes -= step;
    from = 0;
  }
}

Address HeapStream::primitives_at(Address address, Primitive type, std::uint32_t elements,
                                  std::uint64_t salt) {
  const std::uint64_t payload = std::uint64_t{elements} * width_of(type);
  open(0x23, 18 + payload);
  ++objects_;
  u8(address);
  u4(0);
  u4(elements);
  u1(static_cast<std::uint8_t>(type));
  content(noise_, payload, salt);
  return address;
}

Address HeapStream::characters_at(Address address, std::uint32_t length, std::uint64_t salt) {
  open(0x23, 18 + std::uint64_t{length});
  ++objects_;
  u8(address);
  u4(0);
  u4(length);
  u1(static_cast<std::uint8_t>(Primitive::int8));
  content(words_, length, salt);
  return address;
}

void HeapStream::root(std::uint8_t tag, Address object) {
  open(tag, 9);
  u8(object);
}

void HeapStream::thread_root(Address thread, std::uint32_t thread_serial,
                             std::uint32_t trace_serial) {
  open(0x08, 17);
  u8(thread);
  u4(thread_serial);
  u4(trace_serial);
}

void HeapStream::local_root(Address object, std::uint32_t thread_serial, std::uint32_t frame) {
  open(0x03, 17);
  u8(object);
  u4(thread_serial);
  u4(frame);
}

void HeapStream::finish() {
  check(bytes() == record_end_, "the last object of a generated heap is complete");
  close_segment();
  record(0x2c, 0);
  drain();
  out_.commit();
}

}  // namespace hprof::bench
