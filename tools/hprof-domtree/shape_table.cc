#include "tools/hprof-domtree/shape_table.h"

namespace hprof {

ShapeTable::ShapeTable(const GraphFile& file)
    : types_(file.types()), size_unit_(file.summary().size_unit) {
  for (std::uint32_t type = 0; type < types_.size(); ++type) {
    shapes_.push_back(types_[type].has_length() ? Shape{} : make(type, types_[type].base));
  }
}

std::uint32_t ShapeTable::add(const ObjectRow& row, std::uint64_t key) {
  if (row.length > kMostLength) {
    throw_unplaced("an object is impossibly long");
  }
  shapes_.push_back(make(row.type, row.shallow));
  return numbers_.insert(key, static_cast<std::uint32_t>(shapes_.size() - 1));
}

Shape ShapeTable::make(std::uint32_t type, std::uint64_t shallow) const {
  if (shallow % size_unit_ != 0) {
    throw_unplaced("a size is no multiple of the graph file's unit");
  }
  return {.class_index = types_[type].class_index.value(), .units = shallow / size_unit_};
}

}  // namespace hprof
