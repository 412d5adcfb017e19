// The first screen: what grew and who holds it, the figures that people ask for first, then what
// to bear in mind, the dumps and all figures of the heaps; and what came of the rules.
#include "common/text.h"
#include "formats/diff/diff_sections.h"
#include "formats/diff/diff_text.h"
#include "formats/html/diff_columns.h"
#include "formats/html/html_diff.h"
#include "formats/html/html_text.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kCards = 6;

CellKind kind_of(const DiffTotal& total) {
  return total.is_bytes ? CellKind::bytes : CellKind::count;
}

DiffCell total_cell(const DiffTotal& total, std::size_t dump) {
  return value_cell(kind_of(total), total.series, dump);
}

DiffCell total_change_cell(const DiffTotal& total) {
  return change_cell(kind_of(total), total.series);
}

void total_cards(const HeapDiff& diff, HtmlBody& body) {
  body.add("<dl class=\"cards\">\n");
  for (std::size_t i = 0; i < std::min(diff.totals.size(), kCards); ++i) {
    const auto& total = diff.totals[i];
    const auto last = total_cell(total, diff.dumps.size() - 1);
    const auto change = total_change_cell(total);
    const bool same = range_of(total.series).is_exact() && total.series.change.amount == 0;
    body.add("<div><dt>" + html_text(total.title) + "</dt><dd>" + last.markup + "</dd><dd>" +
             (same ? "no change" : change.markup) + "</dd></div>\n");
  }
  body.add("</dl>\n");
}

std::string_view section_of(CauseKind kind) {
  switch (kind) {
    case CauseKind::field:
      return "fields";
    case CauseKind::path:
      return "paths";
    case CauseKind::loader:
      return "loaders";
    case CauseKind::thread:
      return "threads";
    default:
      return "classes";
  }
}

void section_link(const HeapDiff& diff, std::string_view id, HtmlBody& body) {
  for (const auto& section : diff_sections()) {
    if (section.id == id && section.is_filled(diff)) {
      body.add("<div class=\"keeper\">See ");
      body.link(std::string(id), section.title);
      body.add("</div>");
    }
  }
}

Sentence words_of(const std::string& text, const std::vector<std::string>& names) {
  Finding said;
  said.text = text;
  said.names = names;
  return finding_sentence(said);
}

void cause_cards(const HeapDiff& diff, HtmlBody& body) {
  if (diff.causes.empty()) {
    return;
  }
  std::uint64_t largest = 0;
  for (const auto& cause : diff.causes) {
    largest = std::max(largest, rise(cause.change));
  }
  body.heading(3, "What Grows");
  body.add("<ol class=\"suspects\">\n");
  for (const auto& cause : diff.causes) {
    body.add("<li class=\"suspect\"><div>");
    body.sentence(words_of(cause.text, cause.names));
    body.add("</div><div class=\"share" + bar_class(rise(cause.change), largest) + "\"><b>" +
             html_text((cause.change_most ? "at least " : "") + change_in_bytes(cause.change)) +
             "</b>" +
             (cause.as_read                     ? " in what was read"
              : cause.trend == Trend::monotonic ? " at every step"
                                                : "") +
             "</div>");
    section_link(diff, section_of(cause.kind), body);
    body.add("</li>\n");
  }
  body.add("</ol>\n");
}

void warnings(const HeapDiff& diff, HtmlBody& body) {
  if (diff.warnings.empty()) {
    return;
  }
  body.heading(3, "To Bear in Mind");
  body.add("<ul class=\"findings\">\n");
  for (const auto& warning : diff.warnings) {
    const auto severity = word_of(warning.severity);
    body.add(concat("<li class=\"", severity, "\"><p><b>", html_text(warning.title),
                    "</b> <span class=\"badge\">", severity, "</span></p><p>"));
    body.sentence(finding_sentence(warning));
    body.add("</p></li>\n");
  }
  body.add("</ul>\n");
}

template <typename Row>
DiffColumn<Row> number_column(std::string title, CellKind kind, std::uint64_t Row::*member) {
  const auto field = field_info(member);
  return diff_column<Row>(
      std::move(title), kind, field.name, field.help,
      [kind, member](const Row& row) { return number_cell(kind, row.*member); });
}

/// A figure that is also one of the totals, which know what it is worth.
DiffColumn<DiffDump> total_of_dump(std::string title, std::string_view total,
                                   std::uint64_t DiffDump::*member, const HeapDiff& diff) {
  const auto found = std::find_if(diff.totals.begin(), diff.totals.end(),
                                  [&](const DiffTotal& each) { return each.name == total; });
  if (found == diff.totals.end()) {
    return number_column(std::move(title), CellKind::count, member);
  }
  auto out = number_column(std::move(title), kind_of(*found), member);
  out.cell = [found, &diff](const DiffDump& row) {
    return total_cell(*found, static_cast<std::size_t>(&row - diff.dumps.data()));
  };
  return out;
}

DiffColumns<DiffDump> dump_columns(const HeapDiff& diff) {
  DiffColumns<DiffDump> out{
      diff_column<DiffDump>(
          "Dump", CellKind::count, "", "",
          [&diff](const DiffDump& row) {
            const auto number = static_cast<std::uint64_t>(&row - diff.dumps.data()) + 1;
            return DiffCell{std::to_string(number), SignedCount{false, number}, ""};
          }),
      name_column("File", &DiffDump::file_name)};
  out.back().cell = [](const DiffDump& row) {
    return DiffCell{diff_name(row.file_name) + (row.complete ? "" : " (damaged)"), {}, ""};
  };
  out.push_back(number_column("Taken At", CellKind::time, &DiffDump::dump_creation_ms));
  out.back().cell = [](const DiffDump& row) {
    const auto time = R"(<span class="brief">)" + format_time(row.dump_creation_ms) + "</span>";
    return DiffCell{row.dump_creation_ms == 0 ? "" : time, SignedCount{false, row.dump_creation_ms},
                    ""};
  };
  out.push_back(total_of_dump("Used Heap", "retained", &DiffDump::total_shallow, diff));
  out.push_back(total_of_dump("Objects", "objects", &DiffDump::total_objects, diff));
  out.push_back(total_of_dump("Unreachable", "unreachable", &DiffDump::unreachable_shallow, diff));
  out.push_back(name_column("Report", &DiffDump::report));
  return out;
}

void dumps(const Place<HeapDiff>& diff, HtmlBody& body) {
  body.heading(3, "Dumps");
  html_diff_table(diff.sub(&HeapDiff::dumps), "", dump_columns(*diff), body);
  if (diff->warm_up) {
    body.paragraph(
        {{"Left out as a warm-up: ", false}, {diff->warm_up->file_name, true}, {".", false}},
        "note");
  }
}

DiffColumn<DiffTotal> total_column(std::string title, CellKind kind, std::string_view field,
                                   std::function<DiffCell(const DiffTotal&)> cell) {
  return diff_column<DiffTotal>(std::move(title), kind, field, "", std::move(cell));
}

DiffColumns<DiffTotal> total_columns(const HeapDiff& diff) {
  DiffColumns<DiffTotal> out{
      total_column("Figure", CellKind::text, "title", [](const DiffTotal& total) {
        return DiffCell{html_text(total.title), std::nullopt, ""};
      })};
  for (std::size_t at = 0; at < diff.dumps.size(); ++at) {
    const auto number = std::to_string(at);
    out.push_back(total_column("Dump " + std::to_string(at + 1), CellKind::count,
                               "series.values." + number,
                               [at](const DiffTotal& total) { return total_cell(total, at); }));
  }
  out.push_back(total_column("Change", CellKind::count, "series.change", total_change_cell));
  out.push_back(
      total_column("Share", CellKind::share, "series.change_bp",
                   [](const DiffTotal& total) { return change_share_cell(total.series); }));
  if (diff.dumps.size() > 2) {
    out.push_back(total_column("Trend", CellKind::text, "series.trend",
                               [](const DiffTotal& total) { return trend_cell(total.series); }));
    out.push_back(total_column(
        "Over Time", CellKind::text, "series.values",
        [](const DiffTotal& total) { return sparkline_cell(kind_of(total), total.series); }));
  }
  return out;
}

DiffColumn<RuleResult> status_column() {
  return diff_column<RuleResult>("Result", CellKind::text, "status", "", [](const RuleResult& row) {
    const std::string words = row.status == RuleStatus::passed   ? "passed"
                              : row.status == RuleStatus::failed ? "<b>failed</b>"
                                                                 : "<b>not evaluated</b>";
    return DiffCell{words, std::nullopt, ""};
  });
}

DiffColumn<RuleResult> why_column() {
  return diff_column<RuleResult>("Why", CellKind::text, "text", "", [](const RuleResult& row) {
    std::string why = html_text(row.text);
    for (const auto& note : row.notes.value_or(std::vector<std::string>())) {
      why += "; " + html_text(note);
    }
    return DiffCell{why, std::nullopt, ""};
  });
}

}  // namespace

void html_diff_summary(const Place<HeapDiff>& diff, HtmlBody& body) {
  body.paragraph(finding_sentence(diff->verdict), "verdict");
  if (diff->gate) {
    body.add("<p>The gate <b>" + std::string(diff->gate->passed ? "passes" : "fails") + "</b>: ");
    body.link("gate", "its rules");
    body.add(".</p>\n");
  }
  total_cards(*diff, body);
  cause_cards(*diff, body);
  warnings(*diff, body);
  dumps(diff, body);
  body.heading(3, "Figures of the Heap");
  html_diff_table(diff.sub(&HeapDiff::totals), "", total_columns(*diff), body);
}

void html_diff_gate(const Place<HeapDiff>& diff, HtmlBody& body) {
  const auto gate = diff.sub(&HeapDiff::gate);
  body.add("<p>The gate <b>" + std::string(gate->passed ? "passes" : "fails") + "</b>: " +
           html_text("of " + format_count(gate->rules.size(), "rule", "rules") + " " +
                     grouped(gate->failed_rules) + " failed, " +
                     grouped(gate->not_evaluated_rules) + " could not be evaluated.") +
           "</p>\n");
  html_diff_table(gate.sub(&GateReport::rules), "",
                  {name_column("Rule", &RuleResult::rule), status_column(), why_column(),
                   number_column("Violations", CellKind::count, &RuleResult::violations)},
                  body);
}

void html_diff_method(const Place<HeapDiff>& diff, HtmlBody& body) {
  body.paragraph(diff_method(*diff));
}

}  // namespace hprof
