// A segment's length stands before its content, so the open segment is the one thing that is kept
// in memory.
#include "tests/support/hprof_writer.h"

#include <bit>
#include <stdexcept>

namespace hprof::test {
namespace {

constexpr std::size_t kRecordHeaderBytes = 9;

std::unique_ptr<std::FILE, int (*)(std::FILE*)> no_file() {
  return {nullptr, &std::fclose};
}

[[noreturn]] void write_failed() {
  throw std::runtime_error("hprof writer: the file cannot be written");
}

}  // namespace

std::uint32_t width_of(Type type, std::uint32_t id_size) {
  switch (type) {
    case Type::object:
      return id_size;
    case Type::boolean:
    case Type::int8:
      return 1;
    case Type::character:
    case Type::int16:
      return 2;
    case Type::float32:
    case Type::int32:
      return 4;
    case Type::float64:
    case Type::int64:
      return 8;
  }
  throw std::logic_error("hprof writer: no such type");
}

std::uint64_t Value::bits_as(Type type) const {
  if (!floating_) {
    return bits_;
  }
  return type == Type::float32 ? std::bit_cast<std::uint32_t>(static_cast<float>(number_))
                               : std::bit_cast<std::uint64_t>(number_);
}

Encoder& Encoder::number(std::uint64_t value, std::uint32_t width) {
  for (std::uint32_t left = width; left > 0; --left) {
    out_.push_back(static_cast<std::uint8_t>(value >> (8 * (left - 1))));
  }
  return *this;
}

Encoder& Encoder::bytes(std::span<const std::uint8_t> raw) {
  out_.insert(out_.end(), raw.begin(), raw.end());
  return *this;
}

Encoder& Encoder::text(std::string_view raw) {
  out_.insert(out_.end(), raw.begin(), raw.end());
  return *this;
}

HprofWriter::HprofWriter(FileFormat format)
    : format_(std::move(format)), file_(no_file()), segment_(format_.id_size) {
  write_file_header();
}

HprofWriter::HprofWriter(FileFormat format, const std::string& path)
    : format_(std::move(format)),
      file_(std::fopen(path.c_str(), "wb"), &std::fclose),
      segment_(format_.id_size) {
  if (!file_) {
    throw std::runtime_error("hprof writer: cannot create " + path);
  }
  write_file_header();
}

HprofWriter::~HprofWriter() = default;

void HprofWriter::write_file_header() {
  Encoder header(format_.id_size);
  header.text(format_.version).u1(0).u4(format_.id_size).u8(format_.timestamp_ms);
  put(header.out());
}

void HprofWriter::put(std::span<const std::uint8_t> bytes) {
  position_ += bytes.size();
  if (!file_) {
    output_.insert(output_.end(), bytes.begin(), bytes.end());
  } else if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) {
    write_failed();
  }
}

void HprofWriter::utf8(Id id, std::string_view text) {
  Encoder body(format_.id_size);
  body.id(id).text(text);
  record(static_cast<std::uint8_t>(Record::utf8), body.out());
}

void HprofWriter::load_class(std::uint32_t serial, Id class_address, std::uint32_t trace, Id name) {
  Encoder body(format_.id_size);
  body.u4(serial).id(class_address).u4(trace).id(name);
  record(static_cast<std::uint8_t>(Record::load_class), body.out());
}

void HprofWriter::frame(Id id, Id method, Id signature, Id source, std::uint32_t class_serial,
                        std::int32_t line) {
  Encoder body(format_.id_size);
  body.id(id).id(method).id(signature).id(source).u4(class_serial);
  body.u4(static_cast<std::uint32_t>(line));
  record(static_cast<std::uint8_t>(Record::frame), body.out());
}

void HprofWriter::trace(std::uint32_t serial, std::uint32_t thread_serial,
                        const std::vector<Id>& frames) {
  Encoder body(format_.id_size);
  body.u4(serial).u4(thread_serial).u4(frames.size());
  for (const Id frame : frames) {
    body.id(frame);
  }
  record(static_cast<std::uint8_t>(Record::trace), body.out());
}

void HprofWriter::record(std::uint8_t tag, std::span<const std::uint8_t> body) {
  record_header(tag, static_cast<std::uint32_t>(body.size()));
  put(body);
}

void HprofWriter::record_header(std::uint8_t tag, std::uint32_t length) {
  Encoder header(format_.id_size);
  header.out().reserve(kRecordHeaderBytes);
  header.u1(tag).u4(0).u4(length);
  put(header.out());
}

void HprofWriter::raw(std::span<const std::uint8_t> bytes) {
  end_segment();
  put(bytes);
}

void HprofWriter::begin_segment(Record tag) {
  end_segment();
  open_segment_ = tag;
}

void HprofWriter::end_segment(std::optional<std::uint32_t> claimed_length) {
  if (!open_segment_) {
    return;
  }
  const auto length = claimed_length.value_or(static_cast<std::uint32_t>(segment_.out().size()));
  record_header(static_cast<std::uint8_t>(*open_segment_), length);
  put(segment_.out());
  segment_.out().clear();
  open_segment_.reset();
}

void HprofWriter::heap_dump_end() {
  end_segment();
  record_header(static_cast<std::uint8_t>(Record::heap_dump_end), 0);
}

Encoder& HprofWriter::heap_record(std::uint8_t tag) {
  close_full_segment();
  if (!open_segment_) {
    begin_segment();
  }
  return segment_.u1(tag);
}

void HprofWriter::close_full_segment() {
  if (open_segment_ == Record::heap_dump_segment && segment_.out().size() >= segment_limit_) {
    end_segment();
  }
}

void HprofWriter::root(Root kind, Id object, std::uint32_t thread_serial,
                       std::uint32_t frame_or_trace) {
  Encoder& out = heap_record(static_cast<std::uint8_t>(kind)).id(object);
  switch (kind) {
    case Root::jni_global:
      out.id(object + 1);
      break;
    case Root::jni_local:
    case Root::java_frame:
    case Root::jni_monitor:
    case Root::thread_object:
      out.u4(thread_serial).u4(frame_or_trace);
      break;
    case Root::native_stack:
    case Root::thread_block:
      out.u4(thread_serial);
      break;
    default:
      break;
  }
}

void HprofWriter::heap_info(std::uint32_t heap, Id name) {
  heap_record(0xfe).u4(heap).id(name);
}

void HprofWriter::class_dump(const ClassRecord& record) {
  Encoder& out = heap_record(0x20).id(record.address).u4(record.trace).id(record.super);
  out.id(record.loader).id(record.signers).id(record.protection_domain);
  out.id(record.reserved1).id(record.reserved2).u4(record.instance_size);
  out.u2(record.constants.size());
  for (const auto& constant : record.constants) {
    out.u2(constant.index).u1(static_cast<std::uint8_t>(constant.type));
    out.value(constant.type, constant.value);
  }
  out.u2(record.statics.size());
  for (const auto& field : record.statics) {
    out.id(field.name).u1(static_cast<std::uint8_t>(field.type)).value(field.type, field.value);
  }
  out.u2(record.fields.size());
  for (const auto& field : record.fields) {
    out.id(field.name).u1(static_cast<std::uint8_t>(field.type));
  }
}

void HprofWriter::instance(Id address, Id class_address, std::span<const std::uint8_t> fields,
                           std::uint32_t trace) {
  heap_record(0x21).id(address).u4(trace).id(class_address).u4(fields.size()).bytes(fields);
}

void HprofWriter::object_array(Id address, Id class_address, std::span<const Id> elements,
                               std::uint32_t trace) {
  Encoder& out = heap_record(0x22).id(address).u4(trace).u4(elements.size()).id(class_address);
  for (const Id element : elements) {
    out.id(element);
  }
}

void HprofWriter::primitive_array(Id address, Type type, std::uint32_t count,
                                  std::span<const std::uint8_t> data, std::uint32_t trace) {
  Encoder& out = heap_record(0x23).id(address).u4(trace).u4(count);
  out.u1(static_cast<std::uint8_t>(type)).bytes(data);
}

void HprofWriter::primitive_array_without_data(Id address, Type type, std::uint32_t count,
                                               std::uint32_t trace) {
  heap_record(0xc3).id(address).u4(trace).u4(count).u1(static_cast<std::uint8_t>(type));
}

void HprofWriter::heap_raw(std::span<const std::uint8_t> bytes) {
  if (!open_segment_) {
    begin_segment();
  }
  segment_.bytes(bytes);
}

void HprofWriter::finish() {
  end_segment();
  if (file_ && std::fclose(file_.release()) != 0) {
    write_failed();
  }
}

}  // namespace hprof::test
