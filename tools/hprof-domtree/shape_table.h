#pragma once

#include "common/u64_map.h"
#include "formats/graph_file.h"

#include <cstdint>
#include <vector>

namespace hprof {

/// A class and a size that some objects have together.
struct Shape {
  std::uint32_t class_index = 0;
  bool has_class_objects = false;  ///< some of the objects are class objects
  std::uint64_t units = 0;         ///< shallow size in the heap's size units
};

/// Numbers the shapes, so that one number per object stands for class and size: types without
/// length have one shape each, the others one per length that occurs.
class ShapeTable {
 public:
  explicit ShapeTable(const GraphFile& file);

  /// Error(bad_data) for a size that is no multiple of the unit.
  std::uint32_t shape_of(const ObjectRow& row) {
    if (!types_[row.type].has_length()) {
      return row.type;
    }
    const std::uint64_t key = std::uint64_t{row.type} << 32U | row.length;
    const std::uint32_t known = row.length > kMostLength ? U64Map::kNone : numbers_.find(key);
    return known != U64Map::kNone ? known : add(row, key);
  }

  void set_has_class_objects(std::uint32_t shape) { shapes_[shape].has_class_objects = true; }
  const Shape& operator[](std::uint32_t shape) const { return shapes_[shape]; }

 private:
  static constexpr std::uint64_t kMostLength = 0xffffffffU;

  std::uint32_t add(const ObjectRow& row, std::uint64_t key);
  Shape make(std::uint32_t type, std::uint64_t shallow) const;

  const std::vector<GraphType>& types_;
  std::uint32_t size_unit_;
  std::vector<Shape> shapes_;
  U64Map numbers_;
};

}  // namespace hprof
