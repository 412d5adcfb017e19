#include "tools/hprof-report/triage/loader_copies.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace hprof::triage {
namespace {

constexpr std::uint64_t kFewestCopies = 3;

using Loaders = std::map<std::uint64_t, std::vector<const HistogramRow*>>;

/// "app.Loader @ 0x700" without its address.
std::string_view loader_class_of(const HistogramRow& row) {
  const std::string_view label = row.loader_label;
  return label.substr(0, label.rfind(" @ 0x"));
}

std::map<std::string_view, Loaders> by_loader_class(const std::vector<HistogramRow>& histogram) {
  std::map<std::string_view, Loaders> out;
  for (const auto& row : histogram) {
    if (row.loader_address.value != 0) {
      out[loader_class_of(row)][row.loader_address.value].push_back(&row);
    }
  }
  return out;
}

/// The classes of one name, by the addresses of their loaders, each loader once.
struct Copies {
  std::set<std::uint64_t> loaders;
  std::uint64_t retained = 0;
};
using CopiesByName = std::map<std::string_view, Copies>;

CopiesByName copies_of(const Loaders& loaders) {
  CopiesByName out;
  for (const auto& [address, rows] : loaders) {
    for (const auto* row : rows) {
      auto& copies = out[row->class_name];
      copies.loaders.insert(address);
      copies.retained += row->retained;
    }
  }
  return out;
}

Loaders loaders_of_mostly_shared(const Loaders& loaders, const CopiesByName& copies) {
  Loaders out;
  for (const auto& [address, rows] : loaders) {
    const auto shared = std::count_if(rows.begin(), rows.end(), [&](const HistogramRow* row) {
      return copies.at(row->class_name).loaders.size() >= kFewestCopies;
    });
    if (2 * static_cast<std::size_t>(shared) >= rows.size()) {
      out[address] = rows;
    }
  }
  return out;
}

bool is_leading(const Copies& copies, const Copies& other) {
  return std::pair(copies.loaders.size(), copies.retained) >
         std::pair(other.loaders.size(), other.retained);
}

/// Of `loaders` those that have the class which most of them have.
std::optional<LoaderCopies> judge(std::string_view loader_class, const Loaders& loaders) {
  const auto copies = copies_of(loaders_of_mostly_shared(loaders, copies_of(loaders)));
  const auto leading =
      std::min_element(copies.begin(), copies.end(),
                       [](const auto& a, const auto& b) { return is_leading(a.second, b.second); });
  if (leading == copies.end() || leading->second.loaders.size() < kFewestCopies) {
    return std::nullopt;
  }
  const auto& [name, found] = *leading;
  LoaderCopies out;
  out.loader_class = loader_class;
  out.loaders = found.loaders.size();
  out.class_name = name;
  out.retained = found.retained;
  for (const auto& [other, each] : copies) {
    const bool shared = std::includes(each.loaders.begin(), each.loaders.end(),
                                      found.loaders.begin(), found.loaders.end());
    out.shared_classes += shared ? 1 : 0;
  }
  return out;
}

}  // namespace

std::optional<LoaderCopies> find_loader_copies(const std::vector<HistogramRow>& histogram) {
  std::optional<LoaderCopies> best;
  for (const auto& [loader_class, loaders] : by_loader_class(histogram)) {
    const auto copies = judge(loader_class, loaders);
    if (copies && (!best || copies->retained > best->retained)) {
      best = copies;
    }
  }
  return best;
}

}  // namespace hprof::triage
