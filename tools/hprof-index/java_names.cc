#include "tools/hprof-index/java_names.h"

#include "formats/record_kind.h"

#include <algorithm>

namespace hprof {
namespace {

std::string_view primitive_name(unsigned basic_type) {
  switch (basic_type) {
    case kTypeBoolean:
      return "boolean";
    case kTypeChar:
      return "char";
    case kTypeFloat:
      return "float";
    case kTypeDouble:
      return "double";
    case kTypeByte:
      return "byte";
    case kTypeShort:
      return "short";
    case kTypeInt:
      return "int";
    case kTypeLong:
      return "long";
    default:
      return "";
  }
}

std::string_view primitive_of_descriptor(char descriptor) {
  switch (descriptor) {
    case 'Z':
      return primitive_name(kTypeBoolean);
    case 'C':
      return primitive_name(kTypeChar);
    case 'F':
      return primitive_name(kTypeFloat);
    case 'D':
      return primitive_name(kTypeDouble);
    case 'B':
      return primitive_name(kTypeByte);
    case 'S':
      return primitive_name(kTypeShort);
    case 'I':
      return primitive_name(kTypeInt);
    case 'J':
      return primitive_name(kTypeLong);
    default:
      return "";
  }
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
