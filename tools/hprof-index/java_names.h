#pragma once

#include <string>
#include <string_view>

namespace hprof {

/// A class name of a dump in Java form: '/' becomes '.', "[[Ljava/lang/String;" becomes
/// "java.lang.String[][]",
/// "[B" becomes "byte[]". Names that already are in Java form (hprof agent, Android) stay as they
/// are.
std::string java_class_name(std::string_view raw);

/// "byte[]" and so on for an HPROF basic type.
std::string primitive_array_name(unsigned basic_type);

}  // namespace hprof
