#pragma once

#include "formats/report/fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

struct CollectionSizeRow {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::uint64_t collections = 0;

  bool operator==(const CollectionSizeRow&) const = default;
  static constexpr auto kName = "CollectionSizeRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("least", self.least, "fewest elements in this row");
    visit("most", self.most, "most elements in this row");
    visit("collections", self.collections, "collections with so many elements");
  }
};

struct CollectionFillRow {
  std::uint64_t least_bp = 0;
  std::uint64_t most_bp = 0;
  std::uint64_t collections = 0;
  std::uint64_t slots = 0;

  bool operator==(const CollectionFillRow&) const = default;
  static constexpr auto kName = "CollectionFillRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("least_bp", self.least_bp, "smallest size ÷ capacity in basis points");
    visit("most_bp", self.most_bp, "largest size ÷ capacity in this row; more counts as 10000");
    visit("collections", self.collections, "collections with an array that is filled so far");
    visit("slots", self.slots, "slots of their arrays");
  }
};

struct CollectionClass {
  std::string class_name;
  Address class_address;
  std::string kind;
  std::uint64_t collections = 0;
  std::uint64_t empty = 0;
  std::uint64_t unknown_size = 0;
  std::uint64_t elements = 0;
  std::uint64_t largest = 0;
  std::uint64_t shallow = 0;
  std::vector<CollectionSizeRow> sizes;
  std::uint64_t arrays = 0;
  std::uint64_t array_shallow = 0;
  std::uint64_t slots = 0;
  std::vector<CollectionFillRow> fill;
  std::optional<std::uint64_t> bucket_entries;
  std::optional<std::uint64_t> used_buckets;
  std::optional<std::uint64_t> collision_bp;
  std::uint64_t empty_with_array = 0;
  std::uint64_t wasted_empty = 0;
  std::uint64_t over_capacity = 0;
  std::uint64_t wasted_capacity = 0;

  bool operator==(const CollectionClass&) const = default;
  static constexpr auto kName = "CollectionClass";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("class_address", self.class_address, "address of its class object");
    visit("kind", self.kind,
          "list, queue, deque, map, set, bag, multimap; view: only wraps another collection; part: "
          "holds storage of a collection");
    visit("collections", self.collections,
          "reachable instances, without those that only keep the elements of another collection "
          "(the map in a HashSet)");
    visit("empty", self.empty, "those without elements");
    visit("unknown_size", self.unknown_size, "those whose size cannot be told");
    visit("elements", self.elements, "elements of all together");
    visit("largest", self.largest, "most elements in one");
    visit("shallow", self.shallow,
          "bytes of the collection objects, the map in a HashSet included");
    visit("sizes", self.sizes, "by number of elements; only rows with collections");
    visit("arrays", self.arrays, "arrays with slots for elements; a shared one counts once");
    visit("array_shallow", self.array_shallow, "their bytes");
    visit("slots", self.slots, "their slots");
    visit("fill", self.fill, "by size ÷ capacity, where there is an array; only rows with any");
    visit("bucket_entries", self.bucket_entries,
          "elements in tables whose slots are heads of chains; absent: there are none");
    visit("used_buckets", self.used_buckets, "slots of these tables that are not null");
    visit("collision_bp", self.collision_bp,
          "elements that are not the first in their slot, (entries − used slots) ÷ entries, in "
          "basis points");
    visit("empty_with_array", self.empty_with_array, "empty ones that have an array with slots");
    visit("wasted_empty", self.wasted_empty, "bytes of these arrays");
    visit("over_capacity", self.over_capacity, "arrays that are longer than their elements need");
    visit("wasted_capacity", self.wasted_capacity, "bytes by which shorter ones would be smaller");
  }
};

/// Who holds a collection: the nearest object that is no part of another collection and through
/// which every path to it leads.
struct CollectionOwner {
  std::string field;
  std::optional<Address> address;
  bool nested = false;

  bool operator==(const CollectionOwner&) const = default;
  static constexpr auto kName = "CollectionOwner";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("field", self.field,
          "\"Class#field\", \"class Class.field\" of a static one, or in brackets what it is "
          "instead");
    visit("address", self.address, "address of the holder; absent: no object holds it alone");
    visit("nested", self.nested, "it lies within another collection or array in that field");
  }
};

struct BigCollection {
  Address address;
  std::string class_name;
  std::string label;
  std::string kind;
  std::optional<std::uint64_t> size;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;
  CollectionOwner owner;

  bool operator==(const BigCollection&) const = default;
  static constexpr auto kName = "BigCollection";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the collection");
    visit("class", self.class_name, "Java name of its class");
    visit("label", self.label, "how the object is named in text");
    visit("kind", self.kind, "what sort of collection it is");
    visit("size", self.size, "its elements; absent: not known");
    visit("shallow", self.shallow, "bytes of the object itself");
    visit("retained", self.retained, "its retained size in bytes");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
    visit("owner", self.owner, "who holds it");
  }
};

struct CollectionEntries {
  std::string class_name;
  Address class_address;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;

  bool operator==(const CollectionEntries&) const = default;
  static constexpr auto kName = "CollectionEntries";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of a class of entries or nodes of collections");
    visit("class_address", self.class_address, "address of its class object");
    visit("objects", self.objects, "reachable instances");
    visit("shallow", self.shallow, "their bytes");
  }
};

struct HeldContent {
  std::string class_name;
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;
  std::uint64_t share_bp = 0;

  bool operator==(const HeldContent&) const = default;
  static constexpr auto kName = "HeldContent";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class of keys, values, elements");
    visit("objects", self.objects, "objects of it that are held by these collections alone");
    visit("shallow", self.shallow, "their own bytes");
    visit("share_bp", self.share_bp,
          "share of all reachable objects of that class in basis points, rounded down");
  }
};

struct CollectionField {
  std::string field;
  std::uint64_t collections = 0;
  std::uint64_t empty = 0;
  std::uint64_t elements = 0;
  std::uint64_t retained = 0;
  std::uint64_t retained_bp = 0;
  std::uint64_t wasted = 0;
  std::vector<HeldContent> contents;

  bool operator==(const CollectionField&) const = default;
  static constexpr auto kName = "CollectionField";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("field", self.field, "as in the owner of a collection");
    visit("collections", self.collections, "collections in it, nested ones included");
    visit("empty", self.empty, "those without elements");
    visit("elements", self.elements, "elements of all together");
    visit("retained", self.retained,
          "bytes that the values of the field retain, without those within others of them");
    visit("retained_bp", self.retained_bp, "share of the used heap in basis points, rounded down");
    visit("wasted", self.wasted, "bytes of unneeded arrays in them");
    visit("contents", self.contents,
          "keys, values and elements that nothing but these collections keeps alive, by class, by "
          "descending number of objects; the first ones");
  }
};

/// Bytes that need not be there.
struct CollectionSavings {
  std::uint64_t total = 0;
  std::uint64_t total_bp = 0;
  std::uint64_t empty_arrays = 0;
  std::uint64_t empty_bytes = 0;
  std::uint64_t over_capacity_arrays = 0;
  std::uint64_t over_capacity_bytes = 0;

  bool operator==(const CollectionSavings&) const = default;
  static constexpr auto kName = "CollectionSavings";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("total", self.total, "bytes that can be saved, each counted once");
    visit("total_bp", self.total_bp, "share of the used heap in basis points, rounded down");
    visit("empty_arrays", self.empty_arrays, "arrays of collections without elements");
    visit("empty_bytes", self.empty_bytes, "their bytes");
    visit("over_capacity_arrays", self.over_capacity_arrays,
          "arrays that are longer than their elements need");
    visit("over_capacity_bytes", self.over_capacity_bytes,
          "bytes by which shorter ones would be smaller");
  }
};

/// Collections of the libraries that the rule file knows.
struct Collections {
  std::uint64_t collections = 0;
  std::uint64_t empty = 0;
  std::uint64_t elements = 0;
  std::uint64_t shallow = 0;
  CollectionSavings savings;
  std::vector<CollectionClass> classes;
  std::vector<CollectionEntries> entries;
  std::vector<BigCollection> biggest;
  std::optional<std::vector<CollectionField>> by_field;

  bool operator==(const Collections&) const = default;
  static constexpr auto kName = "Collections";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("collections", self.collections, "reachable collections, views and parts left out");
    visit("empty", self.empty, "those without elements");
    visit("elements", self.elements, "elements of all together");
    visit("shallow", self.shallow, "bytes of these objects, their parts and their arrays");
    visit("savings", self.savings, "what could be saved");
    visit("classes", self.classes, "by descending bytes of objects and arrays");
    visit("entries", self.entries, "objects between collections and elements, by class");
    visit("biggest", self.biggest, "by descending retained size; the first ones");
    visit("by_field", self.by_field,
          "by the field that holds them, by descending retained size, the first ones; absent: "
          "not asked for with --collections");
  }
};

}  // namespace hprof
