#include "formats/html/html_body.h"

#include "common/text.h"
#include "formats/html/html_text.h"
#include "formats/report/derived.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

std::string slug(std::string_view title) {
  std::string out;
  for (const char c : title) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool kept = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (kept) {
      out += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!out.empty() && out.back() != '-') {
      out += '-';
    }
  }
  return out;
}

bool is_figure(CellKind kind) {
  return kind == CellKind::count || kind == CellKind::bytes || kind == CellKind::share ||
         kind == CellKind::time || kind == CellKind::tag || kind == CellKind::plain;
}

std::string attribute(std::string_view name, std::string_view value) {
  return value.empty() ? "" : " " + std::string(name) + R"(=")" + html_attribute(value) + R"(")";
}

/// data-v has the number that the JSON has; the tooltip tells it to people where it is rounded.
std::string exact(CellKind kind, std::uint64_t number) {
  const std::string tooltip =
      kind == CellKind::bytes && number >= 1024 ? grouped(number) + " bytes" : "";
  return R"( data-v=")" + std::to_string(number) + R"(")" + attribute("title", tooltip);
}

std::string item_text(const ListItem& item) {
  return (item.count ? " × " + grouped(*item.count) : "") +
         (item.share_bp ? " (" + format_share(*item.share_bp) + ")" : "");
}

}  // namespace

std::string figure_text(CellKind kind, std::uint64_t number) {
  switch (kind) {
    case CellKind::bytes:
      return format_bytes(number);
    case CellKind::share:
      return format_share(number);
    case CellKind::time:
      return format_time(number);
    case CellKind::tag:
      return hex_address(number);
    case CellKind::plain:
      return std::to_string(number);
    default:
      return grouped(number);
  }
}

std::string bar_class(std::uint64_t amount, std::uint64_t largest) {
  if (amount == 0 || largest == 0) {
    return "";
  }
  const auto part = std::max<std::uint64_t>(1, share_bp(std::min(amount, largest), largest) / 100);
  return " b" + std::to_string(part);
}

void HtmlBody::text(std::string_view text) {
  out_ += html_text(text);
}

void HtmlBody::code(std::string_view name) {
  out_ += "<code>" + html_text(shown_name(name)) + "</code>";
}

void HtmlBody::sentence(const Sentence& sentence) {
  for (const auto& span : sentence) {
    if (span.is_name) {
      code(span.text);
    } else {
      text(span.text);
    }
  }
}

void HtmlBody::paragraph(const Sentence& words, std::string_view css_class) {
  out_ += "<p" + attribute("class", css_class) + ">";
  sentence(words);
  out_ += "</p>\n";
}

void HtmlBody::note(std::string_view text) {
  paragraph({{std::string(text), false}}, "note");
}

void HtmlBody::link(const std::string& fragment, std::string_view text) {
  out_ += R"(<a href="#)" + html_fragment(fragment) + R"(">)" + html_text(text) + "</a>";
}

void HtmlBody::begin_section(const std::string& id, std::string_view title) {
  section_ = id;
  ids_.insert(id);
  out_ += R"(<section id=")" + html_fragment(id) + R"(" aria-labelledby=")" + html_fragment(id) +
          "-title\">\n<h2 id=\"" + html_fragment(id) + R"(-title">)" + html_text(title) + "</h2>\n";
}

void HtmlBody::end_section() {
  out_ += "</section>\n";
}

void HtmlBody::heading(unsigned level, std::string_view title) {
  heading(level, title, section_ + "-" + slug(title));
}

void HtmlBody::heading(unsigned level, std::string_view title, const std::string& id) {
  const auto tag = "h" + std::to_string(level);
  out_ += "<" + tag;
  unique_id(id);
  out_ += ">" + html_text(title) + "</" + tag + ">\n";
}

void HtmlBody::unique_id(const std::string& id) {
  if (ids_.insert(id).second) {
    out_ += R"( id=")" + html_fragment(id) + R"(")";
  }
}

void HtmlBody::object(std::string_view label, Address address) {
  if (address.value == 0) {
    code(label);
    return;
  }
  const auto id = "obj-" + hex_address(address.value);
  out_ += "<code><a";
  unique_id(id);
  out_ +=
      R"( href="#)" + html_fragment(id) + R"(">)" + html_text(shown_name(label)) + "</a></code>";
}

void HtmlBody::class_link(std::string_view name, Address address) {
  if (!classes_.contains(address.value)) {
    code(name);
    return;
  }
  out_ += "<code>";
  link("class-" + hex_address(address.value), shown_name(name));
  out_ += "</code>";
}

void HtmlBody::card_link(Address address) {
  const auto id = "obj-" + hex_address(address.value);
  out_ += R"(<a class="card")";
  unique_id(id);
  out_ += R"( href="#)" + html_fragment(id) + R"(">)" + hex_address(address.value) + "</a>";
}

void HtmlBody::figure(CellKind kind, std::uint64_t number, std::string_view field,
                      std::uint64_t largest) {
  out_ += R"(<span class="n)" + bar_class(number, largest) + R"(")" + attribute("data-f", field) +
          exact(kind, number) + ">" + figure_text(kind, number) + "</span>";
}

void HtmlBody::cell_content(const ColumnInfo& info, const CellValue& value) {
  if (is_figure(info.kind)) {
    out_ += figure_text(info.kind, value.number);
  } else if (info.kind == CellKind::range) {
    out_ += range_text(value.number, value.last);
  } else if (info.kind == CellKind::fill) {
    out_ += fill_text(value.number, !info.more.empty());
  } else if (info.kind == CellKind::text) {
    text(value.text.empty() ? "" : shown_name(value.text));
  } else if (info.kind == CellKind::class_name && value.address) {
    class_link(value.text, *value.address);
  } else if (value.address) {
    object(info.kind == CellKind::address ? hex_address(value.address->value) : value.text,
           *value.address);
  } else if (info.kind == CellKind::list) {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      out_ += i == 0 ? "" : ", ";
      code(value.items[i].name);
      text(item_text(value.items[i]));
    }
  } else {
    code(value.text);
  }
}

void HtmlBody::cell(const ColumnInfo& info, const CellValue& value, std::uint64_t largest) {
  if (!value.present) {
    out_ += "<td></td>";
    return;
  }
  const bool figure = is_figure(info.kind);
  const bool ranged = info.kind == CellKind::range || info.kind == CellKind::fill;
  const std::string css_class =
      (figure || ranged ? "n" : "") + (info.bar ? bar_class(value.number, largest) : "");
  out_ +=
      "<td" + attribute("class", css_class) + (figure ? exact(info.kind, value.number) : "") + ">";
  cell_content(info, value);
  out_ += "</td>";
}

void HtmlBody::table_head(const TableRows& rows) {
  out_ += "<thead><tr>";
  if (rows.numbered) {
    out_ += R"(<th scope="col" class="n" data-k="number">#</th>)";
  }
  for (const auto& column : rows.columns) {
    const bool numeric = is_figure(column.kind) || column.kind == CellKind::range;
    out_ += R"(<th scope="col")" + attribute("class", numeric ? "n" : "") +
            attribute("data-k", word_of(column.kind)) + attribute("data-f", column.field) +
            attribute("data-g", column.more) + (column.bar ? R"( data-bar="1")" : "") +
            attribute("title", column.help) + ">" + html_text(column.title) + "</th>";
  }
  out_ += "</tr></thead>\n";
}

void HtmlBody::table(const TableRows& rows) {
  std::vector<std::uint64_t> largest(rows.columns.size());
  for (std::size_t column = 0; column < rows.columns.size(); ++column) {
    for (std::size_t row = 0; rows.columns[column].bar && row < rows.count; ++row) {
      largest[column] = std::max(largest[column], rows.value(row, column).number);
    }
  }
  const std::size_t shown = std::min(rows.count, kMostRows);
  out_ += "<div class=\"scroll\" tabindex=\"0\">\n<table" + attribute("data-json", rows.path) +
          R"( data-rows=")" + std::to_string(rows.count) + R"(")" +
          attribute("data-ids", rows.row_id) + ">";
  table_head(rows);
  out_ += "<tbody>\n";
  for (std::size_t row = 0; row < shown; ++row) {
    out_ += "<tr";
    if (!rows.row_id.empty()) {
      const auto address = rows.value(row, 0).address.value_or(Address{});
      unique_id(std::string(rows.row_id) + "-" + hex_address(address.value));
    }
    out_ += ">" + (rows.numbered ? R"(<td class="n">)" + grouped(row + 1) + "</td>" : "");
    for (std::size_t column = 0; column < rows.columns.size(); ++column) {
      cell(rows.columns[column], rows.value(row, column), largest[column]);
    }
    out_ += "</tr>\n";
  }
  out_ += "</tbody></table></div>\n";
  if (rows.count > shown) {
    out_ += R"(<p class="note rest">)" +
            format_count(rows.count - shown, "further row is", "further rows are") +
            " in the data of this page.</p>\n";
  }
}

void HtmlBody::begin_facts() {
  out_ += "<table class=\"facts\"><tbody>\n";
}

void HtmlBody::fact(const ColumnInfo& info, const CellValue& value, const std::string& path) {
  out_ += R"(<tr data-json=")" + html_attribute(path) + R"("><th scope="row")" +
          attribute("data-k", word_of(info.kind)) + attribute("data-f", info.field) +
          attribute("data-g", info.more) + attribute("title", info.help) + ">" +
          html_text(info.title) + "</th>";
  cell(info, value, 0);
  out_ += "</tr>\n";
}

void HtmlBody::fact(std::string_view title, const std::function<void()>& content) {
  out_ += R"(<tr><th scope="row">)" + html_text(title) + "</th><td>";
  content();
  out_ += "</td></tr>\n";
}

void HtmlBody::end_facts() {
  out_ += "</tbody></table>\n";
}

}  // namespace hprof
