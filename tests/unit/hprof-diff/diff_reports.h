#pragma once

#include "formats/report/report.h"
#include "tools/hprof-report/diff/heap_differ.h"
#include "tools/hprof-report/gate/gate.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace hprof::test {

/// A row of a histogram by class, loader and figures.
HistogramRow class_row(const std::string& name, const std::string& loader, std::uint64_t instances,
                       std::uint64_t shallow, std::uint64_t retained);

/// A report on a heap of so many bytes, taken so many seconds after the first one.
Report heap_report(std::uint64_t seconds, std::uint64_t used_heap,
                   std::vector<HistogramRow> histogram = {});

/// A path from a static field through a map to an object.
ReferencePath cache_path(const std::string& owner, const std::string& field,
                         const std::string& class_name, std::uint64_t address);

/// A single suspect at the end of such a path.
Suspect cache_suspect(const std::string& owner, const std::string& field, std::uint64_t retained,
                      std::uint64_t address);

/// Reports named a.json, b.json, … in order, compared.
HeapDiff diff_of(std::vector<Report> reports, const DiffOptions& options = {});

/// The same in the order that order_reports() gives.
OrderedReports ordered(std::vector<Report> reports, const DiffOptions& options = {});

/// What comes of rules about the reports.
GateReport compared(std::vector<Report> reports, const std::vector<std::string>& rules,
                    bool allow_missing = false);

/// The row of a table that a condition picks; fails the test where there is none.
template <typename Row, typename Test>
const Row& row_where(const std::vector<Row>& rows, Test test) {
  for (const auto& row : rows) {
    if (test(row)) {
      return row;
    }
  }
  throw std::runtime_error("there is no such row");
}

const DiffClass& class_named(const HeapDiff& diff, const std::string& name);

}  // namespace hprof::test
