#include "formats/diff/diff_markdown.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/diff/diff_sections.h"
#include "formats/diff/diff_text.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"

#include <array>

namespace hprof {
namespace {

struct DiffRenderer {
  std::string_view id;
  std::string (*render)(const HeapDiff& diff);
};

constexpr std::array kDiffRenderers{
    DiffRenderer{"summary", md_diff_summary},   DiffRenderer{"gate", md_diff_gate},
    DiffRenderer{"suspects", md_diff_suspects}, DiffRenderer{"paths", md_diff_paths},
    DiffRenderer{"fields", md_diff_fields},     DiffRenderer{"classes", md_diff_classes},
    DiffRenderer{"packages", md_diff_packages}, DiffRenderer{"loaders", md_diff_loaders},
    DiffRenderer{"threads", md_diff_threads},   DiffRenderer{"method", md_diff_method},
};

std::string render_diff_section(const HeapDiff& diff, std::string_view id) {
  for (const auto& renderer : kDiffRenderers) {
    if (renderer.id == id) {
      return renderer.render(diff);
    }
  }
  throw_error(ExitCode::bug, concat("internal check failed: section ", id,
                                    " has no Markdown; please report this"));
}

/// Of a long series the first and the last dumps have columns.
std::vector<std::size_t> dumps_with_columns(std::size_t dumps) {
  constexpr std::size_t kAtEachEnd = 4;
  std::vector<std::size_t> out;
  for (std::size_t at = 0; at < dumps; ++at) {
    if (at < kAtEachEnd || at + kAtEachEnd >= dumps) {
      out.push_back(at);
    }
  }
  return out;
}

/// One column per dump, and the change.
MarkdownTable totals_table(const HeapDiff& diff) {
  std::vector<MarkdownTable::Column> columns{{"Figure"}};
  for (const auto at : dumps_with_columns(diff.dumps.size())) {
    columns.push_back({"Dump " + std::to_string(at + 1), Align::right});
  }
  columns.push_back({"Change", Align::right});
  columns.push_back({"Share", Align::right});
  if (diff.dumps.size() > 2) {
    columns.push_back({"Trend"});
  }
  return MarkdownTable(std::move(columns));
}

std::vector<std::string> total_cells(const DiffTotal& total) {
  const auto& series = total.series;
  std::vector<std::string> cells{md_text(total.title)};
  for (const auto at : dumps_with_columns(series.values.size())) {
    cells.push_back(total_at(total, at));
  }
  cells.push_back(total_change(total));
  const bool moved = series.change.amount != 0;
  cells.push_back(moved && series.change_bp ? change_in_share(*series.change_bp) : "");
  if (series.values.size() > 2) {
    cells.push_back(trend_text(series));
  }
  return cells;
}

std::string dump_table(const HeapDiff& diff) {
  MarkdownTable table({{"Dump", Align::right}, {"File"}, {"Taken at"}, {"Report"}});
  for (std::size_t at = 0; at < diff.dumps.size(); ++at) {
    const auto& dump = diff.dumps[at];
    table.row({std::to_string(at + 1),
               md_cell(dump.file_name) + (dump.complete ? "" : " (damaged)"),
               dump.dump_creation_ms == 0 ? "" : format_time(dump.dump_creation_ms),
               md_cell(dump.report)});
  }
  return table.text() +
         (diff.warm_up ? "\nLeft out as a warm-up: " + md_code(diff.warm_up->file_name) + ".\n"
                       : "");
}

std::string cause_list(const HeapDiff& diff) {
  std::string out;
  for (std::size_t i = 0; i < diff.causes.size(); ++i) {
    const auto& cause = diff.causes[i];
    Finding said;
    said.text = cause.text;
    said.names = cause.names;
    out += std::to_string(i + 1) + ". " + md_sentence(finding_sentence(said)) + "\n";
  }
  return out.empty() ? "" : "\nWhat grows:\n\n" + out;
}

std::string warning_list(const HeapDiff& diff) {
  std::string out;
  for (const auto& warning : diff.warnings) {
    out += "- **" + md_text(warning.title) + "** (" + std::string(word_of(warning.severity)) +
           "): " + md_sentence(finding_sentence(warning)) + "\n";
  }
  return out.empty() ? "" : "\nTo bear in mind:\n\n" + out;
}

std::string dump_names(const HeapDiff& diff) {
  std::string out = md_code(diff.dumps.front().file_name);
  if (diff.dumps.size() > 2) {
    out += " → …";
  }
  return out + " → " + md_code(diff.dumps.back().file_name);
}

std::string status_text(RuleStatus status) {
  return status == RuleStatus::passed   ? "passed"
         : status == RuleStatus::failed ? "**failed**"
                                        : "**not evaluated**";
}

}  // namespace

std::string md_diff_summary(const HeapDiff& diff) {
  MarkdownTable table = totals_table(diff);
  for (const auto& total : diff.totals) {
    table.row(total_cells(total));
  }
  return md_sentence(finding_sentence(diff.verdict)) + "\n" + cause_list(diff) +
         warning_list(diff) + "\n" + dump_table(diff) + "\n" + table.text();
}

std::string md_diff_gate(const HeapDiff& diff) {
  MarkdownTable table({{"Rule"}, {"Result"}, {"Why"}});
  for (const auto& rule : diff.gate->rules) {
    std::string why = md_text(rule.text);
    for (const auto& note : rule.notes.value_or(std::vector<std::string>())) {
      why += "; " + md_text(note);
    }
    table.row({md_cell(rule.rule), status_text(rule.status), why});
  }
  return "The gate " + std::string(diff.gate->passed ? "passes" : "fails") + ".\n\n" + table.text();
}

std::string md_diff_method(const HeapDiff& diff) {
  return md_sentence(diff_method(diff)) + "\n";
}

std::string render_markdown(const HeapDiff& diff) {
  std::string out = "# Heap Diff: " + dump_names(diff) + "\n\nGenerated by " +
                    md_text(diff.generator) + " at " + md_text(diff.generated) + "\n";
  for (const auto& section : diff_sections()) {
    if (section.is_filled(diff)) {
      out += "\n## " + std::string(section.title) + "\n\n" + render_diff_section(diff, section.id);
    }
  }
  return out;
}

}  // namespace hprof
