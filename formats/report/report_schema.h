#pragma once

#include <string>

namespace hprof {

/// The JSON Schema (draft 2020-12) of the report, made from the same field lists that read and
/// write it.
std::string report_schema();

}  // namespace hprof
