#include "tools/hprof-index/oddities.h"

#include "common/concat.h"
#include "common/text.h"
#include "tools/hprof-index/class_table.h"

#include <algorithm>
#include <cstdint>

namespace hprof {
namespace {

/// Classes that records name and nothing describes; not those of other VMs' dumps that only we
/// need.
std::uint64_t unknown_classes(const HeapIndex& index) {
  return static_cast<std::uint64_t>(
      std::count_if(index.classes.begin(), index.classes.end(), [&](const ClassInfo& info) {
        return info.faked && index.names[info.name].starts_with(kUnknownClass);
      }));
}

/// Classes whose name the dump does not have.
std::uint64_t nameless_classes(const HeapIndex& index) {
  return static_cast<std::uint64_t>(
      std::count_if(index.classes.begin(), index.classes.end(), [&](const ClassInfo& info) {
        const auto name = index.names[info.name];
        return name.starts_with(kUnresolvedName) || name.starts_with(kUnknownName);
      }));
}

}  // namespace

void warn_of_oddities(const std::string& name, const HeapIndex& index, const Steps& steps) {
  if (const auto records = index.summary.duplicate_ids; records != 0) {
    steps.warn(concat(name, ": ",
                      format_count(records, "record has the id of an earlier object and is",
                                   "records have the id of an earlier object and are"),
                      " not used"));
  }
  if (const auto classes = unknown_classes(index); classes != 0) {
    steps.warn(concat(name, ": ",
                      format_count(classes, "class is used but not described; what it has",
                                   "classes are used but not described; what they have"),
                      " of names, fields and sizes is made up"));
  }
  if (const auto classes = nameless_classes(index); classes != 0) {
    steps.warn(
        concat(name, ": the dump does not have the ",
               classes == 1 ? "name of 1 class" : concat("names of ", grouped(classes), " classes"),
               "; addresses stand for ", classes == 1 ? "it" : "them"));
  }
}

}  // namespace hprof
