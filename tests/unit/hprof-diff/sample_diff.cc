#include "sample_diff.h"

#include "../hprof-report/sample_report.h"
#include "diff_reports.h"
#include "tools/hprof-report/gate/gate.h"

namespace hprof::test {
namespace {

std::vector<NamedReport> sample_reports() {
  std::vector<NamedReport> out;
  for (std::uint64_t at = 0; at < 3; ++at) {
    Report report = sample_report();
    report.overview.dump_creation_ms += at * 60'000;
    report.overview.total_shallow += at * 40'000'000;
    for (auto& row : report.overview.histogram) {
      row.instances += at * 50;
      row.retained += at * 30'000'000;
    }
    report.overview.root_policy = "dump";
    for (auto& suspect : report.leaks.suspects) {
      suspect.retained = 1000 + at * 20'000'000;
    }
    for (auto& object : report.top.biggest_objects) {
      object.retained = 900 + at * 15'000'000;
    }
    for (auto& field : *report.collections->by_field) {
      field.retained = 500 + at * 10'000'000;
    }
    for (auto& thread : report.threads->threads) {
      thread.retained = 700 + at * 5'000'000;
    }
    out.push_back({hostile_name(), std::move(report)});
  }
  out[1].report.overview.class_loaders->clear();
  out[2].report.overview.histogram.push_back(
      class_row(hostile_name() + "$$Lambda$1/0x1", hostile_name() + " @ 0x99", 5, 80, 90));
  return out;
}

}  // namespace

HeapDiff sample_diff() {
  DiffOptions options;
  options.ignore_warm_up = false;
  const auto in_order = order_reports(sample_reports(), options);
  HeapDiff diff = diff_reports(in_order, options);
  diff.generated = "2026-11-30T01:02:03Z";
  diff.warm_up = diff.dumps.front();
  const std::vector<GateRule> rules{parse_rule("retained>+10%"), parse_rule("objects>5"),
                                    parse_rule("field:none.elements>5")};
  diff.gate = evaluate(rules, {in_order.reports, in_order.names, &diff, options, false});
  return diff;
}

}  // namespace hprof::test
