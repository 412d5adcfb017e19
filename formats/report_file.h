#pragma once

#include "formats/report/report.h"
#include "formats/report/text_sink.h"

#include <memory>
#include <string>

namespace hprof {

enum class ReportFormat { markdown, markdown_graphs, json, html };

/// The format that `choice` (the value of -f, may be empty) or else the extension of `output`
/// names, in small or capital letters; Markdown without one. ".gz" after the extension is looked
/// through. Error(usage) for an extension that is none of these.
ReportFormat report_format(const std::string& choice, const std::string& output);

/// The words that -f takes.
const std::vector<std::string>& report_format_words();

/// Text on its way to a file, or to standard output when `path` is empty; gzipped when `path` ends
/// in .gz. Nothing is there before commit().
class TextOutput : public TextSink {
 public:
  explicit TextOutput(const std::string& path);
  TextOutput(const TextOutput&) = delete;
  TextOutput& operator=(const TextOutput&) = delete;
  ~TextOutput() override;

  void write(std::string_view text) override;
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Renders the report to `output` (empty: standard output).
void write_report(const Report& report, ReportFormat format, const std::string& output);

/// The JSON text of a report from a file, or from standard input for "-"; gzip is recognised by
/// content.
std::string read_report_text(const std::string& path);

/// Reads a report from a file, or from standard input for "-"; gzip is recognised by content.
Report read_report(const std::string& path);

}  // namespace hprof
