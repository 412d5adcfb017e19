#pragma once

#include <nlohmann/json.hpp>

namespace hprof {

/// MAT counts a component's own class objects twice among its classes, so that their share may pass
/// 100 %, where by address the first of the set's top-level instances of java.lang.Class stands for
/// a primitive type, and never where that is a class object. This is the one place where our
/// figures are changed before they are compared: our row in `top`, the set's top consumers, is made
/// to do the same.
void count_class_objects_twice(const nlohmann::json& set, nlohmann::json& top);

}  // namespace hprof
