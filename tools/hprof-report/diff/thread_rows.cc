#include "common/checked.h"
#include "tools/hprof-report/diff/row_diffs.h"
#include "tools/hprof-report/joined_names.h"

#include <algorithm>

namespace hprof {
namespace {

/// Threads that the list has no room for may have any name; none of them retains more than the last
/// one that is listed.
void add_unlisted(Join<std::string, ThreadSums>& join, const Threads& threads, std::size_t at) {
  const std::uint64_t each = threads.threads.empty() ? 0 : threads.threads.back().retained;
  for (const auto& [key, row] : join.rows()) {
    auto& sums = join.at(key, at);
    sums.threads.most = checked_add(sums.threads.least, threads.left_out);
    sums.retained.most = checked_add(sums.retained.least, checked_mul(threads.left_out, each));
  }
}

void add_listed(Join<std::string, ThreadSums>& join, const Threads& threads, std::size_t at,
                const DiffOptions& options) {
  for (const auto& thread : threads.threads) {
    auto& sums = join.at(thread_key(thread, options), at);
    ++sums.threads.least;
    sums.retained.least = checked_add(sums.retained.least, thread.retained);
  }
}

}  // namespace

std::string thread_key(const ThreadRow& thread, const DiffOptions& options) {
  const std::string name = thread.name.value_or("");
  if (name.empty()) {
    return "(" + class_key(thread.class_name, options) + ")";
  }
  return options.raw_names ? name : joined_thread_name(name);
}

std::optional<std::vector<DiffThread>> diff_threads(const Reports& reports,
                                                    const DiffOptions& options) {
  Join<std::string, ThreadSums> join(reports.size());
  for (std::size_t at = 0; at < reports.size(); ++at) {
    if (!reports[at].threads) {
      return std::nullopt;
    }
    add_listed(join, *reports[at].threads, at, options);
  }
  for (std::size_t at = 0; at < reports.size(); ++at) {
    add_unlisted(join, *reports[at].threads, at);
  }
  std::vector<DiffThread> out;
  for (const auto& [name, sums] : join.rows()) {
    DiffThread row{name, series_of(sums, &ThreadSums::threads),
                   series_of(sums, &ThreadSums::retained)};
    if (!is_constant(row.threads) || !is_constant(row.retained)) {
      out.push_back(std::move(row));
    }
  }
  std::stable_sort(out.begin(), out.end(), [](const DiffThread& a, const DiffThread& b) {
    return a.retained.change.amount > b.retained.change.amount;
  });
  return out;
}

}  // namespace hprof
