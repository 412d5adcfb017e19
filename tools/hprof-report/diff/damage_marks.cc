// The tables are made as if every dump were whole. What a GC root reaches in a part of a dump it
// reaches in the whole, so counts and bytes of reachable objects are lower bounds, unless the roots
// are a guess; what something retains may be more or less. Rows keep the order of what was read.
#include "tools/hprof-report/diff/damage_marks.h"

#include "tools/hprof-report/diff/heap_totals.h"

#include <algorithm>

namespace hprof {
namespace {

/// Damaged dumps by what two kinds of figures are worth in them.
struct Marks {
  DamagedDumps counts;
  DamagedDumps sizes;
};

Marks marks_of(const Reports& reports) {
  Marks out;
  for (std::size_t at = 0; at < reports.size(); ++at) {
    if (!reports[at].complete) {
      const bool guessed = reports[at].overview.root_policy == "fallback";
      (guessed ? out.counts.unsure : out.counts.at_least).push_back(at + 1);
      out.sizes.unsure.push_back(at + 1);
    }
  }
  return out;
}

bool is_count(const std::string& total) {
  const auto all = heap_totals();
  return std::any_of(all.begin(), all.end(),
                     [&](const HeapTotal& each) { return each.name == total && each.is_count; });
}

void mark(DiffSuspect& row, const Marks& marks) {
  mark_damage(row.instances, marks.sizes);
  mark_damage(row.retained, marks.sizes);
  row.fate = told_fate(row.fate, row.retained);
}

void mark(DiffPath& row, const Marks& marks) {
  mark_damage(row.retained, marks.sizes);
  row.fate = told_fate(row.fate, row.retained);
  if (range_of(row.retained).unknown) {
    row.unshared_least.reset();
    row.unshared_most.reset();
  }
}

void mark(DiffField& row, const Marks& marks) {
  mark_damage(row.retained, marks.sizes);
  for (auto* series : {&row.collections, &row.elements}) {
    if (*series) {
      mark_damage(**series, marks.sizes);
    }
  }
  row.fate = told_fate(row.fate, row.retained);
}

void mark(DiffClass& row, const Marks& marks) {
  mark_damage(row.copies, marks.counts);
  mark_damage(row.instances, marks.counts);
  mark_damage(row.shallow, marks.counts);
  mark_damage(row.retained, marks.sizes);
  row.fate = told_fate(row.fate, row.retained);
}

void mark(DiffPackage& row, const Marks& marks) {
  mark_damage(row.classes, marks.counts);
  mark_damage(row.instances, marks.counts);
  mark_damage(row.shallow, marks.counts);
}

void mark(DiffLoader& row, const Marks& marks) {
  mark_damage(row.loaders, marks.counts);
  mark_damage(row.classes, marks.counts);
  mark_damage(row.instances, marks.counts);
  mark_damage(row.shallow, marks.counts);
  if (row.retained) {
    mark_damage(*row.retained, marks.sizes);
  }
}

void mark(DiffThread& row, const Marks& marks) {
  mark_damage(row.threads, marks.counts);
  mark_damage(row.retained, marks.sizes);
}

void mark(DiffTotal& row, const Marks& marks) {
  mark_damage(row.series, is_count(row.name) ? marks.counts : marks.sizes);
}

template <typename Row>
void mark_rows(std::vector<Row>& rows, const Marks& marks) {
  for (auto& row : rows) {
    mark(row, marks);
  }
}

}  // namespace

void mark_damaged_dumps(HeapDiff& diff, const Reports& reports) {
  const Marks marks = marks_of(reports);
  if (marks.sizes.unsure.empty()) {
    return;
  }
  mark_rows(diff.totals, marks);
  mark_rows(diff.suspects, marks);
  mark_rows(diff.paths, marks);
  mark_rows(diff.fields_held, marks);
  mark_rows(diff.classes, marks);
  mark_rows(diff.packages, marks);
  mark_rows(diff.loaders, marks);
  if (diff.threads) {
    mark_rows(*diff.threads, marks);
  }
}

}  // namespace hprof
