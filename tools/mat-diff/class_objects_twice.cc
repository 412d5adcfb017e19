#include "tools/mat-diff/class_objects_twice.h"

#include "tools/mat-diff/our_report.h"

#include <algorithm>

namespace hprof {
namespace {

using nlohmann::json;

constexpr const char* kClassClass = "java.lang.Class";

}  // namespace

void count_class_objects_twice(const json& set, json& top) {
  const auto rows = top.find("biggest_classes");
  const auto* const first = member(set, "primitive_class_first");
  const auto* const twice = member(set, "top_class_objects");
  if (first == nullptr || *first != true || rows == top.end() || !rows->is_array() ||
      twice == nullptr) {
    return;
  }
  const auto ours = std::find_if(rows->begin(), rows->end(), [&](const json& row) {
    return text_of(row, "class") == kClassClass;
  });
  if (ours == rows->end()) {
    return;
  }
  for (const char* key : {"instances", "shallow", "retained"}) {
    (*ours)[key] = count_of(*ours, key).value_or(0) + count_of(*twice, key).value_or(0);
  }
  ours->erase("retained_bp");
  (*ours)["above_threshold"] =
      count_of(*ours, "retained").value_or(0) > count_of(set, "shallow").value_or(0) / 100;
  std::stable_sort(rows->begin(), rows->end(), [](const json& a, const json& b) {
    return count_of(a, "retained").value_or(0) > count_of(b, "retained").value_or(0);
  });
}

}  // namespace hprof
