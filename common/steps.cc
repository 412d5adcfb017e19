#include "common/steps.h"

#include "common/big_array.h"
#include "common/output_file.h"

#include <cstdio>
#include <exception>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <unistd.h>

namespace hprof {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string fixed(double value, int digits) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(digits) << value;
  return out.str();
}

std::string mebibytes(std::uint64_t bytes) {
  return std::to_string(bytes >> 20U) + "MiB";
}

}  // namespace

Progress::Progress(std::string label, bool shown)
    : label_(std::move(label)), shown_(shown), start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  remove();
}

void Progress::update(std::uint64_t done, std::uint64_t total) {
  if (!shown_ || total == 0) {
    return;
  }
  const double share = static_cast<double>(done) / static_cast<double>(total);
  const int percent = share >= 1 ? 100 : static_cast<int>(share * 100);
  if (percent <= percent_) {
    return;
  }
  percent_ = percent;
  const double elapsed = seconds_since(start_);
  std::string line = "\r" + label_ + " " + std::to_string(percent) + "%";
  if (elapsed > 2 && share > 0.01) {
    line += " (" + fixed(elapsed * (1 - share) / share, 0) + "s left)  ";
  }
  std::cerr << line << std::flush;
}

void Progress::remove() {
  if (percent_ >= 0) {
    std::cerr << "\r\x1b[K" << std::flush;
    percent_ = -1;
  }
}

Steps::Steps(const ToolInfo& tool, const CommonOptions& options)
    : tool_(tool), options_(options), start_(std::chrono::steady_clock::now()) {}

bool Steps::shows_progress() const {
  switch (options_.progress) {
    case ProgressMode::always:
      return true;
    case ProgressMode::never:
      return false;
    case ProgressMode::automatic:
      break;
  }
  return !options_.quiet && ::isatty(STDERR_FILENO) == 1;
}

Steps::Scope::Scope(Steps& owner, std::string step_name)
    : steps(owner),
      name(std::move(step_name)),
      cpu_before(cpu_seconds()),
      column_bytes_before(big_array_use().total),
      progress(owner.tool_.name + ": " + name, owner.shows_progress()) {}

Steps::Scope::~Scope() {
  progress.remove();
  if (std::uncaught_exceptions() != 0) {
    return;  // the step has failed, and there may be no memory to say anything
  }
  steps.stats_.add_phase({.name = name,
                          .seconds = cpu_seconds() - cpu_before,
                          .column_bytes_allocated = big_array_use().total - column_bytes_before,
                          .rss_bytes = current_rss_bytes(),
                          .peak_rss_bytes = peak_rss_bytes()});
  if (steps.options_.verbose || steps.options_.trace_rss) {
    std::cerr << steps.tool_.name << ": " << fixed(seconds_since(steps.start_), 1) << "s "
              << mebibytes(current_rss_bytes()) << "  " << name << " done\n";
  }
}

void Steps::note(const std::string& text) const {
  if (options_.verbose) {
    std::cerr << tool_.name << ": " << text << "\n";
  }
}

void Steps::warn(const std::string& text) const {
  if (!options_.quiet) {
    std::cerr << tool_.name << ": warning: " << text << "\n";
  }
}

void Steps::finish(const std::string& stats_path) {
  note(tool_version() + ", " + fixed(seconds_since(start_), 2) + "s real, " +
       fixed(cpu_seconds(), 2) + "s CPU, peak " + mebibytes(peak_rss_bytes()));
  if (!stats_path.empty()) {
    stats_.set("column_bytes_allocated", big_array_use().total);
    stats_.set("column_bytes_peak", big_array_use().peak);
    stats_.set("peak_rss_bytes", peak_rss_bytes());
    OutputFile out(stats_path);
    out.write(stats_.to_json());
    out.commit();
  }
}

}  // namespace hprof
