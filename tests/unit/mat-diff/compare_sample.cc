#include "tests/unit/mat-diff/compare_sample.h"

#include "tests/support/files.h"

namespace hprof::test {

using nlohmann::json;

MatExport read_pages(const Pages& overview, const Pages& suspects) {
  const TempFolder folder;
  write_exports(folder.path(), "app", overview, suspects, sample_components());
  return read_mat_export(folder / "app");
}

const MatExport& sample_export() {
  static const MatExport kSample = read_pages(sample_overview(), sample_suspects());
  return kSample;
}

Comparison compare_with(json report) {
  return compare(sample_export(), OurReport(std::move(report)));
}

/// "section: field" of every field of that tier.
std::set<std::string> fields_of(const Comparison& comparison, Tier tier) {
  std::set<std::string> names;
  for (const auto& field : comparison.fields) {
    if (field.verdict.tier == tier) {
      names.insert(field.section + ": " + field.name);
    }
  }
  return names;
}

std::string joined(const std::set<std::string>& names) {
  std::string out;
  for (const auto& name : names) {
    out += name + "\n";
  }
  return out;
}

json changed(const std::string& pointer, const json& value) {
  auto report = sample_report();
  report.at(json::json_pointer(pointer)) = value;
  return report;
}

json without(const std::string& pointer) {
  auto report = sample_report();
  const json::json_pointer path(pointer);
  auto& parent = report.at(path.parent_pointer());
  if (parent.is_array()) {
    parent.erase(std::stoul(path.back()));
  } else {
    parent.erase(path.back());
  }
  return report;
}

json swapped(const std::string& list, std::size_t i, std::size_t j) {
  auto report = sample_report();
  auto& rows = report.at(json::json_pointer(list));
  std::swap(rows.at(i), rows.at(j));
  return report;
}

}  // namespace hprof::test
