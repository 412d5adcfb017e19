#pragma once

#include "tests/bench/heap_stream.h"
#include "tests/bench/random.h"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof::bench {

/// A field as "name:T" with T as in a Java descriptor: L for any reference, Z B C S I J F D.
using FieldList = std::vector<std::string>;

struct ClassSpec {
  std::string name;  ///< as the JVM writes it, "java/lang/String" or "[B"
  std::string super = "java/lang/Object";
  FieldList fields = {};
  std::vector<std::pair<std::string, Address>> statics = {};  ///< of type Object
  Address loader = 0;
  bool in_archive =
      false;  ///< the class object lies in front of the heap, as with class-data sharing
};

/// The classes of the JDK that the profiles use.
struct JdkClasses {
  Layout object, class_loader, app_loader, string, thread, integer, long_number, hash_map, map_node,
      array_list;
  Address objects_array = 0;  ///< class of Object[]
  Address nodes_array = 0;    ///< class of HashMap.Node[]
};

/// A heap in the order of a HotSpot dump: names, classes, threads, class dumps, objects, roots.
/// Define classes, then begin(), then write objects, then finish().
class Heap {
 public:
  Heap(const std::string& path, std::uint64_t seed);

  Layout define(const ClassSpec& spec);
  const JdkClasses& jdk() const { return jdk_; }
  /// Class loader of the application's classes.
  Address app_loader() const { return app_loader_; }

  /// Stack traces of `threads` threads besides main, each with that many frames.
  void plan_threads(std::uint32_t threads, std::uint32_t frames);
  /// Takes an address for an object that a static field names; only before begin().
  Address reserve(const Layout& layout) { return out_.take(layout.heap_bytes); }
  /// Writes everything in front of the objects, and the few objects that every JVM has.
  void begin();

  HeapStream& out() { return out_; }
  Random& random() { return random_; }
  std::uint64_t objects() const { return out_.objects(); }

  Address string(std::uint32_t length);
  Address integer(std::uint32_t value);
  Address long_number(std::uint64_t value);
  /// An ArrayList with these elements and some room behind them.
  Address array_list(const std::vector<Address>& elements);
  /// The first fields of a ClassLoader instance; those of a subclass stand before them in the
  /// record.
  void loader_fields(Address name);
  /// A java.lang.Thread with its name; planned threads count from 1.
  Address thread(std::uint32_t number);
  /// Makes `object` a local of a thread in one of its frames, counted from the innermost.
  void local(std::uint32_t thread_number, std::uint32_t frame, Address object);

  /// Roots: the threads, the locals, the classes of the boot loader. `held` become locals of main.
  void finish(const std::vector<Address>& held);

 private:
  struct ClassInfo {
    ClassSpec spec;
    Layout layout;
    std::uint32_t own_bytes = 0;
  };
  struct Local {
    Address object;
    std::uint32_t thread;
    std::uint32_t frame;
  };

  void define_jdk();
  Address name(const std::string& text);
  void write_threads();
  void write_class(const ClassInfo& info);
  void write_prologue();

  HeapStream out_;
  Random random_;
  std::vector<ClassInfo> classes_;
  std::map<std::string, std::size_t, std::less<>> class_numbers_;
  std::map<std::string, Address, std::less<>> names_;
  JdkClasses jdk_;
  Address archive_;
  Address app_loader_ = 0;
  Address integer_cache_ = 0;
  std::uint32_t planned_threads_ = 0;
  std::uint32_t frames_per_thread_ = 0;
  std::vector<Address> threads_;
  std::vector<Local> locals_;
};

}  // namespace hprof::bench
