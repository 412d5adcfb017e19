// Names, load records, frames and traces go out at once while heap records wait in the open
// segment, so a heap that is described in any order is still a well-formed file.
#include "tests/support/hprof_builder.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace hprof::test {
namespace {

constexpr std::uint32_t kDummyTrace = 1;
constexpr Id kClassStep = 0x80;

struct Primitive {
  Type type;
  std::string_view java_name;
  char letter;
};

constexpr std::array<Primitive, 8> kPrimitives{{{Type::boolean, "boolean", 'Z'},
                                                {Type::character, "char", 'C'},
                                                {Type::float32, "float", 'F'},
                                                {Type::float64, "double", 'D'},
                                                {Type::int8, "byte", 'B'},
                                                {Type::int16, "short", 'S'},
                                                {Type::int32, "int", 'I'},
                                                {Type::int64, "long", 'J'}}};

std::string array_name_of(Type type) {
  const auto* found =
      std::find_if(kPrimitives.begin(), kPrimitives.end(),
                   [&](const Primitive& primitive) { return primitive.type == type; });
  if (found == kPrimitives.end()) {
    throw std::logic_error("heap builder: not a primitive type");
  }
  return std::string(found->java_name) + "[]";
}

std::string with_slashes(std::string_view java_name) {
  std::string result(java_name);
  std::replace(result.begin(), result.end(), '.', '/');
  return result;
}

/// "demo.Node" → "Ldemo/Node;", "byte" → "B".
std::string descriptor_of(std::string_view java_name) {
  for (const auto& primitive : kPrimitives) {
    if (primitive.java_name == java_name) {
      return {primitive.letter};
    }
  }
  return "L" + with_slashes(java_name) + ";";
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

}  // namespace

HeapBuilder::HeapBuilder(HeapOptions options)
    : options_(std::move(options)),
      writer_(options_.format),
      next_class_(options_.first_class),
      next_object_(options_.first_object) {
  add_core_classes();
}

HeapBuilder::HeapBuilder(HeapOptions options, const std::string& path)
    : options_(std::move(options)),
      writer_(options_.format, path),
      next_class_(options_.first_class),
      next_object_(options_.first_object) {
  add_core_classes();
}

void HeapBuilder::add_core_classes() {
  if (options_.core == CoreClasses::none) {
    return;
  }
  writer_.trace(kDummyTrace, 0, {});
  add_class({.name = "java.lang.Object", .super = 0});
  add_class({.name = "java.lang.Class"});
  add_class({.name = "java.lang.ClassLoader", .fields = {{"parent", Type::object}}});
  std::vector<FieldSpec> string_fields{{"value", Type::object}, {"hash", Type::int32}};
  if (options_.strings == StringLayout::compact) {
    string_fields.push_back({"coder", Type::int8});
  }
  add_class({.name = "java.lang.String", .fields = string_fields});
  add_class({.name = "java.lang.Thread", .fields = options_.thread_fields});
  root_classes();
}

void HeapBuilder::root_classes() {
  if (options_.core == CoreClasses::rooted) {
    for (const auto& [address, described] : classes_) {
      root(Root::sticky_class, address);
    }
  }
}

void HeapBuilder::ensure_segment() {
  if (!writer_.segment_is_open()) {
    writer_.begin_segment(options_.segment);
  }
}

Id HeapBuilder::name(std::string_view text) {
  const auto known = names_.find(text);
  if (known != names_.end()) {
    return known->second;
  }
  const Id id = next_name_;
  next_name_ += options_.format.id_size;
  writer_.utf8(id, text);
  names_.emplace(text, id);
  return id;
}

std::string HeapBuilder::file_name_of(std::string_view java_name) const {
  if (options_.dotted_names) {
    return std::string(java_name);
  }
  std::string brackets;
  while (java_name.ends_with("[]")) {
    brackets += '[';
    java_name.remove_suffix(2);
  }
  return brackets.empty() ? with_slashes(java_name) : brackets + descriptor_of(java_name);
}

std::uint32_t HeapBuilder::reference_size() const {
  return options_.reference_size != 0 ? options_.reference_size : options_.format.id_size;
}

HeapBuilder::ClassInfo HeapBuilder::described(const ClassSpec& spec, Id super) const {
  ClassInfo result;
  result.java_name = spec.name;
  result.fields = spec.fields;
  if (const auto parent = classes_.find(super); parent != classes_.end()) {
    result.file_bytes = parent->second.file_bytes;
    result.heap_bytes = parent->second.heap_bytes;
  }
  for (const auto& field : spec.fields) {
    result.file_bytes += width_of(field.type, options_.format.id_size);
    result.heap_bytes += width_of(field.type, reference_size());
  }
  return result;
}

Id HeapBuilder::add_class(const ClassSpec& spec) {
  const auto object_class = class_by_name_.find("java.lang.Object");
  ClassRecord record;
  record.super =
      spec.super.value_or(object_class == class_by_name_.end() ? 0 : object_class->second);
  record.loader = spec.loader;
  record.constants = spec.constants;
  record.trace = kDummyTrace;
  record.address = spec.address;
  if (record.address == 0) {
    record.address = next_class_;
    next_class_ += kClassStep;
  }
  for (const auto& field : spec.statics) {
    record.statics.push_back({name(field.name), field.type, field.value});
  }
  for (const auto& field : spec.fields) {
    record.fields.push_back({name(field.name), field.type});
  }
  ClassInfo info = described(spec, record.super);
  record.instance_size = spec.instance_size.value_or(info.file_bytes);
  info.serial = next_class_serial_++;
  info.record = record;

  writer_.load_class(info.serial, record.address, kDummyTrace, name(file_name_of(spec.name)));
  ensure_segment();
  writer_.class_dump(record);
  classes_[record.address] = std::move(info);
  class_by_name_.insert_or_assign(spec.name, record.address);
  return record.address;
}

Id HeapBuilder::class_named(std::string_view java_name) {
  const auto known = class_by_name_.find(java_name);
  return known != class_by_name_.end() ? known->second
                                       : add_class({.name = std::string(java_name)});
}

Id HeapBuilder::reserve(std::uint64_t bytes) {
  const Id address = next_object_;
  next_object_ = round_up(address + bytes, options_.alignment);
  return address;
}

Id HeapBuilder::take_address(Id wanted, std::uint64_t bytes) {
  return wanted != 0 ? wanted : reserve(bytes);
}

std::uint64_t HeapBuilder::array_bytes(std::uint64_t count, std::uint64_t width) const {
  return options_.format.id_size + reference_size() + 4 + count * width;
}

const HeapBuilder::ClassInfo& HeapBuilder::info(Id class_address) const {
  const auto found = classes_.find(class_address);
  if (found == classes_.end()) {
    throw std::logic_error("heap builder: no such class");
  }
  return found->second;
}

std::size_t HeapBuilder::matching_value(const ClassInfo& owner, const FieldSpec& field,
                                        const FieldValues& values,
                                        const std::vector<bool>& used) const {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string_view wanted = values[i].first;
    const auto hash = wanted.find('#');
    const bool qualified = hash != std::string_view::npos;
    const bool matches = qualified ? wanted.substr(0, hash) == owner.java_name &&
                                         wanted.substr(hash + 1) == field.name
                                   : wanted == field.name;
    if (matches && !used[i]) {
      return i;
    }
  }
  return values.size();
}

Id HeapBuilder::add_object(Id class_address, const FieldValues& values, Id address) {
  const ClassInfo& own = info(class_address);
  Encoder fields(options_.format.id_size);
  std::vector<bool> used(values.size(), false);
  for (Id at = class_address; at != 0; at = info(at).record.super) {
    const ClassInfo& owner = info(at);
    for (const auto& field : owner.fields) {
      const std::size_t which = matching_value(owner, field, values, used);
      fields.value(field.type, which < values.size() ? values[which].second : Value());
      if (which < values.size()) {
        used[which] = true;
      }
    }
  }
  if (std::find(used.begin(), used.end(), false) != used.end()) {
    throw std::logic_error("heap builder: no such field in " + own.java_name);
  }
  address = take_address(address, options_.format.id_size + reference_size() + own.heap_bytes);
  ensure_segment();
  writer_.instance(address, class_address, fields.out(), kDummyTrace);
  return address;
}

Id HeapBuilder::add_array(std::string_view java_name, std::span<const Id> elements, Id address) {
  const Id class_address = class_named(java_name);
  address = take_address(address, array_bytes(elements.size(), reference_size()));
  ensure_segment();
  writer_.object_array(address, class_address, elements, kDummyTrace);
  return address;
}

Id HeapBuilder::add_primitives(Type type, std::initializer_list<Value> elements, Id address) {
  Encoder data(options_.format.id_size);
  for (const auto& element : elements) {
    data.value(type, element);
  }
  return add_primitive_data(type, static_cast<std::uint32_t>(elements.size()), data.out(), address);
}

Id HeapBuilder::add_zeros(Type type, std::uint32_t count, Id address) {
  const Bytes zeros(std::size_t{count} * width_of(type, options_.format.id_size));
  return add_primitive_data(type, count, zeros, address);
}

Id HeapBuilder::add_primitive_data(Type type, std::uint32_t count,
                                   std::span<const std::uint8_t> data, Id address) {
  if (options_.core != CoreClasses::none) {
    class_named(array_name_of(type));
  }
  address = take_address(address, array_bytes(count, width_of(type, reference_size())));
  ensure_segment();
  writer_.primitive_array(address, type, count, data, kDummyTrace);
  return address;
}

Id HeapBuilder::add_string(std::string_view latin1, Id address) {
  const Id string_class = class_named("java.lang.String");
  address = take_address(
      address, options_.format.id_size + reference_size() + info(string_class).heap_bytes);
  const bool compact = options_.strings == StringLayout::compact;
  const Type type = compact ? Type::int8 : Type::character;
  Encoder data(options_.format.id_size);
  for (const char c : latin1) {
    data.value(type, static_cast<unsigned char>(c));
  }
  const auto count = static_cast<std::uint32_t>(latin1.size());
  return add_string_over(add_primitive_data(type, count, data.out()), address);
}

Id HeapBuilder::add_string_over(Id array, Id address) {
  return add_object(class_named("java.lang.String"), {{"value", array}}, address);
}

HeapBuilder::Stack HeapBuilder::add_stack(const std::vector<FrameSpec>& frames) {
  const Stack stack{.thread_serial = next_thread_serial_++, .trace = next_trace_serial_++};
  std::vector<Id> ids;
  for (const auto& frame : frames) {
    ids.push_back(next_name_);
    next_name_ += options_.format.id_size;
    writer_.frame(ids.back(), name(frame.method), name(frame.signature), name(frame.source),
                  frame.class_address == 0 ? 0 : info(frame.class_address).serial, frame.line);
  }
  writer_.trace(stack.trace, stack.thread_serial, ids);
  return stack;
}

Thread HeapBuilder::add_thread(const ThreadSpec& spec) {
  const auto stack = add_stack(spec.frames);
  const Id object =
      add_object(class_named("java.lang.Thread"), {{"name", add_string(spec.name)}}, spec.address);
  root(Root::thread_object, object, stack.thread_serial, stack.trace);
  return {object, stack.thread_serial};
}

Thread HeapBuilder::start_thread(Id object, const std::vector<FrameSpec>& frames) {
  const auto stack = add_stack(frames);
  root(Root::thread_object, object, stack.thread_serial, stack.trace);
  return {object, stack.thread_serial};
}

void HeapBuilder::root(Root kind, Id object, std::uint32_t thread_serial, std::uint32_t frame) {
  ensure_segment();
  writer_.root(kind, object, thread_serial, frame);
}

void HeapBuilder::end_dump() {
  writer_.end_segment();
  if (options_.segment == Record::heap_dump_segment) {
    writer_.heap_dump_end();
  }
}

void HeapBuilder::next_dump() {
  end_dump();
  ensure_segment();
  for (const auto& [address, known] : classes_) {
    writer_.class_dump(known.record);
  }
  root_classes();
}

void HeapBuilder::finish() {
  end_dump();
  writer_.finish();
}

}  // namespace hprof::test
