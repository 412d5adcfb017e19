#pragma once

#include "common/error.h"
#include "common/output_file.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::bench {

using Address = std::uint64_t;

/// What the records and the objects of a class need to know of it.
struct Layout {
  Address class_id = 0;
  std::uint32_t file_bytes = 0;  ///< of an instance's fields in the dump
  std::uint32_t heap_bytes = 0;  ///< of an instance in the heap, aligned
};

/// Element types of primitive arrays, with the format's numbers.
enum class Primitive : std::uint8_t {
  boolean = 4,
  character = 5,
  float32 = 6,
  float64 = 7,
  int8 = 8,
  int16 = 9,
  int32 = 10,
  int64 = 11,
};

constexpr std::uint32_t width_of(Primitive type) {
  return 1U << (static_cast<unsigned>(type) & 3U);
}

/// Bytes of an array in a heap with compressed references.
constexpr std::uint64_t array_heap_bytes(std::uint64_t elements, std::uint64_t width) {
  return (16 + elements * width + 7) / 8 * 8;
}
constexpr std::uint64_t references_heap_bytes(std::uint64_t elements) {
  return array_heap_bytes(elements, 4);
}

/// Writes HPROF 1.0.2 with 8-byte ids as HotSpot does, in segments of 1 MiB, with no more than one
/// of them in memory. An object's fields follow its instance() call one by one, in the order of the
/// record; that they fill it exactly is checked. Addresses are handed out front to back.
class HeapStream {
 public:
  HeapStream(const std::string& path, Address first_address);

  // Records outside the heap, before the first object.
  void text(Address id, std::string_view text);
  void load_class(std::uint32_t serial, Address class_id, Address name);
  void frame(Address id, Address method, Address signature, Address source,
             std::uint32_t class_serial, std::uint32_t line);
  void trace(std::uint32_t serial, std::uint32_t thread_serial, Address first_frame,
             std::uint32_t frames);

  /// Where the next object lies.
  Address next() const { return next_; }
  /// Takes `bytes` of the heap; returns where they begin.
  Address take(std::uint64_t bytes) {
    const Address taken = next_;
    next_ += bytes;
    return taken;
  }

  /// Begins a heap record of exactly `bytes`.
  void open(std::uint8_t tag, std::uint64_t bytes);

  /// An object at an address that was taken before; returns the address.
  Address instance_at(Address address, const Layout& layout) {
    open(0x21, 25 + std::uint64_t{layout.file_bytes});
    ++objects_;
    u8(address);
    u4(0);
    u8(layout.class_id);
    u4(layout.file_bytes);
    return address;
  }
  Address instance(const Layout& layout) { return instance_at(take(layout.heap_bytes), layout); }

  /// An array whose elements follow with element().
  Address references_at(Address address, Address array_class, std::uint32_t elements) {
    open(0x22, 25 + std::uint64_t{elements} * 8);
    ++objects_;
    u8(address);
    u4(0);
    u4(elements);
    u8(array_class);
    return address;
  }
  Address references(Address array_class, std::uint32_t elements) {
    return references_at(take(references_heap_bytes(elements)), array_class, elements);
  }
  void element(Address address) {
    if (used_ + 8 > buffer_.size()) [[unlikely]] {
      drain();
    }
    u8(address);
  }
  /// All elements at once.
  Address references(Address array_class, std::span<const Address> elements);

  /// An array whose content is bytes that look random; `salt` chooses which.
  Address primitives_at(Address address, Primitive type, std::uint32_t elements,
                        std::uint64_t salt);
  Address primitives(Primitive type, std::uint32_t elements, std::uint64_t salt) {
    return primitives_at(take(array_heap_bytes(elements, width_of(type))), type, elements, salt);
  }
  /// A byte array with lower-case words, the content of a Latin-1 string.
  Address characters_at(Address address, std::uint32_t length, std::uint64_t salt);

  void u1(std::uint8_t value) { buffer_[used_++] = value; }
  void u2(std::uint16_t value) { store(__builtin_bswap16(value)); }
  void u4(std::uint32_t value) { store(__builtin_bswap32(value)); }
  void u8(std::uint64_t value) { store(__builtin_bswap64(value)); }

  /// A root of a kind without further data (0x05 system class, 0x07 monitor, 0xff unknown).
  void root(std::uint8_t tag, Address object);
  void thread_root(Address thread, std::uint32_t thread_serial, std::uint32_t trace_serial);
  void local_root(Address object, std::uint32_t thread_serial, std::uint32_t frame);

  std::uint64_t objects() const { return objects_; }
  std::uint64_t bytes() const { return drained_ + used_; }

  /// HEAP_DUMP_END; closes the file.
  void finish();

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  template <typename T>
  void store(T value) {
    std::memcpy(buffer_.data() + used_, &value, sizeof value);
    used_ += sizeof value;
  }

  void record(std::uint8_t tag, std::uint32_t length);
  void content(const std::vector<std::uint8_t>& pattern, std::uint64_t bytes, std::uint64_t salt);
  void close_segment();
  void drain();

  OutputFile out_;
  std::vector<std::uint8_t> buffer_;
  std::size_t used_ = 0;
  std::size_t segment_ = kNone;   // where the open segment's record header lies in the buffer
  std::uint64_t record_end_ = 0;  // of the heap record before, counted in bytes of the file
  std::uint64_t drained_ = 0;
  Address next_;
  std::uint64_t objects_ = 0;
  std::vector<std::uint8_t> noise_;
  std::vector<std::uint8_t> words_;
};

}  // namespace hprof::bench
