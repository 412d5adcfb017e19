#include "formats/diff_file.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/diff/diff_json.h"
#include "formats/diff/diff_markdown.h"
#include "formats/html/html_diff.h"

namespace hprof {

const std::vector<std::string>& diff_format_words() {
  static const std::vector<std::string> words{"md", "json", "html"};
  return words;
}

ReportFormat diff_format(const std::string& choice, const std::string& output) {
  const ReportFormat format = report_format(choice, output);
  if (format == ReportFormat::markdown_graphs) {
    fail(ExitCode::usage, printable(output),
         ": a comparison is written as Markdown, JSON or HTML; name the file .md, .json or .html, "
         "or give the format with -f");
  }
  return format;
}

void write_diff(const HeapDiff& diff, ReportFormat format, const std::string& output) {
  TextOutput out(output);
  if (format == ReportFormat::json) {
    write_json(diff, out);
  } else if (format == ReportFormat::html) {
    out.write(render_html(diff));
  } else {
    out.write(render_markdown(diff));
  }
  out.commit();
}

}  // namespace hprof
