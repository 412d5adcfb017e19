#include "tools/hprof-index/java_names.h"

#include "formats/record_kind.h"

#include <algorithm>

namespace hprof {
namespace {

/// Descriptors of the primitive types, in the order of the HPROF basic types.
constexpr std::string_view kDescriptors = "ZCFDBSIJ";

std::string_view primitive_of_descriptor(char descriptor) {
  const auto at = kDescriptors.find(descriptor);
  return at == std::string_view::npos ? std::string_view()
                                      : primitive_name(kTypeBoolean + static_cast<unsigned>(at));
}

std::string dotted(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

}  // namespace

std::string java_class_name(std::string_view raw) {
  const std::size_t dimensions = std::min(raw.find_first_not_of('['), raw.size());
  std::string_view element = raw.substr(dimensions);
  if (dimensions == 0 || element.empty()) {
    return dotted(raw);
  }
  std::string out;
  if (element.size() == 1 && !primitive_of_descriptor(element[0]).empty()) {
    out = primitive_of_descriptor(element[0]);
  } else if (element.size() > 2 && element.front() == 'L' && element.back() == ';') {
    out = dotted(element.substr(1, element.size() - 2));
  } else {
    return dotted(raw);
  }
  for (std::size_t i = 0; i < dimensions; ++i) {
    out += "[]";
  }
  return out;
}

std::string primitive_array_name(unsigned basic_type) {
  return std::string(primitive_name(basic_type)) + "[]";
}

}  // namespace hprof
