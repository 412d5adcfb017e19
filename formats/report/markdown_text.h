#pragma once

#include "formats/report/text_graphs.h"

#include <cstdint>
#include <optional>
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

/// A name as it stands in a fenced block, with what cannot be seen made visible.
std::string md_verbatim(std::string_view name);

/// A fenced block around lines of text, each ended; the fence outlives the backticks in it.
std::string md_block(const std::string& lines);

/// Parts of a sentence with something between them.
std::string md_joined(const std::vector<std::string>& parts, std::string_view between);

/// The number of characters of a text.
std::size_t md_width(std::string_view text);

/// Spaces that fill a text up to a width in characters.
std::string md_padding(std::string_view text, std::size_t width);

enum class Align { left, right };

/// A table whose source is aligned as well, for people who read the file as it is. With graphs, a
/// table whose rows have amounts gets a last column of bars for them.
class MarkdownTable {
 public:
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit MarkdownTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  /// One cell per column, already Markdown; `amount` is what one of them says, for its bar.
  void row(std::vector<std::string> cells, std::optional<std::uint64_t> amount = std::nullopt);
  std::string text(MarkdownStyle style = MarkdownStyle::plain) const;

 private:
  struct Row {
    std::vector<std::string> cells;
    std::optional<std::uint64_t> amount;
  };

  MarkdownTable with_bars() const;
  std::string plain_text() const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

}  // namespace hprof
