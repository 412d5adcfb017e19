#pragma once

#include "formats/domtree_file.h"
#include "formats/graph_writer.h"
#include "formats/heap_index.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hprof::test {

/// A small heap in a test's words, written as the three stage files. Everything is named by its
/// address; dominators, retained sizes and class totals are worked out the slow way from the
/// definitions. java.lang.Object, java.lang.Class and java.lang.ClassLoader are there from the
/// start.
class HeapFixture {
 public:
  HeapFixture();

  struct ClassSpec {
    std::string super = "java.lang.Object";
    std::uint64_t loader = 0;
    std::vector<std::uint64_t> statics = {};
    std::uint64_t instance_size = 16;
  };
  /// A class by its Java name; arrays end in "[]". The class object has the size of its statics, 8
  /// bytes each.
  void add_class(std::uint64_t address, const std::string& name, ClassSpec spec);
  void add_class(std::uint64_t address, const std::string& name) {
    add_class(address, name, ClassSpec());
  }
  /// An instance, or an array of `length` elements (16 bytes and 8 per reference or 1 per byte).
  void add(std::uint64_t address, const std::string& class_name,
           std::vector<std::uint64_t> references = {}, std::uint64_t length = 0);
  /// Marks the reference at this position among the object's as excluded.
  void exclude(std::uint64_t source, std::uint32_t position) {
    excluded_.emplace_back(source, position);
  }
  void root(std::uint64_t address, std::uint8_t tag) { roots_.emplace_back(address, tag); }

  struct Paths {
    std::string index;
    std::string graph;
    std::string domtree;
  };
  /// Writes `name`.index, .graph and .domtree.
  Paths write(const std::string& stem) const;

 private:
  struct ClassEntry {
    std::uint64_t address;
    std::string name;
    ClassSpec spec;
  };
  struct ObjectEntry {
    std::uint32_t class_row = 0;
    RecordKind kind = RecordKind::instance;
    std::uint64_t length = 0;
    std::vector<std::uint64_t> references;
  };
  /// What the stage files are written from.
  struct Laid {
    HeapIndex index;
    std::vector<GraphType> types;
    std::vector<std::uint32_t> type_of;
    std::vector<std::uint64_t> shallow;
    std::vector<std::vector<std::uint32_t>> references;
    std::vector<std::uint32_t> roots;
    std::vector<std::uint32_t> dominators;
    std::vector<std::uint64_t> retained;
  };

  std::uint32_t class_row(const std::string& name) const;
  std::map<std::uint64_t, ObjectEntry> objects() const;
  Laid lay_out() const;
  void lay_out_index(Laid& laid, const std::map<std::uint64_t, ObjectEntry>& objects) const;
  void lay_out_objects(Laid& laid, const std::map<std::uint64_t, ObjectEntry>& objects) const;
  static std::vector<bool> reached_without(const Laid& laid, std::uint32_t removed);
  static void find_dominators(Laid& laid);
  static void sum_retained(Laid& laid);
  static std::vector<ClassTotal> class_totals(const Laid& laid);
  static DepthTotals depth_totals(const Laid& laid);

  std::vector<ClassEntry> classes_;
  std::map<std::uint64_t, std::pair<std::string, ObjectEntry>> objects_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> excluded_;
  std::vector<std::pair<std::uint64_t, std::uint8_t>> roots_;
};

}  // namespace hprof::test
