// A big object belongs to a loader as its class object, as an instance of one of its classes, or is
// the loader itself.
#include "tools/hprof-report/loaders/loader_keepers.h"

#include "tools/hprof-report/joined_names.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace hprof {
namespace {

constexpr std::size_t kMostKeepers = 3;
constexpr std::string_view kThread = "thread ";

/// What keeps an object alive, in a word: the field or local, else the thread at its root.
std::optional<std::string> keeper_of(const TopObject& object, bool raw_names) {
  if (object.holder) {
    return object.holder->name;
  }
  if (!object.why_alive || object.why_alive->steps.empty()) {
    return std::nullopt;
  }
  const auto& root = object.why_alive->steps.front();
  const std::string label = without_address(root.label);
  const bool named = label.starts_with(root.class_name + " ");
  const std::string name = named ? label.substr(root.class_name.size() + 1) : "";
  return name.empty()
             ? std::nullopt
             : std::optional(std::string(kThread) + (raw_names ? name : joined_thread_name(name)));
}

std::set<std::string> loaders_of(const TopObject& object, const Report& report,
                                 const std::set<std::string>& loader_classes, bool raw_names) {
  const std::string label = without_address(object.label);
  const bool is_class = label.starts_with("class ");
  const std::string name = is_class ? label.substr(6) : object.class_name;
  const std::string joined = raw_names ? name : joined_class_name(name);
  std::set<std::string> out;
  if (loader_classes.contains(joined)) {
    out.insert(joined);
  }
  for (const auto& row : report.overview.histogram) {
    if (row.class_name == name) {
      out.insert(joined_label(row.loader_label, raw_names));
    }
  }
  return out;
}

std::vector<std::string> most_frequent(const std::map<std::string, std::uint64_t>& counts) {
  std::vector<std::pair<std::uint64_t, std::string>> order;
  order.reserve(counts.size());
  for (const auto& [name, count] : counts) {
    order.emplace_back(~count, name);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> out;
  for (const auto& [count, name] : order) {
    if (out.size() < kMostKeepers) {
      out.push_back(name);
    }
  }
  return out;
}

}  // namespace

std::map<std::string, std::vector<std::string>> loader_keepers(
    const Report& report, const std::set<std::string>& loader_classes, bool raw_names) {
  std::map<std::string, std::map<std::string, std::uint64_t>> counts;
  for (const auto& object : report.top.biggest_objects) {
    const auto keeper = keeper_of(object, raw_names);
    for (const auto& loader : loaders_of(object, report, loader_classes, raw_names)) {
      if (keeper && loader_classes.contains(loader)) {
        ++counts[loader][*keeper];
      }
    }
  }
  std::map<std::string, std::vector<std::string>> out;
  for (const auto& [loader, keepers] : counts) {
    out[loader] = most_frequent(keepers);
  }
  return out;
}

void say_keepers(triage::Wording& wording, const std::string& before,
                 const std::vector<std::string>& keepers) {
  for (std::size_t i = 0; i < keepers.size(); ++i) {
    const bool thread = keepers[i].starts_with(kThread);
    wording.words((i == 0                    ? before
                   : i + 1 == keepers.size() ? " and "
                                             : ", ") +
                  std::string(thread ? kThread : ""));
    wording.name(thread ? keepers[i].substr(kThread.size()) : keepers[i]);
  }
}

}  // namespace hprof
