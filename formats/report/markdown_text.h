#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hprof {

// Names come from the dump and may hold anything: pipes, backticks, line ends, HTML, bidirectional
// controls, 70 kB of text. These functions make them harmless; what cannot be seen is shown as
// \uXXXX, what is very long is cut with "…" (the JSON has it whole).

/// A code span for running text.
std::string md_code(std::string_view name);

/// A code span for a table cell, in which a pipe needs more care.
std::string md_cell(std::string_view name);

/// Plain text with every character escaped that Markdown, HTML or a mathematics extension would act
/// on.
std::string md_text(std::string_view text);

enum class Align { left, right };

/// A table whose source is aligned as well, for people who read the file as it is.
class MarkdownTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit MarkdownTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell per column, already Markdown.
  void row(std::vector<std::string> cells);
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace hprof
