#include "formats/report/sections.h"

#include "common/error.h"
#include "common/text.h"

#include <algorithm>

namespace hprof {
namespace {

std::vector<std::string> split_at_commas(const std::string& list) {
  std::vector<std::string> words(1);
  for (const char c : list) {
    if (c == ',') {
      words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  return words;
}

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
  static const std::vector<SectionInfo> sections{
      {"summary", "Summary"},     {"triage", "OOM Triage"}, {"overview", "System Overview"},
      {"leaks", "Leak Suspects"}, {"top", "Top Consumers"}, {"unreachable", "Unreachable Objects"},
      {"glossary", "Glossary"},
  };
  return sections;
}

std::vector<std::string> parse_sections(const std::string& list) {
  const auto wanted = split_at_commas(list);
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
  const bool chosen = !report.sections || contains(*report.sections, id);
  const bool filled =
      (id != "triage" || report.triage) && (id != "unreachable" || report.unreachable);
  return chosen && filled;
}

}  // namespace hprof
