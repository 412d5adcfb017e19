#pragma once

#include "common/strong_index.h"

namespace hprof {

/// Row of the object table: objects of the dump in address order; 0 is the pseudo object at address
/// 0.
using ObjectIndex = StrongIndex<struct ObjectTag>;
/// Row of the class table, ascending by address of the class object.
using ClassIndex = StrongIndex<struct ClassTag>;
/// Row of the type table: a class together with a record kind.
using TypeIndex = StrongIndex<struct TypeTag>;
/// Row of the name table.
using NameIndex = StrongIndex<struct NameTag>;

/// Most objects that fit: the last index value means "none".
inline constexpr std::uint64_t kMostObjects = 0xfffffffeULL;

}  // namespace hprof
