#pragma once

#include "formats/mat/mat_export.h"

#include <nlohmann/json.hpp>

namespace hprof {

/// MAT counts a component's own class objects twice among its classes in some dumps, in those seen
/// only those of <system class loader>, so that their share may pass 100 %. This is the one place
/// where our figures are changed before they are compared: where MAT's number of instances of
/// java.lang.Class is ours and once more the component's own class objects, our row in `top`, the
/// set's top consumers, is made to do the same. Every figure of the row must agree then, and all
/// other rows as they are.
void count_class_objects_twice(const MatComponent& mat, const nlohmann::json& set,
                               nlohmann::json& top);

}  // namespace hprof
