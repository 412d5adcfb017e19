// The first screen: the verdict, six figures, the suspects; then the triage rules.
#include "common/text.h"
#include "formats/report/caveats.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kWhole = 10'000;

std::string share_bar(std::uint64_t share_bp, MarkdownStyle style) {
  return style == MarkdownStyle::plain || share_bp == 0
             ? ""
             : " `" + text_bar(std::min(share_bp, kWhole), kWhole) + "`";
}

std::string suspect_list(const Report& report, MarkdownStyle style) {
  const auto& suspects = report.leaks.suspects;
  const std::size_t shown = std::min(suspects.size(), kSummarySuspects);
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& suspect = suspects[i];
    const bool single = suspect.kind == SuspectKind::single;
    out += std::to_string(i + 1) + ". " + md_code(single ? suspect.label : suspect.class_name) +
           ": " + format_bytes(suspect.retained) + " (" + format_share(suspect.retained_bp) + ")" +
           (single ? "" : ", " + format_count(suspect.instances, "instance", "instances")) +
           share_bar(suspect.retained_bp, style) + "\n";
  }
  if (suspects.size() > shown) {
    out += "\n" + format_count(suspects.size() - shown, "more is", "more are") + " in " +
           md_section_link(report, "leaks") + ".\n";
  }
  return out.empty() ? "" : "\nSuspects:\n\n" + out;
}

std::string not_covered(const Report& report) {
  std::string out;
  if (report.not_covered) {
    for (const auto& row : *report.not_covered) {
      out += "- " + md_section_link(report, row.section) + ": " + md_text(row.reason) + ".\n";
    }
  }
  return out.empty() ? "" : "\nNot covered:\n\n" + out;
}

}  // namespace

std::string md_summary(const Report& report, MarkdownStyle style) {
  MarkdownTable table({{"Figure"}, {"Value"}});
  for (const auto& figure : key_figures(report)) {
    table.row({figure.title, figure.value});
  }
  return md_sentence(verdict(report)) + "\n\n" + table.text() + suspect_list(report, style) +
         not_covered(report);
}

std::string md_triage(const Report& report, MarkdownStyle /*style*/) {
  std::string out;
  for (const auto& finding : report.triage->findings) {
    out += "- **" + md_text(finding.title) + "** (" + std::string(word_of(finding.severity)) +
           "): " + md_sentence(finding_sentence(finding)) + " See " +
           md_section_link(report, finding.section) + ".\n";
  }
  return out.empty() ? as_far_as_read(report.complete, "No rule has anything to say.\n") : out;
}

}  // namespace hprof
