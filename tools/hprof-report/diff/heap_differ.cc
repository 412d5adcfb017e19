#include "tools/hprof-report/diff/heap_differ.h"

#include "common/error.h"
#include "common/options.h"
#include "formats/report/units.h"
#include "tools/hprof-report/diff/causes.h"
#include "tools/hprof-report/diff/comparability.h"
#include "tools/hprof-report/diff/damage_marks.h"
#include "tools/hprof-report/diff/lost_loaders.h"
#include "tools/hprof-report/diff/owner_diffs.h"
#include "tools/hprof-report/diff/row_diffs.h"
#include "tools/hprof-report/diff/telling_dumps.h"
#include "tools/hprof-report/wording.h"

#include <algorithm>

namespace hprof {
namespace {

using triage::Wording;

DiffDump dump_of(const std::string& name, const Report& report) {
  const auto& overview = report.overview;
  return {name,
          overview.file_name,
          overview.dump_creation_ms,
          report.complete,
          overview.jvm_version,
          overview.total_shallow,
          overview.total_objects,
          overview.unreachable_shallow};
}

std::uint64_t time_of(const NamedReport& each) {
  return each.report.overview.dump_creation_ms;
}

bool earlier(const NamedReport& a, const NamedReport& b) {
  return time_of(a) < time_of(b);
}

Finding order_warning(const std::vector<NamedReport>& given) {
  Wording wording;
  wording.words(
      "The reports were given in another order than their dumps were taken; they are "
      "compared by time: ");
  for (std::size_t at = 0; at < given.size(); ++at) {
    wording.words(at == 0 ? "" : ", ").name(given[at].name);
  }
  wording.words(". --as-given keeps the order of the command line.");
  return wording.finding("order", Severity::warning, "Order", "summary");
}

void sort_by_time(std::vector<NamedReport>& given, std::vector<Finding>& warnings) {
  const bool known = std::none_of(given.begin(), given.end(),
                                  [](const NamedReport& each) { return time_of(each) == 0; });
  if (!known) {
    Wording wording;
    wording.words("Not every dump tells when it was taken; the order of the command line is kept.");
    warnings.push_back(wording.finding("order", Severity::warning, "Order", "summary"));
  } else if (!std::is_sorted(given.begin(), given.end(), earlier)) {
    std::stable_sort(given.begin(), given.end(), earlier);
    warnings.push_back(order_warning(given));
  }
}

void require_reports(std::size_t count, const DiffOptions& options) {
  if (options.ignore_warm_up && count < 3) {
    fail(ExitCode::usage, "--ignore-warm-up leaves the first dump out and needs two more, not ",
         count - 1, "; see hprof-report diff --help");
  }
}

}  // namespace

OrderedReports order_reports(std::vector<NamedReport> given, const DiffOptions& options) {
  require_reports(given.size(), options);
  OrderedReports out;
  if (!options.as_given) {
    sort_by_time(given, out.warnings);
  }
  if (options.ignore_warm_up) {
    out.warm_up = dump_of(given.front().name, given.front().report);
    given.erase(given.begin());
  }
  for (auto& each : given) {
    out.names.push_back(std::move(each.name));
    out.reports.push_back(std::move(each.report));
  }
  adopt_lost_loaders(out.reports, options);
  return out;
}

HeapDiff diff_reports(const OrderedReports& ordered, const DiffOptions& options) {
  const auto& reports = ordered.reports;
  HeapDiff out;
  out.generator = "hprof-report " + tool_version();
  out.raw_names = options.raw_names;
  for (std::size_t at = 0; at < reports.size(); ++at) {
    out.dumps.push_back(dump_of(ordered.names[at], reports[at]));
  }
  out.warm_up = ordered.warm_up;
  out.warnings = ordered.warnings;
  const auto more = comparability_warnings(reports, options);
  out.warnings.insert(out.warnings.end(), more.begin(), more.end());
  out.totals = diff_totals(reports);
  out.suspects = diff_suspects(reports, options);
  out.paths = diff_paths(reports, options);
  out.fields_held = diff_fields(reports, options);
  out.classes = diff_classes(reports, options, out.same_classes);
  out.packages = diff_packages(reports, options);
  out.loaders = diff_loaders(reports, options);
  out.threads = diff_threads(reports, options);
  mark_damaged_dumps(out, reports);
  take_telling_steps(out, reports);
  out.notable = notable_growth(out.totals.front().series);
  const bool one_dump = is_one_dump(reports);
  if (!one_dump) {
    out.causes = find_causes(out);
  }
  out.verdict = verdict_of(out, one_dump);
  return out;
}

}  // namespace hprof
