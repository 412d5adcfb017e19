#include "tools/mat-diff/render.h"

#include "common/concat.h"
#include "common/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace hprof {
namespace {

using Json = nlohmann::ordered_json;

Json field_json(const Field& field) {
  Json row{{"section", field.section},
           {"field", printable(field.name)},
           {"ours", printable(field.ours)},
           {"mat", printable(field.mat)},
           {"tier", tier_name(field.verdict.tier)},
           {"reason", reason_name(field.verdict.reason)},
           {"evidence", printable(field.verdict.evidence)}};
  if (field.verdict.tier == Tier::skipped) {
    row["count"] = field.count;
  }
  return row;
}

std::vector<std::string> section_names(const Comparison& comparison) {
  std::vector<std::string> names;
  for (const auto& field : comparison.fields) {
    if (std::find(names.begin(), names.end(), field.section) == names.end()) {
      names.push_back(field.section);
    }
  }
  return names;
}

std::string summary_row(const std::string& name, const Summary& sum) {
  return markdown_row({name, grouped(sum.compared()), grouped(sum.match), grouped(sum.explainable),
                       grouped(sum.fail), grouped(sum.skipped)});
}

std::string section_table(const Comparison& comparison) {
  std::string out =
      markdown_head({"section", "compared", "MATCH", "EXPLAINABLE", "FAIL", "skipped"});
  for (const auto& name : section_names(comparison)) {
    Comparison part;
    std::copy_if(comparison.fields.begin(), comparison.fields.end(),
                 std::back_inserter(part.fields),
                 [&](const Field& field) { return field.section == name; });
    out += summary_row(name, part.summary());
  }
  return out + summary_row("all", comparison.summary());
}

std::string field_table(const Comparison& comparison, Tier tier, const std::string& title) {
  std::string rows;
  for (const auto& field : comparison.fields) {
    if (field.verdict.tier == tier && tier == Tier::skipped) {
      rows += markdown_row(
          {field.section, field.name, std::to_string(field.count), field.verdict.evidence});
    } else if (field.verdict.tier == tier) {
      rows += markdown_row({field.section, field.name, field.ours, field.mat,
                            reason_name(field.verdict.reason), field.verdict.evidence});
    }
  }
  if (rows.empty()) {
    return {};
  }
  const auto head = tier == Tier::skipped
                        ? markdown_head({"section", "fields", "count", "why"})
                        : markdown_head({"section", "field", "ours", "MAT", "reason", "evidence"});
  return concat("\n## ", title, "\n\n", head, rows);
}

}  // namespace

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const auto& cell : cells) {
    out += ' ';
    for (const char c : printable(cell)) {
      out += c == '|' || c == '<' || c == '`' || c == '*' ? concat('\\', c) : std::string(1, c);
    }
    out += " |";
  }
  return out + "\n";
}

std::string markdown_head(const std::vector<std::string>& columns) {
  std::string dashes = "|";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    dashes += "---|";
  }
  return markdown_row(columns) + dashes + "\n";
}

std::string render_json(const Comparison& comparison) {
  const auto sum = comparison.summary();
  Json fields = Json::array();
  for (const auto& field : comparison.fields) {
    fields.push_back(field_json(field));
  }
  const Json out{{"mat", printable(comparison.mat)},
                 {"ours", printable(comparison.ours)},
                 {"fields", std::move(fields)},
                 {"summary",
                  {{"match", sum.match},
                   {"explainable", sum.explainable},
                   {"fail", sum.fail},
                   {"skipped", sum.skipped}}}};
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string render_markdown(const Comparison& comparison) {
  const auto sum = comparison.summary();
  std::string out = concat(
      "# ", printable(comparison.ours), " against ", printable(comparison.mat), "\n\n",
      sum.fail == 0 ? "**PASS**" : "**FAIL**", ": ", grouped(sum.compared()), " fields compared, ",
      grouped(sum.match), " MATCH, ", grouped(sum.explainable), " EXPLAINABLE, ", grouped(sum.fail),
      " FAIL; ", grouped(sum.skipped), " without counterpart\n\n");
  out += section_table(comparison);
  out += field_table(comparison, Tier::fail, "FAIL");
  out += field_table(comparison, Tier::explainable, "EXPLAINABLE");
  out += field_table(comparison, Tier::skipped, "Without counterpart");
  return out;
}

}  // namespace hprof
