#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof {

/// Named figures of one run, in the order in which they were first set, for --stats.
class Stats {
 public:
  void set(const std::string& name, std::uint64_t value);
  void set_text(const std::string& name, const std::string& value);
  /// A table such as instances per class: rows of (name, count) under `name`.
  void set_table(const std::string& name, std::vector<std::pair<std::string, std::uint64_t>> rows);
  /// Seconds are kept apart from the counters, since they alone vary from run to run.
  void set_seconds(const std::string& phase, double seconds);

  /// {"counters": {…}, "tables": {…}, "phases": [{"name", "seconds"}]}
  std::string to_json() const;

 private:
  std::vector<std::pair<std::string, std::uint64_t>> counters_;
  std::vector<std::pair<std::string, std::string>> texts_;
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, std::uint64_t>>>> tables_;
  std::vector<std::pair<std::string, double>> phases_;
};

/// Peak resident memory of this process in bytes.
std::uint64_t peak_rss_bytes();

/// Resident memory of this process now, in bytes.
std::uint64_t current_rss_bytes();

/// CPU seconds (user and system) of this process so far.
double cpu_seconds();

}  // namespace hprof
