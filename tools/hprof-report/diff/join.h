#pragma once

#include "formats/diff/series.h"
#include "formats/report/report.h"

#include <map>
#include <string>
#include <vector>

namespace hprof {

/// The reports that are compared, by time.
using Reports = std::vector<Report>;

/// What of the rows of several reports belongs together, and how.
struct DiffOptions {
  bool raw_names = false;
  bool as_given = false;
  bool ignore_warm_up = false;
};

/// Rows of several reports by a key that they share: per key one T for each report.
template <typename Key, typename T>
class Join {
 public:
  explicit Join(std::size_t reports) : reports_(reports) {}

  T& at(const Key& key, std::size_t report) {
    return rows_.try_emplace(key, std::vector<T>(reports_)).first->second[report];
  }
  const std::map<Key, std::vector<T>>& rows() const { return rows_; }

 private:
  std::size_t reports_;
  std::map<Key, std::vector<T>> rows_;
};

/// The series of one number of each T.
template <typename T>
DiffSeries series_of(const std::vector<T>& row, std::uint64_t T::*number) {
  std::vector<std::uint64_t> values;
  values.reserve(row.size());
  for (const auto& part : row) {
    values.push_back(part.*number);
  }
  return exact_series(values);
}

/// The same for numbers that some reports know between bounds only.
template <typename T>
DiffSeries series_of(const std::vector<T>& row, Bounds T::*number) {
  std::vector<Bounds> values;
  values.reserve(row.size());
  for (const auto& part : row) {
    values.push_back(part.*number);
  }
  return make_series(values);
}

/// a + b, at most `most`.
std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b, std::uint64_t most);

/// Whether nothing moved at any step.
bool is_constant(const DiffSeries& series);

/// What became of something that the first and the last report list or do not; what has no size
/// there for certain is not there.
Fate fate_of(bool in_first, bool in_last, const DiffSeries& size);

/// The name of a class as it is joined.
std::string class_key(const std::string& name, const DiffOptions& options);

/// The class of a loader from its label, as it is joined.
std::string loader_key(const std::string& label, const DiffOptions& options);

}  // namespace hprof
