#pragma once

#include "tests/support/hprof_writer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof::test {

/// Which classes of the JDK a heap has from the start.
enum class CoreClasses {
  none,      ///< none at all: readers must fake java.lang.Class and the like
  unrooted,  ///< Object, Class, ClassLoader, String, Thread, without roots: the system-class
             ///< fallback applies
  rooted,    ///< the same, each with a STICKY_CLASS root, as HotSpot writes them
};

enum class StringLayout {
  compact,  ///< JDK 9+: byte[] value, byte coder, int hash
  chars,    ///< JDK 8 and before: char[] value, int hash
};

struct FieldSpec {
  std::string name = {};
  Type type = Type::object;
};

struct HeapOptions {
  FileFormat format = {};
  Record segment =
      Record::heap_dump_segment;     ///< or Record::heap_dump, one record for the whole heap
  std::uint32_t reference_size = 0;  ///< of the JVM, for automatic addresses; 0: the id size
  std::uint32_t alignment = 8;       ///< of automatic addresses
  bool dotted_names = false;         ///< as the hprof agent and Android write class names
  CoreClasses core = CoreClasses::rooted;
  StringLayout strings = StringLayout::compact;
  std::vector<FieldSpec> thread_fields = {{"name"}};  ///< of java.lang.Thread
  Id first_class = 0x10000;
  Id first_object = 0x1000000;
};

struct StaticSpec {
  std::string name = {};
  Type type = Type::object;
  Value value = {};
};

/// A class in a test's words. Names are Java's: "demo.Node", "demo.Node[]", "byte[]".
struct ClassSpec {
  std::string name = {};
  std::optional<Id> super = std::nullopt;  ///< java.lang.Object where it is left out
  std::vector<FieldSpec> fields = {};
  std::vector<StaticSpec> statics = {};
  Id loader = 0;
  Id address = 0;  ///< 0: the next free one
  std::vector<ConstantPoolEntry> constants = {};
  std::optional<std::uint32_t> instance_size =
      std::nullopt;  ///< the true sum of the fields where left out
};

struct FrameSpec {
  std::string method = "run";
  std::string signature = "()V";
  std::string source = "Main.java";
  Id class_address = 0;
  std::int32_t line = 1;
};

struct ThreadSpec {
  std::string name = "main";
  std::vector<FrameSpec> frames = {};
  Id address = 0;
};

struct Thread {
  Id object = 0;
  std::uint32_t serial = 0;
};

using FieldValues = std::vector<std::pair<std::string_view, Value>>;

/// Writes a heap in a few lines: classes with typed fields, objects with field values, arrays,
/// roots, threads. Nothing but the classes is remembered, so millions of objects can be streamed to
/// a file. Objects lie at automatic addresses one behind the other with the sizes of the JVM
/// described by the options, or where told. A wrong field name or class throws std::logic_error.
class HeapBuilder {
 public:
  explicit HeapBuilder(HeapOptions options = {});
  /// Streams to `path`.
  HeapBuilder(HeapOptions options, const std::string& path);

  /// The records below, for whatever this class has no words for.
  HprofWriter& writer() { return writer_; }

  /// The id of a name record with this text, written where it is new.
  Id name(std::string_view text);

  Id add_class(const ClassSpec& spec);
  /// The class of that name, made without fields where it is new (array classes come this way).
  Id class_named(std::string_view java_name);

  /// An address for an object that is written later: `bytes` from here on are taken.
  Id reserve(std::uint64_t bytes = 64);

  /// Fields that are not named are zero. A field hidden by a subclass is named "demo.Base#field".
  Id add_object(Id class_address, const FieldValues& values = {}, Id address = 0);
  Id add_array(std::string_view java_name, std::span<const Id> elements, Id address = 0);
  Id add_array(std::string_view java_name, std::initializer_list<Id> elements, Id address = 0) {
    return add_array(java_name, std::span(elements.begin(), elements.size()), address);
  }
  Id add_primitives(Type type, std::initializer_list<Value> elements, Id address = 0);
  /// An array of `count` zeros.
  Id add_zeros(Type type, std::uint32_t count, Id address = 0);
  /// An array with its elements as the file holds them; `count` is not checked against them.
  Id add_primitive_data(Type type, std::uint32_t count, std::span<const std::uint8_t> data,
                        Id address = 0);
  /// A java.lang.String and its array; Latin-1 text.
  Id add_string(std::string_view latin1, Id address = 0);
  /// A java.lang.String over an array that exists.
  Id add_string_over(Id array, Id address = 0);

  void root(Root kind, Id object, std::uint32_t thread_serial = 0, std::uint32_t frame = 0);
  /// A thread object with its name, THREAD_OBJ root, frames and stack trace.
  Thread add_thread(const ThreadSpec& spec = {});
  /// The same for a thread object that exists.
  Thread start_thread(Id object, const std::vector<FrameSpec>& frames);
  /// A Java frame root: `object` is a local of `thread` in its frame number `frame`, counted from
  /// 0.
  void local(const Thread& thread, Id object, std::uint32_t frame = 0) {
    root(Root::java_frame, object, thread.serial, frame);
  }

  /// Ends this dump in the file (HEAP_DUMP_END after segments).
  void end_dump();
  /// Begins another dump in the same file: all classes again, with their roots, but no objects.
  void next_dump();
  /// Ends the dump and the file.
  void finish();
  /// The finished file; finish() first. Only without a path.
  const Bytes& bytes() const { return writer_.bytes(); }

 private:
  struct ClassInfo {
    std::string java_name;
    ClassRecord record;
    std::uint32_t serial = 0;
    std::vector<FieldSpec> fields;
    std::uint32_t file_bytes = 0;  ///< of own and inherited fields in an instance record
    std::uint64_t heap_bytes = 0;  ///< the same with the JVM's reference size
  };

  struct Stack {
    std::uint32_t thread_serial = 0;
    std::uint32_t trace = 0;
  };

  Stack add_stack(const std::vector<FrameSpec>& frames);
  void add_core_classes();
  void root_classes();
  void ensure_segment();
  std::string file_name_of(std::string_view java_name) const;
  std::uint32_t reference_size() const;
  Id take_address(Id wanted, std::uint64_t bytes);
  std::uint64_t array_bytes(std::uint64_t count, std::uint64_t width) const;
  const ClassInfo& info(Id class_address) const;
  ClassInfo described(const ClassSpec& spec, Id super) const;
  std::size_t matching_value(const ClassInfo& owner, const FieldSpec& field,
                             const FieldValues& values, const std::vector<bool>& used) const;

  HeapOptions options_;
  HprofWriter writer_;
  std::map<std::string, Id, std::less<>> names_;
  std::map<Id, ClassInfo> classes_;
  std::map<std::string, Id, std::less<>> class_by_name_;
  Id next_name_ = 0x100;
  Id next_class_;
  Id next_object_;
  std::uint32_t next_class_serial_ = 1;
  std::uint32_t next_thread_serial_ = 1;
  std::uint32_t next_trace_serial_ = 2;
};

}  // namespace hprof::test
