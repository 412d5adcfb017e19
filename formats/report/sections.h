#pragma once

#include "formats/report/report.h"

#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// A section of the report: `id` for --sections and for links, `title` as its heading, and whether
/// a report has anything to show in it (nullptr: every report has).
struct SectionInfo {
  std::string_view id;
  std::string_view title;
  bool (*is_filled)(const Report& report);
};

/// All sections in the order in which every format shows them.
const std::vector<SectionInfo>& report_sections();

/// The ids in a comma-separated LIST, in the order of the report; Error(usage) names the known
/// ones.
std::vector<std::string> parse_sections(const std::string& list);

/// Whether a view of the report shows the section.
bool shows_section(const Report& report, std::string_view id);

}  // namespace hprof
