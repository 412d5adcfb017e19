#include "formats/report/sections.h"

#include "common/comma_list.h"
#include "common/error.h"
#include "common/text.h"

#include <algorithm>

namespace hprof {
namespace {

std::string known_sections() {
  std::string known;
  for (const auto& section : report_sections()) {
    known += (known.empty() ? "" : ",") + std::string(section.id);
  }
  return known;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

const std::vector<SectionInfo>& report_sections() {
  // clang-format off
  static const std::vector<SectionInfo> sections{
      {"summary", "Summary", nullptr},
      {"triage", "OOM Triage", [](const Report& r) { return r.triage.has_value(); }},
      {"overview", "System Overview", nullptr},
      {"leaks", "Leak Suspects", nullptr},
      {"top", "Top Consumers", nullptr},
      {"dominators", "Dominators", [](const Report& r) { return r.dominators.has_value(); }},
      {"threads", "Threads", [](const Report& r) { return r.threads.has_value(); }},
      {"components", "Components", [](const Report& r) { return r.components.has_value(); }},
      {"collections", "Arrays and Collections", [](const Report& r) { return r.arrays.has_value(); }},
      {"strings", "Strings and Duplicates", [](const Report& r) { return r.strings.has_value(); }},
      {"references", "References", [](const Report& r) { return r.references.has_value(); }},
      {"unreachable", "Unreachable Objects", [](const Report& r) { return r.unreachable.has_value(); }},
      {"allocation_sites", "Allocation Sites", [](const Report& r) { return r.allocation_sites.has_value(); }},
      {"glossary", "Glossary", nullptr},
  };
  // clang-format on
  return sections;
}

std::vector<std::string> parse_sections(const std::string& list) {
  const auto wanted = comma_list(list);
  if (wanted.empty()) {
    fail(ExitCode::usage, "--sections names no section; choose from ", known_sections());
  }
  std::vector<std::string> chosen;
  for (const auto& section : report_sections()) {
    if (contains(wanted, section.id)) {
      chosen.emplace_back(section.id);
    }
  }
  for (const auto& word : wanted) {
    if (!contains(chosen, word)) {
      fail(ExitCode::usage, "--sections: there is no section \"", printable(word),
           "\"; choose from ", known_sections());
    }
  }
  return chosen;
}

bool shows_section(const Report& report, std::string_view id) {
  const auto& all = report_sections();
  const auto section =
      std::find_if(all.begin(), all.end(), [&](const SectionInfo& info) { return info.id == id; });
  const bool chosen = !report.sections || contains(*report.sections, id);
  return chosen && section != all.end() &&
         (section->is_filled == nullptr || section->is_filled(report));
}

}  // namespace hprof
