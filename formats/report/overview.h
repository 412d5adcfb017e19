#pragma once

#include "common/input_file.h"
#include "formats/report/android.h"
#include "formats/report/class_loaders.h"
#include "formats/report/fields.h"
#include "formats/report/heap_layout.h"
#include "formats/report/impossible_size.h"
#include "formats/report/jvm.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// GC roots that have exactly these kinds; the rows of the table do not overlap, and what several
/// roots keep together is in none.
struct RootTypeRow {
  std::string root_type;
  std::uint64_t count = 0;
  std::uint64_t retained = 0;

  bool operator==(const RootTypeRow&) const = default;
  static constexpr auto kName = "RootTypeRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("root_type", self.root_type,
          "kind of GC root; several kinds of one object are joined by \", \"");
    visit("count", self.count, "objects that are GC roots of exactly these kinds");
    visit("retained", self.retained, "sum of the bytes that each of these objects retains alone");
  }
};

/// Objects of one kind of heap record.
struct CompositionRow {
  std::string kind;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;

  bool operator==(const CompositionRow&) const = default;
  static constexpr auto kName = "CompositionRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind, "instances, object arrays, primitive arrays or class objects");
    visit("objects", self.objects, "number of objects");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
  }
};

/// One kind of record of the dump file.
struct CensusRow {
  std::string record;
  std::uint64_t tag = 0;
  bool heap_record = false;
  std::uint64_t count = 0;
  std::optional<std::uint64_t> bytes;

  bool operator==(const CensusRow&) const = default;
  static constexpr auto kName = "CensusRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("record", self.record, "name of the record kind");
    visit("tag", self.tag, "its tag in the file");
    visit("heap_record", self.heap_record, "true for records inside a heap dump segment");
    visit("count", self.count, "how many there are");
    visit("bytes", self.bytes, "bytes of their bodies, for top-level records");
  }
};

/// A class of the heap with its reachable instances.
struct HistogramRow {
  std::string class_name;
  Address class_address;
  Address loader_address;
  std::string loader_label;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t max_instance_shallow = 0;
  std::optional<std::uint64_t> native;

  bool operator==(const HistogramRow&) const = default;
  static constexpr auto kName = "HistogramRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("class_address", self.class_address, "address of the class object");
    visit("loader_address", self.loader_address,
          "address of the class loader; 0x0 is the boot loader");
    visit("loader_label", self.loader_label, "the class loader's class and address");
    visit("instances", self.instances, "reachable direct instances");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit(
        "retained", self.retained,
        "what the class object and the instances retain, added up in bytes, nothing counted twice");
    visit("max_instance_shallow", self.max_instance_shallow,
          "shallow size in bytes of the largest instance");
    visit("native", self.native,
          "bytes outside the heap that the instances own by Android's NativeAllocationRegistry; "
          "absent: none");
  }
};

/// A class with its unreachable instances.
struct UnreachableRow {
  std::string class_name;
  Address class_address;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;

  bool operator==(const UnreachableRow&) const = default;
  static constexpr auto kName = "UnreachableRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("class_address", self.class_address, "address of the class object");
    visit("instances", self.instances, "unreachable direct instances");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
  }
};

/// A stretch of a damaged dump.
struct DamageRow {
  std::string kind;
  std::uint64_t position = 0;
  std::uint64_t lost = 0;
  std::string what;

  bool operator==(const DamageRow&) const = default;
  static constexpr auto kName = "DamageRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind,
          "cut, garbled, zeros, packing (gzip), length (of a heap record) or unfinished (the dump "
          "goes on in another file); the last two lose nothing");
    visit("position", self.position, "byte of the inflated dump where it begins");
    visit("lost", self.lost, "bytes that are not used");
    visit("what", self.what, "the record, and what is wrong with it");
  }
};

/// How much of a damaged dump the report covers.
struct Coverage {
  std::uint64_t bytes = 0;
  std::uint64_t bytes_used = 0;
  std::optional<std::uint64_t> bytes_of_others;
  std::uint64_t heap_records_used = 0;
  std::uint64_t places = 0;
  std::optional<bool> ends_early;
  std::vector<DamageRow> damage;

  bool operator==(const Coverage&) const = default;
  static constexpr auto kName = "Coverage";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("bytes", self.bytes, "of the inflated dump, as far as it could be read");
    visit("bytes_used", self.bytes_used, "of these, bytes in records that are whole");
    visit("bytes_of_others", self.bytes_of_others,
          "of these, bytes in other heap dumps of the file; absent: none");
    visit("heap_records_used", self.heap_records_used, "records inside heap dump segments");
    visit("places", self.places, "number of damaged places");
    visit("ends_early", self.ends_early,
          "true: the file ends inside a record or before the dump's end; absent: it does not, or "
          "its packing is damaged");
    visit("damage", self.damage, "the first of them");
  }
};

/// The heap as a whole. Everything counts reachable objects only, unless its name says otherwise.
struct Overview {
  std::string file_path;
  std::string file_name;
  std::uint64_t file_size = 0;
  std::string format;
  std::uint64_t identifier_size_bits = 0;
  bool compressed_oops = false;
  std::uint64_t object_alignment = 0;
  std::uint64_t dump_creation_ms = 0;
  std::uint64_t dump_number = 1;
  std::uint64_t dumps_in_file = 1;
  std::optional<std::string> jvm_version;
  std::optional<Coverage> coverage;
  std::optional<JvmFacts> jvm;
  std::optional<std::vector<SystemProperty>> system_properties;
  std::optional<std::uint64_t> unnamed_properties;
  std::uint64_t total_objects = 0;
  std::uint64_t total_shallow = 0;
  std::uint64_t gc_roots = 0;
  std::uint64_t classes_loaded = 0;
  std::uint64_t classloaders_loaded = 0;
  std::uint64_t unreachable_count = 0;
  std::uint64_t unreachable_shallow = 0;
  std::uint64_t all_objects = 0;
  std::uint64_t all_shallow = 0;
  std::string size_model;
  std::optional<HeapLayout> heap_layout;
  std::optional<ImpossibleSize> impossible_size;
  std::optional<std::uint64_t> used_heap_mat;
  std::optional<std::uint64_t> used_heap_hotspot;
  std::optional<std::uint64_t> native_bytes;
  std::optional<std::vector<AndroidHeap>> android_heaps;
  std::optional<NameMapping> mapping;
  std::string root_policy;
  std::optional<std::string> reference_policy;
  std::optional<std::uint64_t> roots_left_out;
  std::uint64_t dangling_references = 0;
  std::uint64_t dangling_roots = 0;
  std::uint64_t lost_locals = 0;
  std::uint64_t duplicate_ids = 0;
  std::uint64_t fake_classes = 0;
  std::vector<RootTypeRow> gc_roots_by_type;
  std::optional<std::uint64_t> held_by_several_roots;
  std::vector<CompositionRow> heap_composition;
  std::vector<CensusRow> record_census;
  std::vector<HistogramRow> histogram;
  std::vector<UnreachableRow> unreachable_histogram;
  std::optional<std::vector<ClassLoaderRow>> class_loaders;
  std::optional<std::uint64_t> duplicate_class_names;
  std::optional<std::vector<DuplicateClass>> duplicate_classes;

  bool operator==(const Overview&) const = default;
  static constexpr auto kName = "Overview";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    file_fields(self, visit);
    total_fields(self, visit);
    table_fields(self, visit);
  }

 private:
  template <typename Self, typename Visitor>
  static void file_fields(Self& self, Visitor& visit) {
    visit("file_path", self.file_path,
          "path of the dump as it was given; the file's name where it is not known");
    visit("file_name", self.file_name, "last part of the path");
    visit("file_size", self.file_size, "bytes of the file");
    visit("format", self.format, "format line of the file, e.g. JAVA PROFILE 1.0.2");
    visit("identifier_size_bits", self.identifier_size_bits, "width of an object id in the file");
    visit("compressed_oops", self.compressed_oops,
          "references in the heap are narrower than ids in the file");
    visit("object_alignment", self.object_alignment, "bytes to which objects are aligned");
    visit("dump_creation_ms", self.dump_creation_ms,
          "when the dump was taken, milliseconds since 1970 UTC");
    visit("dump_number", self.dump_number, "which heap of the file this is, from 1");
    visit("dumps_in_file", self.dumps_in_file, "how many heaps the file holds");
    visit("jvm_version", self.jvm_version,
          "as java -version says it, line by line, as far as the heap holds it");
    visit("coverage", self.coverage, "what of a damaged dump is used; absent: all of it");
    visit("jvm", self.jvm, "what the heap holds about the JVM");
    visit("system_properties", self.system_properties,
          "properties of java.lang.System by key, where the heap holds them");
    visit("unnamed_properties", self.unnamed_properties,
          "properties of which the dump lacks the name; absent: none");
  }

  template <typename Self, typename Visitor>
  static void total_fields(Self& self, Visitor& visit) {
    visit("total_objects", self.total_objects, "reachable objects");
    visit("total_shallow", self.total_shallow,
          "sum of their shallow sizes in bytes: the used heap");
    visit("gc_roots", self.gc_roots, "distinct objects that are GC roots");
    visit("classes_loaded", self.classes_loaded, "reachable class objects");
    visit("classloaders_loaded", self.classloaders_loaded,
          "class loaders, the boot loader included");
    visit("unreachable_count", self.unreachable_count, "objects that no GC root reaches");
    visit("unreachable_shallow", self.unreachable_shallow, "sum of their shallow sizes in bytes");
    visit("all_objects", self.all_objects, "reachable and unreachable objects");
    visit("all_shallow", self.all_shallow, "sum of their shallow sizes in bytes");
    visit("size_model", self.size_model,
          "how shallow sizes were worked out: mat, dumped or hotspot");
    visit("heap_layout", self.heap_layout,
          "how the JVM lays out objects; absent: the dump does not tell");
    visit(
        "impossible_size", self.impossible_size,
        "a class that seems to take much and cannot; absent: none was found, or sizes do not come "
        "from the dump");
    visit("used_heap_mat", self.used_heap_mat,
          "the used heap by MAT's sizes; absent: only one figure is known, or both are the same");
    visit("used_heap_hotspot", self.used_heap_hotspot, "the used heap by the JVM's own sizes");
    visit(
        "native_bytes", self.native_bytes,
        "bytes outside the heap that reachable objects own by Android's NativeAllocationRegistry; "
        "absent: the heap knows of none");
    visit("android_heaps", self.android_heaps,
          "the heaps of an Android process, by descending size; absent: the dump tells none");
    visit("mapping", self.mapping, "what --mapping did; absent: names are as in the dump");
    visit("root_policy", self.root_policy,
          "dump: the GC roots are the dump's; fallback: it names no system class, so the boot "
          "loader's were added; strict: without VM-internal and interned-string roots");
    visit("reference_policy", self.reference_policy,
          "strong: soft, weak, final and phantom references were not followed, so what they alone "
          "hold counts as unreachable; absent: all references are followed");
    visit("roots_left_out", self.roots_left_out,
          "root records that --roots strict left out; absent: it was not asked for");
    visit("dangling_references", self.dangling_references,
          "references to ids that are no objects; dropped");
    visit("dangling_roots", self.dangling_roots, "GC roots whose id is no object; dropped");
    visit("lost_locals", self.lost_locals, "locals of threads that are no objects; dropped");
    visit("duplicate_ids", self.duplicate_ids, "records whose id an earlier record has; dropped");
    visit("fake_classes", self.fake_classes, "classes that the dump uses but does not describe");
  }

  template <typename Self, typename Visitor>
  static void table_fields(Self& self, Visitor& visit) {
    visit("gc_roots_by_type", self.gc_roots_by_type, "by descending count");
    visit("held_by_several_roots", self.held_by_several_roots,
          "bytes that several GC roots keep alive together, of one kind or not: the rest of the "
          "used heap");
    visit("heap_composition", self.heap_composition, "by kind of object");
    visit("record_census", self.record_census, "records of the file by tag");
    visit("histogram", self.histogram,
          "one row per reachable class object, by descending retained size");
    visit("unreachable_histogram", self.unreachable_histogram, "by descending shallow size");
    visit("class_loaders", self.class_loaders,
          "by descending retained size; all of them are counted in classloaders_loaded");
    visit("duplicate_class_names", self.duplicate_class_names,
          "names that several class loaders have defined a class of");
    visit("duplicate_classes", self.duplicate_classes, "by descending number of loaders");
  }
};

}  // namespace hprof
