#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof {

/// What one step of a tool cost. Memory is what the process held so far at most and at the step's
/// end; column bytes are those that BigArray handed out during the step.
struct Phase {
  std::string name;
  double seconds = 0;
  std::uint64_t column_bytes_allocated = 0;
  std::uint64_t rss_bytes = 0;
  std::uint64_t peak_rss_bytes = 0;
};

/// Named figures of one run, in the order in which they were first set, for --stats.
class Stats {
 public:
  void set(const std::string& name, std::uint64_t value);
  void set_text(const std::string& name, const std::string& value);
  /// A table such as instances per class: rows of (name, count) under `name`.
  void set_table(const std::string& name, std::vector<std::pair<std::string, std::uint64_t>> rows);
  /// Kept apart from the counters, since seconds and memory vary from run to run.
  void add_phase(Phase phase) { phases_.push_back(std::move(phase)); }

  /// {"counters": {…}, "tables": {…}, "phases": [{"name", "seconds", "column_bytes_allocated",
  /// "rss_bytes", "peak_rss_bytes"}]}
  std::string to_json() const;

 private:
  std::vector<std::pair<std::string, std::uint64_t>> counters_;
  std::vector<std::pair<std::string, std::string>> texts_;
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::uint64_t>>>> tables_;
  std::vector<Phase> phases_;
};

/// Peak resident memory of this process in bytes.
std::uint64_t peak_rss_bytes();

/// Resident memory of this process now, in bytes.
std::uint64_t current_rss_bytes();

/// CPU seconds (user and system) of this process so far.
double cpu_seconds();

}  // namespace hprof
