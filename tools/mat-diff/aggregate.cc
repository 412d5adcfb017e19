// The sweep's gate. A file's own counts are not believed: they are counted again from its fields.
#include "tools/mat-diff/aggregate.h"

#include "common/error.h"
#include "common/open_source.h"
#include "common/text.h"
#include "tools/mat-diff/our_report.h"
#include "tools/mat-diff/render.h"
#include "tools/mat-diff/verdict.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>

namespace hprof {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Json = nlohmann::ordered_json;

constexpr std::string_view kSuffix = ".diff.json";

[[noreturn]] void damaged(const std::string& path, const std::string& what) {
  fail(ExitCode::bad_data, path, ": ", what, "; run mat-diff -f json again");
}

json read_json(const std::string& path) {
  const auto source = open_source(path);
  std::string text;
  std::vector<std::uint8_t> buffer(std::size_t{1} << 20U);
  while (const auto count = source->read(buffer)) {
    text.append(reinterpret_cast<const char*>(buffer.data()), count);
  }
  return json::parse(text, nullptr, false);
}

/// The counter of a tier; damaged() for a tier that mat-diff does not know.
std::uint64_t& counter_of(DumpVerdict& dump, const std::string& tier, const std::string& path) {
  if (tier == tier_name(Tier::match)) {
    return dump.match;
  }
  if (tier == tier_name(Tier::explainable)) {
    return dump.explainable;
  }
  if (tier == tier_name(Tier::fail)) {
    return dump.fail;
  }
  if (tier == tier_name(Tier::skipped)) {
    return dump.skipped;
  }
  damaged(path, concat("tier \"", printable(tier), "\" not known"));
}

NotedField noted_field(const std::string& dump, const json& row) {
  const auto text = [&](const char* key) { return text_of(row, key).value_or(""); };
  return {dump,        text("section"), text("field"),   text("ours"),
          text("mat"), text("reason"),  text("evidence")};
}

bool is_reason(const std::string& name) {
  constexpr Reason kAll[] = {Reason::order, Reason::tie_break, Reason::rounding,
                             Reason::mat_class_object_rooting_gap};
  return std::any_of(std::begin(kAll), std::end(kAll),
                     [&](Reason reason) { return name == reason_name(reason); });
}

void add_field(Gate& gate, DumpVerdict& dump, const json& row, const std::string& path) {
  const auto tier = text_of(row, "tier").value_or("");
  const auto reason = text_of(row, "reason").value_or("");
  counter_of(dump, tier, path) += count_of(row, "count").value_or(1);
  if (tier == tier_name(Tier::fail)) {
    gate.fails.push_back(noted_field(dump.name, row));
  } else if (tier == tier_name(Tier::explainable)) {
    if (!is_reason(reason)) {
      damaged(path, concat("reason \"", printable(reason), "\" not known"));
    }
    gate.explainable.push_back(noted_field(dump.name, row));
  }
}

void add_dump(Gate& gate, const std::string& path) {
  const auto root = read_json(path);
  const auto fields = root.is_object() ? root.find("fields") : root.end();
  if (!root.is_object() || fields == root.end() || !fields->is_array() ||
      !root.contains("summary")) {
    damaged(path, "not a comparison in JSON");
  }
  DumpVerdict dump;
  dump.name = base_name(path);
  dump.name.resize(dump.name.size() - kSuffix.size());
  for (const auto& row : *fields) {
    add_field(gate, dump, row, path);
  }
  const auto& sum = root["summary"];
  if (count_of(sum, "match") != dump.match || count_of(sum, "explainable") != dump.explainable ||
      count_of(sum, "fail") != dump.fail || count_of(sum, "skipped") != dump.skipped) {
    damaged(path, "its summary is not the sum of its fields");
  }
  gate.real_comparisons += dump.real() ? 1 : 0;
  gate.dumps.push_back(std::move(dump));
}

std::vector<std::string> diff_files(const std::string& folder) {
  if (!fs::is_directory(folder)) {
    fail(ExitCode::no_input, folder, ": no such folder; give the folder of NAME.diff.json files");
  }
  std::vector<std::string> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    if (name.size() > kSuffix.size() && name.ends_with(kSuffix) && name.front() != '.') {
      paths.push_back(entry.path().string());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) {
    out += (out.empty() ? "" : ", ") + printable(name);
  }
  return out;
}

std::string missing_names(const Gate& gate, const std::vector<std::string>& expected) {
  std::vector<std::string> missing;
  for (const auto& name : expected) {
    const bool there =
        std::any_of(gate.dumps.begin(), gate.dumps.end(),
                    [&](const DumpVerdict& dump) { return dump.name == name && dump.real(); });
    if (!there) {
      missing.push_back(name);
    }
  }
  return joined(missing);
}

/// Comparisons left from dumps that are no longer asked for.
std::string stray_names(const Gate& gate, const std::vector<std::string>& expected) {
  std::vector<std::string> stray;
  for (const auto& dump : gate.dumps) {
    if (std::find(expected.begin(), expected.end(), dump.name) == expected.end()) {
      stray.push_back(dump.name);
    }
  }
  return expected.empty() ? std::string{} : joined(stray);
}

void judge(Gate& gate, std::uint64_t min_real, const std::vector<std::string>& expected) {
  const auto missing = missing_names(gate, expected);
  if (!gate.fails.empty()) {
    const auto failed = std::count_if(gate.dumps.begin(), gate.dumps.end(),
                                      [](const DumpVerdict& dump) { return dump.fail > 0; });
    gate.reason = concat(gate.fails.size(), " FAIL in ", failed, " of ",
                         format_count(gate.dumps.size(), "dump", "dumps"));
  } else if (!missing.empty()) {
    gate.reason = concat("no comparison of ", missing);
  } else if (const auto stray = stray_names(gate, expected); !stray.empty()) {
    gate.reason = concat("comparisons that were not asked for: ", stray, "; remove them");
  } else if (gate.real_comparisons < min_real) {
    gate.reason = concat(gate.real_comparisons, " real comparisons, ", min_real,
                         " needed; fewer dumps need a smaller --min-real (MIN_REAL of the sweep)");
  } else {
    gate.pass = true;
    gate.reason = concat(gate.real_comparisons, " real comparisons, no FAIL");
  }
}

Json noted_json(const std::vector<NotedField>& fields) {
  Json rows = Json::array();
  for (const auto& field : fields) {
    rows.push_back({{"dump", field.dump},
                    {"section", field.section},
                    {"field", field.field},
                    {"ours", field.ours},
                    {"mat", field.mat},
                    {"reason", field.reason},
                    {"evidence", field.evidence}});
  }
  return rows;
}

std::string noted_table(const std::string& title, const std::vector<NotedField>& fields) {
  if (fields.empty()) {
    return {};
  }
  auto out =
      concat("\n## ", title, "\n\n",
             markdown_head({"dump", "section", "field", "ours", "MAT", "reason", "evidence"}));
  for (const auto& field : fields) {
    out += markdown_row({field.dump, field.section, field.field, field.ours, field.mat,
                         field.reason, field.evidence});
  }
  return out;
}

std::string reason_counts(const Gate& gate) {
  std::map<std::string, std::uint64_t> counts;
  for (const auto& field : gate.explainable) {
    ++counts[field.reason];
  }
  std::string out;
  for (const auto& [reason, count] : counts) {
    out += concat(out.empty() ? "" : ", ", grouped(count), " ", reason);
  }
  return out.empty() ? "none" : out;
}

std::string verdict_line(const Gate& gate) {
  return concat("GATE ", gate.pass ? "PASS: " : "FAIL: ", gate.reason, "\n");
}

}  // namespace

Gate aggregate(const std::string& folder, std::uint64_t min_real,
               const std::vector<std::string>& expected) {
  Gate gate;
  for (const auto& path : diff_files(folder)) {
    add_dump(gate, path);
  }
  judge(gate, min_real, expected);
  return gate;
}

std::string render_gate_json(const Gate& gate) {
  Json dumps = Json::array();
  for (const auto& dump : gate.dumps) {
    dumps.push_back({{"name", dump.name},
                     {"real", dump.real()},
                     {"compared", dump.compared()},
                     {"match", dump.match},
                     {"explainable", dump.explainable},
                     {"fail", dump.fail},
                     {"skipped", dump.skipped}});
  }
  const Json out{{"gate", gate.pass ? "PASS" : "FAIL"},
                 {"reason", gate.reason},
                 {"dumps", std::move(dumps)},
                 {"real_comparisons", gate.real_comparisons},
                 {"explainable", noted_json(gate.explainable)},
                 {"fails", noted_json(gate.fails)}};
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string render_gate_markdown(const Gate& gate) {
  std::string out = "# Comparison with MAT\n\n";
  out += markdown_head({"dump", "compared", "MATCH", "EXPLAINABLE", "FAIL", "skipped"});
  for (const auto& dump : gate.dumps) {
    out += markdown_row({dump.name, grouped(dump.compared()), grouped(dump.match),
                         grouped(dump.explainable), grouped(dump.fail), grouped(dump.skipped)});
  }
  out += concat("\nEXPLAINABLE by reason: ", reason_counts(gate), "\n");
  out += noted_table("FAIL", gate.fails);
  out += noted_table("EXPLAINABLE", gate.explainable);
  return out + "\n" + verdict_line(gate);
}

}  // namespace hprof
