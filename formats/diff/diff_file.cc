#include "formats/diff/diff_file.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/diff/diff_json.h"
#include "formats/diff/diff_markdown.h"

namespace hprof {

const std::vector<std::string>& diff_format_words() {
  static const std::vector<std::string> words{"md", "json"};
  return words;
}

ReportFormat diff_format(const std::string& choice, const std::string& output) {
  const ReportFormat format = report_format(choice, output);
  if (format != ReportFormat::markdown && format != ReportFormat::json) {
    fail(ExitCode::usage, printable(output),
         ": a comparison is written as Markdown or JSON; name the file .md or .json, or give the "
         "format with -f");
  }
  return format;
}

void write_diff(const HeapDiff& diff, ReportFormat format, const std::string& output) {
  TextOutput out(output);
  if (format == ReportFormat::json) {
    write_json(diff, out);
  } else {
    out.write(render_markdown(diff));
  }
  out.commit();
}

}  // namespace hprof
