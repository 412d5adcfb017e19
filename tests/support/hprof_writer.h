#pragma once

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hprof::test {

using Id = std::uint64_t;
using Bytes = std::vector<std::uint8_t>;

/// The numbers of the format, written down here once more on purpose: a reader tested with its own
/// constants would agree with its own mistakes.
enum class Record : std::uint8_t {
  utf8 = 0x01,
  load_class = 0x02,
  unload_class = 0x03,
  frame = 0x04,
  trace = 0x05,
  alloc_sites = 0x06,
  heap_summary = 0x07,
  start_thread = 0x0a,
  end_thread = 0x0b,
  heap_dump = 0x0c,
  cpu_samples = 0x0d,
  control_settings = 0x0e,
  heap_dump_segment = 0x1c,
  heap_dump_end = 0x2c,
};

enum class Root : std::uint8_t {
  unknown = 0xff,
  jni_global = 0x01,
  jni_local = 0x02,
  java_frame = 0x03,
  native_stack = 0x04,
  sticky_class = 0x05,
  thread_block = 0x06,
  monitor_used = 0x07,
  thread_object = 0x08,
  interned_string = 0x89,
  finalizing = 0x8a,
  debugger = 0x8b,
  reference_cleanup = 0x8c,
  vm_internal = 0x8d,
  jni_monitor = 0x8e,
  unreachable = 0x90,  ///< Android writes it among the roots although it keeps nothing alive
};

enum class Type : std::uint8_t {
  object = 2,
  boolean = 4,
  character = 5,
  float32 = 6,
  float64 = 7,
  int8 = 8,
  int16 = 9,
  int32 = 10,
  int64 = 11,
};

/// Bytes of a value of `type` in the file.
std::uint32_t width_of(Type type, std::uint32_t id_size);

/// A field's, element's or constant's value; how it is written is up to the type it stands for.
class Value {
 public:
  Value() = default;
  template <typename Number>
  requires std::is_integral_v<Number> Value(Number number)
      : bits_(static_cast<std::uint64_t>(number)) {}          // NOLINT: tests write {"x", 7}
  Value(double number) : number_(number), floating_(true) {}  // NOLINT: tests write {"x", 0.5}

  /// The bits that a file holds for this value as `type`.
  std::uint64_t bits_as(Type type) const;

 private:
  std::uint64_t bits_ = 0;
  double number_ = 0;
  bool floating_ = false;
};

/// Appends big-endian numbers and ids to a byte string.
class Encoder {
 public:
  explicit Encoder(std::uint32_t id_size) : id_size_(id_size) {}

  Encoder& u1(std::uint64_t value) { return number(value, 1); }
  Encoder& u2(std::uint64_t value) { return number(value, 2); }
  Encoder& u4(std::uint64_t value) { return number(value, 4); }
  Encoder& u8(std::uint64_t value) { return number(value, 8); }
  Encoder& id(Id value) { return number(value, id_size_); }
  Encoder& value(Type type, const Value& value) {
    return number(value.bits_as(type), width_of(type, id_size_));
  }
  Encoder& bytes(std::span<const std::uint8_t> raw);
  Encoder& text(std::string_view raw);
  Encoder& number(std::uint64_t value, std::uint32_t width);

  std::uint32_t id_size() const { return id_size_; }
  Bytes& out() { return out_; }
  const Bytes& out() const { return out_; }

 private:
  std::uint32_t id_size_;
  Bytes out_;
};

struct FileFormat {
  std::string version = "JAVA PROFILE 1.0.2";
  std::uint32_t id_size = 8;
  std::uint64_t timestamp_ms = 1'700'000'000'000;
};

struct StaticField {
  Id name = 0;
  Type type = Type::int32;
  Value value = {};
};

struct FieldDescription {
  Id name = 0;
  Type type = Type::int32;
};

struct ConstantPoolEntry {
  std::uint16_t index = 0;
  Type type = Type::int32;
  Value value = {};
};

/// A CLASS_DUMP as it stands in the file.
struct ClassRecord {
  Id address = 0;
  std::uint32_t trace = 0;
  Id super = 0;
  Id loader = 0;
  Id signers = 0;
  Id protection_domain = 0;
  Id reserved1 = 0;
  Id reserved2 = 0;
  std::uint32_t instance_size = 0;
  std::vector<ConstantPoolEntry> constants = {};
  std::vector<StaticField> statics = {};
  std::vector<FieldDescription> fields = {};
};

/// Writes an HPROF file record by record, valid or not, to memory or straight to a file.
/// Heap records collect in the open segment; any other record goes out at once, so what is written
/// while a segment is open stands before it in the file. Close the segment first for another order.
class HprofWriter {
 public:
  explicit HprofWriter(FileFormat format = {});
  /// Streams to `path`; holds no more than the open segment.
  HprofWriter(FileFormat format, const std::string& path);
  HprofWriter(const HprofWriter&) = delete;
  HprofWriter& operator=(const HprofWriter&) = delete;
  ~HprofWriter();

  const FileFormat& format() const { return format_; }

  // Records outside the heap.
  void utf8(Id id, std::string_view text);
  void load_class(std::uint32_t serial, Id class_address, std::uint32_t trace, Id name);
  void frame(Id id, Id method, Id signature, Id source, std::uint32_t class_serial,
             std::int32_t line);
  void trace(std::uint32_t serial, std::uint32_t thread_serial, const std::vector<Id>& frames);
  void record(std::uint8_t tag, std::span<const std::uint8_t> body);
  /// A record's nine leading bytes with any length, true or not.
  void record_header(std::uint8_t tag, std::uint32_t length);
  /// Bytes of any kind at the end of what is written so far.
  void raw(std::span<const std::uint8_t> bytes);
  void raw(std::initializer_list<std::uint8_t> bytes) {
    raw(std::span(bytes.begin(), bytes.size()));
  }

  // Segments. Heap records open one (0x1C) where none is open.
  void begin_segment(Record tag = Record::heap_dump_segment);
  /// Ends the open segment, if any; `claimed_length` is written instead of the true length.
  void end_segment(std::optional<std::uint32_t> claimed_length = std::nullopt);
  void heap_dump_end();
  bool segment_is_open() const { return open_segment_.has_value(); }
  /// Segments of 0x1C are closed by themselves above this size.
  void set_segment_limit(std::size_t bytes) { segment_limit_ = bytes; }

  // Heap records.
  void root(Root kind, Id object, std::uint32_t thread_serial = 0,
            std::uint32_t frame_or_trace = 0);
  void heap_info(std::uint32_t heap, Id name);
  void class_dump(const ClassRecord& record);
  void instance(Id address, Id class_address, std::span<const std::uint8_t> fields,
                std::uint32_t trace = 0);
  void object_array(Id address, Id class_address, std::span<const Id> elements,
                    std::uint32_t trace = 0);
  void primitive_array(Id address, Type type, std::uint32_t count,
                       std::span<const std::uint8_t> data, std::uint32_t trace = 0);
  /// Android's 0xC3: the array's length without its content.
  void primitive_array_without_data(Id address, Type type, std::uint32_t count,
                                    std::uint32_t trace = 0);
  void heap_raw(std::span<const std::uint8_t> bytes);
  void heap_raw(std::initializer_list<std::uint8_t> bytes) {
    heap_raw(std::span(bytes.begin(), bytes.size()));
  }

  /// Closes the open segment and the file. Throws std::runtime_error when the file could not be
  /// written.
  void finish();
  /// What has been written to memory; finish() first.
  const Bytes& bytes() const { return output_; }
  /// Bytes that went out so far, the open segment not included: the offset of the next record.
  std::uint64_t position() const { return position_; }

 private:
  void write_file_header();
  void put(std::span<const std::uint8_t> bytes);
  Encoder& heap_record(std::uint8_t tag);
  void close_full_segment();

  FileFormat format_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  Bytes output_;
  std::uint64_t position_ = 0;
  std::optional<Record> open_segment_;
  Encoder segment_;
  std::size_t segment_limit_ = 1U << 20U;
};

}  // namespace hprof::test
