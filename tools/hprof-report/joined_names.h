#pragma once

#include "formats/report/paths.h"

#include <string>
#include <string_view>
#include <vector>

namespace hprof {

// Names by which things of several dumps are taken for the same. What a JVM or a library makes up
// anew in each process stands as "*": the number of a proxy, the address of a hidden class.

/// "a.B$$Lambda/*" for "a.B$$Lambda$14/0x0000000800c03000"; other names as they are.
std::string joined_class_name(std::string_view name);

/// "pool-*-thread-*" for "pool-3-thread-17"; a number that tells threads of a kind apart stands as
/// "*", a port does not.
std::string joined_thread_name(std::string_view name);

/// A label without its address: "a.Loader" for "a.Loader @ 0x7f00", "java.lang.Thread main".
std::string without_address(std::string_view label);

/// without_address() with the class in it as joined_class_name gives it, unless `raw`.
std::string joined_label(std::string_view label, bool raw);

/// An object that is shown by its class: "class a.B" for a class object, else the name of its
/// class.
std::string joined_object(std::string_view label, std::string_view class_name, bool raw);

/// The package of a class or array class; in brackets what has none.
std::string package_of(std::string_view class_name);

/// The references of a path in one line, without addresses, indices and the links within lists and
/// trees of java.util; the last object's class stands at its end.
std::string joined_path(const std::vector<PathStep>& steps, bool raw);

}  // namespace hprof
