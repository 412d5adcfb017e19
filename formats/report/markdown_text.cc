#include "formats/report/markdown_text.h"

#include "common/error.h"
#include "formats/report/characters.h"

#include <algorithm>
#include <cstdint>

namespace hprof {
namespace {

constexpr std::size_t kMaxTextCharacters = 2000;
constexpr std::size_t kMaxAlignedWidth = 100;

std::size_t longest_backticks(const std::string& content) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : content) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string fenced(const std::string& content) {
  const std::string fence(longest_backticks(content) + 1, '`');
  const bool edge = content.front() == '`' || content.back() == '`' || content.front() == ' ' ||
                    content.back() == ' ';
  const std::string pad = edge ? " " : "";
  return fence + pad + content + pad + fence;
}

enum class Place { text, cell, block };

std::string code_content(std::string_view name, Place place) {
  const bool in_cell = place == Place::cell;
  std::string content;
  for_each_character(
      name, kMaxNameCharacters, content, [&](std::string_view sequence, std::uint32_t value) {
        if (is_unseen(value) || (in_cell && value == '|' && content.ends_with('\\'))) {
          append_escape(content, value);
        } else if (in_cell && value == '|') {
          content += "\\|";
        } else {
          content += sequence;
        }
      });
  return content;
}

std::string code_span(std::string_view name, Place place) {
  const std::string content = code_content(name, place);
  return content.empty() ? std::string(kNoName) : fenced(content);
}

bool acts_in_markdown(std::uint32_t value) {
  constexpr std::string_view kActive = "\\`*_[]<>&|~$#@";
  return value < 0x80 && kActive.find(static_cast<char>(value)) != std::string_view::npos;
}

std::string padded(const std::string& cell, std::size_t width, Align align) {
  const std::string space = md_padding(cell, width);
  return align == Align::right ? space + cell : cell + space;
}

}  // namespace

std::string md_code(std::string_view name) {
  return code_span(name, Place::text);
}

std::string md_cell(std::string_view name) {
  return code_span(name, Place::cell);
}

std::string md_verbatim(std::string_view name) {
  return name.empty() ? std::string(kNoName) : code_content(name, Place::block);
}

std::string md_block(const std::string& lines) {
  const std::string fence(std::max<std::size_t>(3, longest_backticks(lines) + 1), '`');
  return fence + "\n" + lines + fence + "\n";
}

std::string md_joined(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const auto& part : parts) {
    out += (&part == &parts.front() ? "" : std::string(between)) + part;
  }
  return out;
}

std::size_t md_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

std::string md_padding(std::string_view text, std::size_t width) {
  const std::size_t used = md_width(text);
  std::string spaces(used < width ? width - used : 0, ' ');
  return spaces;
}

std::string md_text(std::string_view text) {
  std::string out;
  for_each_character(
      text, kMaxTextCharacters, out, [&](std::string_view sequence, std::uint32_t value) {
        const bool web_address = (value == '/' && out.ends_with(':')) ||
                                 (value == '.' && (out.ends_with("www") || out.ends_with("WWW")));
        if (is_unseen(value)) {
          out += '\\';
          append_escape(out, value);
        } else {
          if (acts_in_markdown(value) || web_address) {
            out += '\\';
          }
          out += sequence;
        }
      });
  return out;
}

void MarkdownTable::row(std::vector<std::string> cells, std::optional<std::uint64_t> amount) {
  check(cells.size() == columns_.size(), "a table row with a wrong number of cells");
  rows_.push_back({std::move(cells), amount});
}

std::string MarkdownTable::text(MarkdownStyle style) const {
  const bool drawn = style == MarkdownStyle::graphs &&
                     std::any_of(rows_.begin(), rows_.end(),
                                 [](const Row& row) { return row.amount.value_or(0) != 0; });
  return drawn ? with_bars().plain_text() : plain_text();
}

MarkdownTable MarkdownTable::with_bars() const {
  std::uint64_t largest = 0;
  for (const auto& row : rows_) {
    largest = std::max(largest, row.amount.value_or(0));
  }
  MarkdownTable drawn = *this;
  drawn.columns_.push_back({"Bar"});
  for (auto& row : drawn.rows_) {
    row.cells.push_back(text_bar(row.amount.value_or(0), largest));
  }
  return drawn;
}

std::string MarkdownTable::plain_text() const {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    std::size_t width = std::max<std::size_t>(4, md_width(columns_[column].title));
    for (const auto& row : rows_) {
      width = std::max(width, std::min(kMaxAlignedWidth, md_width(row.cells[column])));
    }
    widths.push_back(width);
  }
  std::string titles = "|";
  std::string rule = "|";
  for (std::size_t column = 0; column < columns_.size(); ++column) {
    const bool right = columns_[column].align == Align::right;
    titles += " " + padded(columns_[column].title, widths[column], columns_[column].align) + " |";
    rule += std::string(widths[column] + 1, '-') + (right ? ":|" : "-|");
  }
  std::string out = titles + "\n" + rule + "\n";
  for (const auto& row : rows_) {
    out += "|";
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      out += " " + padded(row.cells[column], widths[column], columns_[column].align) + " |";
    }
    out += "\n";
  }
  return out;
}

}  // namespace hprof
