#include "common/stats.h"

#include "common/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sys/resource.h>
#include <unistd.h>

namespace hprof {

void Stats::set(const std::string& name, std::uint64_t value) {
  const auto found = std::find_if(counters_.begin(), counters_.end(),
                                  [&](const auto& row) { return row.first == name; });
  if (found != counters_.end()) {
    found->second = value;
  } else {
    counters_.emplace_back(name, value);
  }
}

void Stats::set_text(const std::string& name, const std::string& value) {
  texts_.emplace_back(name, value);
}

void Stats::set_table(const std::string& name,
                      std::vector<std::pair<std::string, std::uint64_t>> rows) {
  tables_.emplace_back(name, std::move(rows));
}

std::string Stats::to_json() const {
  nlohmann::ordered_json out;
  for (const auto& [name, value] : texts_) {
    out[name] = printable(value);
  }
  out["counters"] = nlohmann::ordered_json::object();
  for (const auto& [name, value] : counters_) {
    out["counters"][name] = value;
  }
  for (const auto& [name, rows] : tables_) {
    auto table = nlohmann::ordered_json::array();
    for (const auto& [row, count] : rows) {
      table.push_back({{"name", printable(row)}, {"count", count}});
    }
    out["tables"][name] = std::move(table);
  }
  out["phases"] = nlohmann::ordered_json::array();
  for (const auto& phase : phases_) {
    out["phases"].push_back({{"name", phase.name},
                             {"seconds", phase.seconds},
                             {"column_bytes_allocated", phase.column_bytes_allocated},
                             {"rss_bytes", phase.rss_bytes},
                             {"peak_rss_bytes", phase.peak_rss_bytes}});
  }
  return out.dump(1) + "\n";
}

std::uint64_t peak_rss_bytes() {
  // What getrusage() tells counts the program that started this one as well, however big it was.
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;) {
    std::uint64_t kibibytes = 0;
    if (word == "VmHWM:" && in >> kibibytes) {
      return kibibytes * 1024;
    }
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

std::uint64_t current_rss_bytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  in >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace hprof
