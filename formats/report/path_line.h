#pragma once

#include "formats/report/paths.h"

#include <string>

namespace hprof {

/// The path in one line: "class demo.Cache.CACHE → java.util.HashMap.table → [17] → … → byte[9] @
/// 0x7f00".
std::string path_line(const ReferencePath& path);

/// How one reference is written in it: "demo.Cache.map", "class demo.Cache.CACHE", "[17]", "<Java
/// Local> demo.Main.run(Main.java:12)".
std::string reference_text(const PathStep& step);

}  // namespace hprof
