#pragma once

#include "common/options.h"
#include "common/stats.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hprof {

/// One line on stderr with the percentage of the current step; redrawn only when the percentage
/// changes, and only on a terminal unless --progress=always. With --progress=never it does nothing.
class Progress {
 public:
  Progress(std::string label, bool shown);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// `done` of `total` units; cheap enough for once per some thousand rows.
  void update(std::uint64_t done, std::uint64_t total);
  /// Wipes the line, so that a message can be printed.
  void remove();

 private:
  std::string label_;
  bool shown_;
  int percent_ = -1;
  std::chrono::steady_clock::time_point start_;
};

/// Runs a tool's named steps: timing, memory, progress, -v lines, warnings and the --stats file.
class Steps {
 public:
  Steps(const ToolInfo& tool, const CommonOptions& options);

  /// Runs `work(progress)` and returns what it returns.
  template <typename Work>
  auto run(const std::string& name, Work&& work) {
    Scope scope(*this, name);
    return std::forward<Work>(work)(scope.progress);
  }

  /// A line on stderr with -v.
  void note(const std::string& text) const;
  /// A line on stderr unless -q.
  void warn(const std::string& text) const;

  Stats& stats() { return stats_; }

  /// The last -v line (version, seconds, peak memory), and the counters into `stats_path` if there
  /// is one.
  void finish(const std::string& stats_path);

 private:
  struct Scope {
    Scope(Steps& owner, std::string step_name);
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope();

    Steps& steps;
    std::string name;
    double cpu_before;
    std::uint64_t column_bytes_before;
    Progress progress;
  };

  bool shows_progress() const;

  ToolInfo tool_;
  CommonOptions options_;
  Stats stats_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace hprof
