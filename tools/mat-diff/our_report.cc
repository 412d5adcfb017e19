#include "tools/mat-diff/our_report.h"

#include "common/text.h"
#include "formats/mat/mat_figures.h"
#include "formats/report/report_json.h"
#include "formats/report_file.h"

#include <algorithm>

namespace hprof {
namespace {

using nlohmann::json;

std::optional<std::uint64_t> as_count(const json& value) {
  const bool whole =
      value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  return whole ? std::optional(value.get<std::uint64_t>()) : std::nullopt;
}

}  // namespace

OurReport OurReport::load(const std::string& path) {
  // Parsed as a report first: what our own reader refuses (another version, a negative count) is no
  // report, and must not become a verdict.
  const std::string text = read_report_text(path);
  parse_json(text, path == "-" ? "standard input" : printable(path));
  auto root = json::parse(text);
  return OurReport(std::move(root));
}

OurReport::OurReport(json root) : root_(std::move(root)) {
  const auto* histogram = find("overview.histogram");
  if (histogram == nullptr || !histogram->is_array()) {
    return;
  }
  for (std::size_t i = 0; i < histogram->size(); ++i) {
    if (const auto address = address_of((*histogram)[i], "class_address")) {
      class_rows_.emplace(*address, i);
    }
  }
}

const json* OurReport::find(const std::string& path) const {
  const json* value = &root_;
  std::size_t start = 0;
  while (start <= path.size()) {
    const auto end = std::min(path.find('.', start), path.size());
    const auto member =
        value->is_object() ? value->find(path.substr(start, end - start)) : value->end();
    if (!value->is_object() || member == value->end()) {
      return nullptr;
    }
    value = &*member;
    start = end + 1;
  }
  return value;
}

std::optional<std::uint64_t> OurReport::count(const std::string& path) const {
  const auto* value = find(path);
  return value == nullptr ? std::nullopt : as_count(*value);
}

std::optional<std::string> OurReport::text(const std::string& path) const {
  const auto* value = find(path);
  return value != nullptr && value->is_string() ? std::optional(value->get<std::string>())
                                                : std::nullopt;
}

std::map<std::string, const json*> OurReport::rows_by(const std::string& path,
                                                      const char* key) const {
  std::map<std::string, const json*> rows;
  const auto* list = find(path);
  if (list != nullptr && list->is_array()) {
    for (const auto& row : *list) {
      if (const auto text = text_of(row, key)) {
        rows.emplace(*text, &row);
      }
    }
  }
  return rows;
}

bool OurReport::leaves_out(const std::string& section) const {
  if (rows_by("not_covered", "section").contains(section)) {
    return true;
  }
  const auto* sections = find("sections");
  return sections != nullptr && sections->is_array() &&
         std::find(sections->begin(), sections->end(), json(section)) == sections->end();
}

const json* OurReport::class_row(std::optional<std::uint64_t> address) const {
  const auto found = address ? class_rows_.find(*address) : class_rows_.end();
  return found == class_rows_.end() ? nullptr : &(*find("overview.histogram"))[found->second];
}

std::optional<std::uint64_t> count_of(const json& row, const char* key) {
  const auto* value = member(row, key);
  return value == nullptr ? std::nullopt : as_count(*value);
}

std::optional<std::string> text_of(const json& row, const char* key) {
  const auto* value = member(row, key);
  return value != nullptr && value->is_string() ? std::optional(value->get<std::string>())
                                                : std::nullopt;
}

std::optional<std::uint64_t> address_of(const json& row, const char* key) {
  const auto text = text_of(row, key);
  return text ? parse_hex_address(*text) : std::nullopt;
}

RowsByAddress rows_by_address(const json* list, const char* key) {
  RowsByAddress rows;
  if (list != nullptr && list->is_array()) {
    for (const auto& row : *list) {
      if (const auto address = address_of(row, key)) {
        rows.emplace(*address, &row);
      }
    }
  }
  return rows;
}

const json* row_at(const RowsByAddress& rows, std::optional<std::uint64_t> address) {
  const auto found = address ? rows.find(*address) : rows.end();
  return found == rows.end() ? nullptr : found->second;
}

const json* member(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() ? &*found : nullptr;
}

}  // namespace hprof
