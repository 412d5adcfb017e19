#pragma once

#include "formats/report/fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

struct ArrayLengthRow {
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  std::uint64_t object_arrays = 0;
  std::uint64_t object_shallow = 0;
  std::uint64_t primitive_arrays = 0;
  std::uint64_t primitive_shallow = 0;

  bool operator==(const ArrayLengthRow&) const = default;
  static constexpr auto kName = "ArrayLengthRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("least", self.least, "fewest elements in this row");
    visit("most", self.most, "most elements in this row");
    visit("object_arrays", self.object_arrays, "arrays of references of such a length");
    visit("object_shallow", self.object_shallow, "their bytes");
    visit("primitive_arrays", self.primitive_arrays, "arrays of numbers of such a length");
    visit("primitive_shallow", self.primitive_shallow, "their bytes");
  }
};

struct ArrayFillRow {
  std::uint64_t least_bp = 0;
  std::uint64_t most_bp = 0;
  std::uint64_t arrays = 0;
  std::uint64_t slots = 0;
  std::uint64_t used_slots = 0;
  std::uint64_t shallow = 0;
  std::uint64_t unused_bytes = 0;

  bool operator==(const ArrayFillRow&) const = default;
  static constexpr auto kName = "ArrayFillRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("least_bp", self.least_bp, "smallest share of slots that are not null, in basis points");
    visit("most_bp", self.most_bp, "largest such share in this row");
    visit("arrays", self.arrays, "object arrays with elements in this row");
    visit("slots", self.slots, "their elements, null or not");
    visit("used_slots", self.used_slots, "their elements that are not null");
    visit("shallow", self.shallow, "their bytes");
    visit("unused_bytes", self.unused_bytes, "bytes of the elements that are null");
  }
};

struct ArrayClassRow {
  std::string class_name;
  Address class_address;
  std::uint64_t arrays = 0;
  std::uint64_t shallow = 0;

  bool operator==(const ArrayClassRow&) const = default;
  static constexpr auto kName = "ArrayClassRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the array class");
    visit("class_address", self.class_address, "address of its class object");
    visit("arrays", self.arrays, "arrays of this kind");
    visit("shallow", self.shallow, "their bytes");
  }
};

struct ConstantArrays {
  std::string class_name;
  std::uint64_t arrays = 0;
  std::uint64_t shallow = 0;
  std::uint64_t zero_arrays = 0;
  std::uint64_t zero_shallow = 0;

  bool operator==(const ConstantArrays&) const = default;
  static constexpr auto kName = "ConstantArrays";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the array class");
    visit("arrays", self.arrays, "arrays of two elements or more, all equal");
    visit("shallow", self.shallow, "their bytes");
    visit("zero_arrays", self.zero_arrays, "those of them with nothing but zeros");
    visit("zero_shallow", self.zero_shallow, "their bytes");
  }
};

struct ArrayRow {
  Address address;
  std::string class_name;
  std::string label;
  std::uint64_t length = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;

  bool operator==(const ArrayRow&) const = default;
  static constexpr auto kName = "ArrayRow";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("address", self.address, "address of the array");
    visit("class", self.class_name, "Java name of its class");
    visit("label", self.label, "how the array is named in text");
    visit("length", self.length, "its elements");
    visit("shallow", self.shallow, "its bytes");
    visit("retained", self.retained, "its retained size in bytes");
  }
};

/// Arrays by length and content.
struct Arrays {
  std::uint64_t object_arrays = 0;
  std::uint64_t object_shallow = 0;
  std::uint64_t primitive_arrays = 0;
  std::uint64_t primitive_shallow = 0;
  std::uint64_t zero_length = 0;
  std::uint64_t zero_length_shallow = 0;
  std::vector<ArrayLengthRow> lengths;
  std::vector<ArrayClassRow> zero_length_classes;
  std::vector<ArrayRow> biggest;
  std::optional<std::vector<ArrayFillRow>> fill;
  std::optional<std::vector<ConstantArrays>> constant;
  std::optional<std::vector<ArrayRow>> biggest_constant;

  bool operator==(const Arrays&) const = default;
  static constexpr auto kName = "Arrays";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("object_arrays", self.object_arrays, "arrays of references");
    visit("object_shallow", self.object_shallow, "their bytes");
    visit("primitive_arrays", self.primitive_arrays, "arrays of numbers, characters, booleans");
    visit("primitive_shallow", self.primitive_shallow, "their bytes");
    visit("zero_length", self.zero_length, "arrays of either sort without elements");
    visit("zero_length_shallow", self.zero_length_shallow, "their bytes");
    visit("lengths", self.lengths, "by number of elements; only rows with arrays");
    visit("zero_length_classes", self.zero_length_classes,
          "arrays without elements by class, by descending bytes; the first ones");
    visit("biggest", self.biggest, "by descending bytes; the first ones");
    visit("fill", self.fill,
          "object arrays by the share of elements that are not null; only rows with arrays; "
          "absent: the dump was not there");
    visit("constant", self.constant,
          "primitive arrays whose elements are all equal, by class; absent: the dump was not "
          "there");
    visit("biggest_constant", self.biggest_constant,
          "those of them with most bytes; absent: the dump was not there");
  }
};

}  // namespace hprof
