// System properties by key. A report masks what looks like a secret unless it is told not to; a
// masked value cannot be compared.
#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/section_log.h"

namespace hprof {
namespace {

using nlohmann::json;

bool is_true(const json& row, const char* key) {
  const auto member = row.find(key);
  return member != row.end() && member->is_boolean() && member->get<bool>();
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
  for (const auto& property : mat.rows) {
    const auto found = ours.find(property.name);
    if (found == ours.end()) {
      log.missing(property.name, property.value);
      continue;
    }
    if (is_true(*found->second, "masked")) {
      ++masked;
    } else {
      log.printed_text(property.name, text_of(*found->second, "value"), property.value);
    }
    ours.erase(found);
  }
  log.skip("masked values", masked, "our report was made without --show-secrets");
  for (const auto& [key, row] : ours) {
    if (mat.entries == mat.rows.size() && !is_true(*row, "is_default")) {
      log.extra(key, text_of(*row, "value").value_or("(no value)"));
    }
  }
}

}  // namespace hprof
