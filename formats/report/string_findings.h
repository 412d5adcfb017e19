#pragma once

#include "formats/report/fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// Strings whose arrays have a length within bounds.
struct StringLengthRow {
  std::uint64_t at_least = 0;
  std::uint64_t at_most = 0;
  std::uint64_t strings = 0;
  std::uint64_t arrays = 0;
  std::uint64_t array_shallow = 0;

  bool operator==(const StringLengthRow&) const = default;
  static constexpr auto kName = "StringLengthRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("at_least", self.at_least, "shortest array of the row, in elements");
    visit("at_most", self.at_most, "longest");
    visit("strings", self.strings, "Strings over such arrays");
    visit("arrays", self.arrays, "these arrays, each once");
    visit("array_shallow", self.array_shallow, "sum of their shallow sizes in bytes");
  }
};

/// A String with one of the longest arrays.
struct LongString {
  Address address;
  Address array_address;
  std::uint64_t length = 0;
  std::uint64_t array_shallow = 0;

  bool operator==(const LongString&) const = default;
  static constexpr auto kName = "LongString";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the String with the lowest address over the array");
    visit("array_address", self.array_address, "address of the array");
    visit("length", self.length, "elements of the array");
    visit("array_shallow", self.array_shallow, "shallow size of the array in bytes");
  }
};

/// Arrays of a class that no String has.
struct LooseArrayRow {
  std::string class_name;
  std::uint64_t arrays = 0;
  std::uint64_t shallow = 0;

  bool operator==(const LooseArrayRow&) const = default;
  static constexpr auto kName = "LooseArrayRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "byte[] or char[]");
    visit("arrays", self.arrays, "arrays that are under no String");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
  }
};

/// What the headers of objects of one kind take.
struct HeaderRow {
  std::string kind;
  std::uint64_t objects = 0;
  std::uint64_t header = 0;
  std::uint64_t bytes = 0;
  std::uint64_t share_bp = 0;

  bool operator==(const HeaderRow&) const = default;
  static constexpr auto kName = "HeaderRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind, "instances, object arrays, primitive arrays or class objects");
    visit("objects", self.objects, "number of objects");
    visit("header", self.header, "bytes of one header, an array's length included");
    visit("bytes", self.bytes, "bytes of all their headers");
    visit("share_bp", self.share_bp, "share of the used heap in basis points");
  }
};

/// A field, static field or array class that references Strings or arrays.
struct TextHolder {
  std::string holder;
  std::uint64_t references = 0;
  std::uint64_t held_alone = 0;
  std::uint64_t retained = 0;

  bool operator==(const TextHolder&) const = default;
  static constexpr auto kName = "TextHolder";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("holder", self.holder,
          "Class#field, \"class Class.field\" for a static field, or the class of an array");
    visit("references", self.references, "references from there");
    visit("held_alone", self.held_alone,
          "objects that only the object with this field holds, each counted once");
    visit("retained", self.retained, "bytes that these retain");
  }
};

/// Equal texts.
struct DuplicateStringRow {
  Address address;
  std::string hash;
  std::uint64_t length = 0;
  std::uint64_t strings = 0;
  std::uint64_t arrays = 0;
  std::uint64_t deduplication_saves = 0;
  std::uint64_t interning_saves = 0;
  std::optional<std::string> text;
  std::vector<TextHolder> holders;

  bool operator==(const DuplicateStringRow&) const = default;
  static constexpr auto kName = "DuplicateStringRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of one of the Strings");
    visit(
        "hash", self.hash,
        "hash of the text; tells texts apart, does not tell the text; empty where the Strings have "
        "one array, which no other equals");
    visit("length", self.length, "UTF-16 characters");
    visit("strings", self.strings, "Strings with this text");
    visit("arrays", self.arrays, "arrays that they have");
    visit("deduplication_saves", self.deduplication_saves,
          "bytes of the arrays but one, which sharing one array saves");
    visit("interning_saves", self.interning_saves,
          "the same and the Strings but one, which sharing one String saves");
    visit("text", self.text, "beginning of the text; only with --show-values");
    visit("holders", self.holders, "who references these Strings, by descending references");
  }
};

/// Equal texts in the whole heap.
struct StringDuplicates {
  std::uint64_t values = 0;
  std::uint64_t duplicated_values = 0;
  std::uint64_t surplus_strings = 0;
  std::uint64_t surplus_string_shallow = 0;
  std::uint64_t surplus_arrays = 0;
  std::uint64_t surplus_array_shallow = 0;
  std::vector<DuplicateStringRow> top;

  bool operator==(const StringDuplicates&) const = default;
  static constexpr auto kName = "StringDuplicates";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("values", self.values, "different texts");
    visit("duplicated_values", self.duplicated_values, "texts that more than one String has");
    visit("surplus_strings", self.surplus_strings, "Strings beyond the first of each text");
    visit("surplus_string_shallow", self.surplus_string_shallow,
          "their shallow sizes in bytes, without arrays");
    visit("surplus_arrays", self.surplus_arrays, "arrays of Strings beyond the first of each text");
    visit("surplus_array_shallow", self.surplus_array_shallow, "their shallow sizes in bytes");
    visit("top", self.top, "by descending interning_saves");
  }
};

/// Primitive arrays of one class by content.
struct ArrayContentRow {
  std::string class_name;
  std::uint64_t arrays = 0;
  std::uint64_t shallow = 0;
  std::uint64_t contents = 0;
  std::uint64_t duplicated_contents = 0;
  std::uint64_t surplus_arrays = 0;
  std::uint64_t surplus_shallow = 0;

  bool operator==(const ArrayContentRow&) const = default;
  static constexpr auto kName = "ArrayContentRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the array class");
    visit("arrays", self.arrays, "reachable arrays");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("contents", self.contents, "different contents");
    visit("duplicated_contents", self.duplicated_contents, "contents that more than one array has");
    visit("surplus_arrays", self.surplus_arrays, "arrays beyond the first of each content");
    visit("surplus_shallow", self.surplus_shallow, "their shallow sizes in bytes");
  }
};

/// Equal arrays, those under Strings left out.
struct DuplicateArrayRow {
  Address address;
  std::string class_name;
  std::string hash;
  std::uint64_t length = 0;
  std::uint64_t arrays = 0;
  std::uint64_t saves = 0;
  std::vector<TextHolder> holders;

  bool operator==(const DuplicateArrayRow&) const = default;
  static constexpr auto kName = "DuplicateArrayRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of one of the arrays");
    visit("class", self.class_name, "Java name of their class");
    visit("hash", self.hash, "hash of the content");
    visit("length", self.length, "elements");
    visit("arrays", self.arrays, "equal arrays that are under no String");
    visit("saves", self.saves, "bytes of those that are surplus");
    visit("holders", self.holders, "who references these arrays, by descending references");
  }
};

/// Equal primitive arrays in the whole heap, and how it was made sure that they are equal.
struct ArrayDuplicates {
  std::vector<ArrayContentRow> by_class;
  std::uint64_t loose_surplus_arrays = 0;
  std::uint64_t loose_surplus_shallow = 0;
  std::uint64_t compared_by_bytes = 0;
  std::uint64_t compared_by_digest = 0;
  std::uint64_t hash_collisions = 0;
  std::uint64_t without_content = 0;
  std::vector<DuplicateArrayRow> top;

  bool operator==(const ArrayDuplicates&) const = default;
  static constexpr auto kName = "ArrayDuplicates";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit(
        "by_class", self.by_class,
        "all reachable primitive arrays, those under Strings included; by descending shallow size");
    visit("loose_surplus_arrays", self.loose_surplus_arrays,
          "surplus arrays that are under no String");
    visit("loose_surplus_shallow", self.loose_surplus_shallow, "their shallow sizes in bytes");
    visit("compared_by_bytes", self.compared_by_bytes,
          "arrays with equal hashes that were compared byte by byte");
    visit("compared_by_digest", self.compared_by_digest,
          "arrays with equal hashes that were compared by further hashes of 128 bits");
    visit("hash_collisions", self.hash_collisions,
          "arrays with equal hashes that turned out to differ; not counted as duplicates");
    visit("without_content", self.without_content, "arrays whose elements the dump leaves out");
    visit("top", self.top, "by descending saves");
  }
};

/// Objects of a class that wraps one primitive value.
struct BoxRow {
  std::string class_name;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t values = 0;
  std::uint64_t surplus_instances = 0;
  std::uint64_t surplus_shallow = 0;
  std::uint64_t cached = 0;
  std::uint64_t bypassing_cache = 0;
  std::uint64_t bypassing_cache_shallow = 0;

  bool operator==(const BoxRow&) const = default;
  static constexpr auto kName = "BoxRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("instances", self.instances, "reachable instances");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes");
    visit("values", self.values, "different values");
    visit("surplus_instances", self.surplus_instances, "instances beyond the first of each value");
    visit("surplus_shallow", self.surplus_shallow, "their shallow sizes in bytes");
    visit("cached", self.cached, "instances that are the JVM's own cached ones");
    visit("bypassing_cache", self.bypassing_cache,
          "other instances with a value that valueOf() takes from the cache; part of the surplus");
    visit("bypassing_cache_shallow", self.bypassing_cache_shallow, "their shallow sizes in bytes");
  }
};

/// An array of which Strings use only part (JDK 6 and before).
struct SlicedArrayRow {
  Address address;
  std::uint64_t length = 0;
  std::uint64_t strings = 0;
  std::uint64_t longest = 0;
  std::uint64_t wasted = 0;

  bool operator==(const SlicedArrayRow&) const = default;
  static constexpr auto kName = "SlicedArrayRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the array");
    visit("length", self.length, "elements of the array");
    visit("strings", self.strings, "Strings over it");
    visit("longest", self.longest, "characters of the longest");
    visit("wasted", self.wasted, "bytes of elements that no String uses");
  }
};

/// Arrays that substrings keep alive (JDK 6 and before).
struct SlicedArrays {
  std::uint64_t arrays = 0;
  std::uint64_t wasted = 0;
  std::vector<SlicedArrayRow> top;

  bool operator==(const SlicedArrays&) const = default;
  static constexpr auto kName = "SlicedArrays";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("arrays", self.arrays, "arrays of which Strings use only part");
    visit("wasted", self.wasted, "bytes of elements that no String uses");
    visit("top", self.top, "by descending waste");
  }
};

/// What removing duplicates would save; no byte is in two of these.
struct DuplicateSavings {
  std::uint64_t string_arrays = 0;
  std::uint64_t string_objects = 0;
  std::uint64_t other_arrays = 0;
  std::uint64_t boxed_numbers = 0;
  std::uint64_t total = 0;
  std::uint64_t total_bp = 0;

  bool operator==(const DuplicateSavings&) const = default;
  static constexpr auto kName = "DuplicateSavings";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("string_arrays", self.string_arrays, "bytes of arrays that String deduplication saves");
    visit("string_objects", self.string_objects, "bytes of Strings that interning saves on top");
    visit("other_arrays", self.other_arrays, "bytes of other equal primitive arrays but one each");
    visit("boxed_numbers", self.boxed_numbers, "bytes of equal boxed values but one each");
    visit("total", self.total, "sum of these");
    visit("total_bp", self.total_bp, "its share of the used heap in basis points");
  }
};

/// Strings, primitive arrays by content, boxed numbers, headers; all reachable ones.
struct Strings {
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t arrays = 0;
  std::uint64_t array_shallow = 0;
  std::uint64_t without_array = 0;
  std::uint64_t sharing_array = 0;
  std::vector<StringLengthRow> lengths;
  std::vector<LongString> longest;
  std::vector<LooseArrayRow> loose_arrays;
  std::vector<HeaderRow> headers;
  std::optional<DuplicateSavings> savings;
  std::optional<StringDuplicates> duplicates;
  std::optional<std::vector<TextHolder>> holders;
  std::optional<SlicedArrays> slices;
  std::optional<ArrayDuplicates> array_duplicates;
  std::optional<std::vector<BoxRow>> boxes;

  bool operator==(const Strings&) const = default;
  static constexpr auto kName = "Strings";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("instances", self.instances, "reachable instances of java.lang.String");
    visit("shallow", self.shallow, "sum of their shallow sizes in bytes, without arrays");
    visit("arrays", self.arrays, "arrays under them, each once");
    visit("array_shallow", self.array_shallow, "sum of the arrays' shallow sizes in bytes");
    visit("without_array", self.without_array, "Strings that have no array");
    visit("sharing_array", self.sharing_array,
          "Strings over an array that a String with a lower address has already");
    visit("lengths", self.lengths, "by length of the array");
    visit("longest", self.longest, "Strings over the longest arrays, by descending length");
    visit("loose_arrays", self.loose_arrays, "byte[] and char[] that are under no String");
    visit("headers", self.headers, "what object headers take, by kind of object");
    duplicate_fields(self, visit);
  }

 private:
  template <typename Self, typename Visitor>
  static void duplicate_fields(Self& self, Visitor& visit) {
    visit("savings", self.savings,
          "what removing duplicates would save; this and all below only with --find-duplicates");
    visit("duplicates", self.duplicates, "Strings by text");
    visit("holders", self.holders, "who holds Strings, by descending retained size");
    visit("slices", self.slices,
          "arrays of which Strings use only part; only where Strings have an offset");
    visit("array_duplicates", self.array_duplicates, "primitive arrays by content");
    visit("boxes", self.boxes, "boxed numbers, by descending shallow size");
  }
};

}  // namespace hprof
