#pragma once

#include "formats/report/paths.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace hprof {

/// Whether a class belongs to the JDK: to java.*, javax.*, sun.*, jdk.* or com.sun.*, or an array
/// of such or of primitives.
bool is_platform_class(std::string_view name);

/// Static fields that hold the keys of ThreadLocal entries on paths, by the entry's address.
struct ThreadLocalKey {
  std::string class_name;
  std::string field;
};
using ThreadLocalKeys = std::map<std::uint64_t, ThreadLocalKey>;

/// What keeps the end of a path alive, in a programmer's terms.
struct PathHolders {
  std::optional<Holder> holder;  ///< see Suspect
  std::optional<Holder> anchor;
};
PathHolders find_path_holders(const ReferencePath& path, const ThreadLocalKeys& keys);

/// A reference of a path that says something, and the number of the step that it leads to.
struct PlacedHolder {
  std::size_t step = 0;
  Holder holder;
};
/// The one nearest to the beginning: a static field, a local, a thread-local or a field that a
/// class outside the JDK declares; without one any field.
std::optional<PlacedHolder> first_path_holder(const ReferencePath& path,
                                              const ThreadLocalKeys& keys);

}  // namespace hprof
