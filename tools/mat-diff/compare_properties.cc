// System properties by key. A report masks what looks like a secret unless it is told not to; a
// masked value cannot be compared.
#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/section_log.h"

namespace hprof {
namespace {

using nlohmann::json;

/// What MAT prints for a text that the dump lacks.
constexpr const char* kNull = "<null>";

bool is_true(const json& row, const char* key) {
  const auto member = row.find(key);
  return member != row.end() && member->is_boolean() && member->get<bool>();
}

/// False where our value is masked.
bool compare_value(const MatProperty& mat, const json& ours, SectionLog& log) {
  if (is_true(ours, "masked")) {
    return false;
  }
  log.printed_text(mat.name, text_of(ours, "value").value_or(kNull), mat.value);
  return true;
}

}  // namespace

void compare_system_properties(const Sides& sides, Comparison& result) {
  if (!sides.mat.system_properties) {
    return;
  }
  const auto& mat = *sides.mat.system_properties;
  SectionLog log(result, "system_properties");
  if (sides.ours.leaves_out("overview")) {
    log.skip("properties", mat.rows.size(), "our report was made without the dump's texts");
    return;
  }
  auto ours = sides.ours.rows_by("overview.system_properties", "key");
  std::uint64_t masked = 0;
  std::uint64_t unnamed = 0;
  for (const auto& property : mat.rows) {
    const auto found = ours.find(property.name);
    if (property.name == kNull) {
      ++unnamed;
    } else if (found == ours.end()) {
      log.missing(property.name, property.value);
    } else {
      masked += compare_value(property, *found->second, log) ? 0 : 1;
      ours.erase(found);
    }
  }
  log.figure("unnamed", sides.ours.count("overview.unnamed_properties").value_or(0),
             exact_figure(unnamed));
  log.skip("masked values", masked, "our report was made without --show-secrets");
  for (const auto& [key, row] : ours) {
    if (mat.entries == mat.rows.size() && !is_true(*row, "is_default")) {
      log.extra(key, text_of(*row, "value").value_or("(no value)"));
    }
  }
}

}  // namespace hprof
