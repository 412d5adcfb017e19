#include "formats/report/md_paths.h"

#include "common/text.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/path_line.h"
#include "formats/report/report_words.h"
#include "formats/report/summary.h"
#include "formats/report/units.h"

namespace hprof {

std::string md_path_table(const std::vector<PathStep>& steps, std::uint64_t left_out,
                          std::uint64_t left_out_after, MarkdownStyle style) {
  const bool shared = !steps.empty() && steps.front().targets.has_value();
  std::vector<MarkdownTable::Column> columns{
      {"Reference"}, {"Object"}, {"Shallow Heap", Align::right}, {"Retained Heap", Align::right}};
  if (shared) {
    columns.push_back({"Paths", Align::right});
  }
  MarkdownTable table(columns);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto& step = steps[i];
    if (left_out != 0 && i == left_out_after) {
      std::vector<std::string> gap(columns.size());
      gap[1] = "… " + format_count(left_out, "object", "objects") + " left out …";
      table.row(gap);
    }
    std::vector<std::string> cells{
        md_cell(step.via == Via::root ? step.reference : reference_text(step)), md_cell(step.label),
        format_bytes(step.shallow), format_bytes(step.retained)};
    if (shared) {
      cells.push_back(step.targets ? grouped(*step.targets) : "");
    }
    table.row(std::move(cells), step.retained);
  }
  return table.text(style);
}

std::string md_path(const ReferencePath& path, MarkdownStyle style) {
  return md_code(path.line) + "\n\n" + (path.only_weak ? std::string(kOnlyWeakPath) + "\n\n" : "") +
         md_path_table(path.steps, path.left_out, path.left_out_after, style);
}

std::string md_holder(const Holder& holder) {
  return md_sentence(holder_sentence(holder));
}

std::string md_holder_cell(const Holder& holder) {
  std::string out;
  for (const auto& span : holder_sentence(holder)) {
    out += span.is_name ? md_cell(span.text) : md_text(span.text);
  }
  return out;
}

}  // namespace hprof
