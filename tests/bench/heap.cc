#include "tests/bench/heap.h"

#include <algorithm>

namespace hprof::bench {
namespace {

constexpr Address kFirstObject = 0x600000000;
constexpr Address kArchive = 0x5ff000000;
constexpr Address kFirstName = 0x7f0000001000;
constexpr std::uint32_t kClassObjectBytes = 112;
constexpr std::uint32_t kHeaderBytes = 12;
constexpr std::uint32_t kCachedIntegers = 256;
constexpr std::uint32_t kMainThread = 1;

struct FieldType {
  std::uint8_t code;
  std::uint32_t file_bytes;
  std::uint32_t heap_bytes;
};

FieldType type_of(const std::string& field) {
  switch (field.back()) {
    case 'L':
      return {2, 8, 4};
    case 'Z':
      return {4, 1, 1};
    case 'C':
      return {5, 2, 2};
    case 'F':
      return {6, 4, 4};
    case 'D':
      return {7, 8, 8};
    case 'B':
      return {8, 1, 1};
    case 'S':
      return {9, 2, 2};
    case 'I':
      return {10, 4, 4};
    case 'J':
      return {11, 8, 8};
    default:
      break;
  }
  fail(ExitCode::bug, field, ": a field is name:TYPE");
}

std::string name_of(const std::string& field) {
  return field.substr(0, field.size() - 2);
}

}  // namespace

Heap::Heap(const std::string& path, std::uint64_t seed)
    : out_(path, kFirstObject), random_(seed), archive_(kArchive) {
  define_jdk();
  app_loader_ = reserve(jdk_.app_loader);
  integer_cache_ = out_.take(references_heap_bytes(kCachedIntegers));
}

void Heap::define_jdk() {
  const auto jdk = [this](const std::string& name, const std::string& super, FieldList fields) {
    return define({.name = name, .super = super, .fields = std::move(fields), .in_archive = true});
  };
  const std::string object = "java/lang/Object";
  jdk_.object = jdk(object, "", {});
  jdk("java/lang/Class", object, {"name:L", "classLoader:L", "module:L", "classRedefinedCount:I"});
  jdk_.class_loader = jdk("java/lang/ClassLoader", object, {"parent:L", "name:L", "classes:L"});
  jdk_.app_loader =
      jdk("jdk/internal/loader/ClassLoaders$AppClassLoader", "java/lang/ClassLoader", {});
  jdk_.string = jdk("java/lang/String", object, {"value:L", "hash:I", "coder:B", "hashIsZero:Z"});
  jdk_.thread = jdk("java/lang/Thread", object,
                    {"name:L", "priority:I", "daemon:Z", "eetop:J", "target:L",
                     "contextClassLoader:L", "threadLocals:L", "tid:J"});
  jdk("java/lang/Number", object, {});
  jdk_.integer = jdk("java/lang/Integer", "java/lang/Number", {"value:I"});
  jdk_.long_number = jdk("java/lang/Long", "java/lang/Number", {"value:J"});
  jdk("java/util/AbstractMap", object, {"keySet:L", "values:L"});
  jdk_.hash_map =
      jdk("java/util/HashMap", "java/util/AbstractMap",
          {"table:L", "entrySet:L", "size:I", "modCount:I", "threshold:I", "loadFactor:F"});
  jdk_.map_node = jdk("java/util/HashMap$Node", object, {"hash:I", "key:L", "value:L", "next:L"});
  jdk("java/util/AbstractCollection", object, {});
  jdk("java/util/AbstractList", "java/util/AbstractCollection", {"modCount:I"});
  jdk_.array_list =
      jdk("java/util/ArrayList", "java/util/AbstractList", {"elementData:L", "size:I"});
  jdk("java/lang/ref/Reference", object, {"referent:L", "queue:L", "next:L", "discovered:L"});
  jdk("java/lang/ref/SoftReference", "java/lang/ref/Reference", {"timestamp:J"});
  jdk("java/lang/ref/WeakReference", "java/lang/ref/Reference", {});
  for (const char* array :
       {"[Z", "[B", "[C", "[S", "[I", "[J", "[F", "[D", "[Ljava/lang/String;"}) {
    jdk(array, object, {});
  }
  jdk_.objects_array = jdk("[Ljava/lang/Object;", object, {}).class_id;
  jdk_.nodes_array = jdk("[Ljava/util/HashMap$Node;", object, {}).class_id;
}

Layout Heap::define(const ClassSpec& spec) {
  ClassInfo info{.spec = spec, .layout = {}};
  std::uint32_t heap_bytes = 0;
  for (const auto& field : spec.fields) {
    info.own_bytes += type_of(field).file_bytes;
    heap_bytes += type_of(field).heap_bytes;
  }
  info.layout.file_bytes = info.own_bytes;
  if (spec.super.empty()) {
    heap_bytes += kHeaderBytes;
  } else {
    const auto& super = classes_.at(class_numbers_.find(spec.super)->second);
    info.layout.file_bytes += super.layout.file_bytes;
    heap_bytes += super.layout.heap_bytes;
  }
  // Rounded at every class of the chain, so never less than a JVM takes.
  info.layout.heap_bytes = spec.super.empty() ? heap_bytes : (heap_bytes + 3) / 4 * 4;
  if (spec.in_archive) {
    info.layout.class_id = archive_;
    archive_ += kClassObjectBytes;
  } else {
    info.layout.class_id = out_.take(kClassObjectBytes);
  }
  class_numbers_.emplace(spec.name, classes_.size());
  classes_.push_back(info);
  Layout for_instances = info.layout;
  for_instances.heap_bytes = (for_instances.heap_bytes + 7) / 8 * 8;
  return for_instances;
}

void Heap::plan_threads(std::uint32_t threads, std::uint32_t frames) {
  planned_threads_ = threads;
  frames_per_thread_ = frames;
}

Address Heap::name(const std::string& text) {
  const auto [place, fresh] = names_.emplace(text, kFirstName + 16 * names_.size());
  if (fresh) {
    out_.text(place->second, text);
  }
  return place->second;
}

void Heap::begin() {
  define({.name = "java/lang/Integer$IntegerCache",
          .statics = {{"cache", integer_cache_}},
          .in_archive = true});
  std::uint32_t serial = 0;
  for (const auto& info : classes_) {
    name(info.spec.name);
    for (const auto& field : info.spec.fields) {
      name(name_of(field));
    }
    for (const auto& [static_name, value] : info.spec.statics) {
      name(static_name);
    }
  }
  for (const auto& info : classes_) {
    out_.load_class(++serial, info.layout.class_id, name(info.spec.name));
  }
  write_threads();
  for (const auto& info : classes_) {
    write_class(info);
  }
  write_prologue();
}

void Heap::write_threads() {
  const Address method = name("run");
  const Address signature = name("()V");
  const Address source = name("Bench.java");
  const auto object_class =
      static_cast<std::uint32_t>(class_numbers_.find("java/lang/Object")->second);
  out_.trace(1, 0, 0, 0);
  Address first_frame = 1;
  for (std::uint32_t number = 0; number <= planned_threads_; ++number) {
    const std::uint32_t frames = number == 0 ? 1 : frames_per_thread_;
    for (std::uint32_t i = 0; i < frames; ++i) {
      out_.frame(first_frame + i, method, signature, source, object_class + 1, 10 + i);
    }
    out_.trace(number + 2, kMainThread + number, first_frame, frames);
    first_frame += frames;
  }
}

void Heap::write_class(const ClassInfo& info) {
  const auto& spec = info.spec;
  const Address super =
      spec.super.empty() ? 0 : classes_[class_numbers_.find(spec.super)->second].layout.class_id;
  out_.open(0x20,
            1 + 8 + 4 + 6 * 8 + 4 + 2 + 2 + 17 * spec.statics.size() + 2 + 9 * spec.fields.size());
  out_.u8(info.layout.class_id);
  out_.u4(0);
  out_.u8(super);
  out_.u8(spec.loader);
  for (int i = 0; i < 4; ++i) {
    out_.u8(0);
  }
  out_.u4(spec.name.front() == '[' ? 0 : info.layout.file_bytes);
  out_.u2(0);
  out_.u2(static_cast<std::uint16_t>(spec.statics.size()));
  for (const auto& [static_name, value] : spec.statics) {
    out_.u8(names_.find(static_name)->second);
    out_.u1(2);
    out_.u8(value);
  }
  out_.u2(static_cast<std::uint16_t>(spec.fields.size()));
  for (const auto& field : spec.fields) {
    out_.u8(names_.find(name_of(field))->second);
    out_.u1(type_of(field).code);
  }
}

void Heap::write_prologue() {
  out_.instance_at(app_loader_, jdk_.app_loader);
  loader_fields(0);
  out_.references_at(integer_cache_, jdk_.objects_array, kCachedIntegers);
  for (std::uint32_t i = 0; i < kCachedIntegers; ++i) {
    out_.element(out_.next() + std::uint64_t{i} * jdk_.integer.heap_bytes);
  }
  for (std::uint32_t i = 0; i < kCachedIntegers; ++i) {
    integer(i - 128);
  }
  thread(0);
}

void Heap::loader_fields(Address name) {
  out_.u8(0);
  out_.u8(name);
  out_.u8(0);
}

Address Heap::string(std::uint32_t length) {
  const Address value = out_.take(array_heap_bytes(length, 1));
  out_.characters_at(value, length, random_.next());
  const Address address = out_.instance(jdk_.string);
  out_.u8(value);
  out_.u4(random_.next32());
  out_.u1(0);
  out_.u1(0);
  return address;
}

Address Heap::integer(std::uint32_t value) {
  const Address address = out_.instance(jdk_.integer);
  out_.u4(value);
  return address;
}

Address Heap::long_number(std::uint64_t value) {
  const Address address = out_.instance(jdk_.long_number);
  out_.u8(value);
  return address;
}

Address Heap::array_list(const std::vector<Address>& elements) {
  const auto size = static_cast<std::uint32_t>(elements.size());
  const std::uint32_t capacity = std::max(10U, size + size / 3);
  const Address list = out_.take(jdk_.array_list.heap_bytes);
  const Address data = out_.take(references_heap_bytes(capacity));
  out_.instance_at(list, jdk_.array_list);
  out_.u8(data);
  out_.u4(size);
  out_.u4(size);
  out_.references_at(data, jdk_.objects_array, capacity);
  for (const Address one : elements) {
    out_.element(one);
  }
  for (std::uint32_t i = size; i < capacity; ++i) {
    out_.element(0);
  }
  return list;
}

Address Heap::thread(std::uint32_t number) {
  const Address thread_name = string(16);
  const Address address = out_.instance(jdk_.thread);
  out_.u8(thread_name);
  out_.u4(5);
  out_.u1(0);
  out_.u8(0x7f1200000000 + std::uint64_t{number} * 4096);
  out_.u8(0);
  out_.u8(app_loader_);
  out_.u8(0);
  out_.u8(number + 1);
  threads_.push_back(address);
  return address;
}

void Heap::local(std::uint32_t thread_number, std::uint32_t frame, Address object) {
  locals_.push_back({object, kMainThread + thread_number, frame});
}

void Heap::finish(const std::vector<Address>& held) {
  for (const Address object : held) {
    local(0, 0, object);
  }
  std::uint32_t serial = kMainThread;
  for (const Address thread : threads_) {
    out_.thread_root(thread, serial, serial + 1);
    ++serial;
  }
  for (const auto& local : locals_) {
    out_.local_root(local.object, local.thread, local.frame);
  }
  for (const auto& info : classes_) {
    if (info.spec.loader == 0) {
      out_.root(0x05, info.layout.class_id);
    }
  }
  out_.finish();
}

}  // namespace hprof::bench
