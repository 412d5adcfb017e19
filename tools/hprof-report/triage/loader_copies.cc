#include "tools/hprof-report/triage/loader_copies.h"

#include <map>
#include <string_view>

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

struct Copies {
  std::uint64_t count = 0;
  std::uint64_t retained = 0;
};
using CopiesByName = std::map<std::string_view, Copies>;

CopiesByName copies_of(const Loaders& loaders) {
  CopiesByName out;
  for (const auto& [address, rows] : loaders) {
    for (const auto* row : rows) {
      auto& copies = out[row->class_name];
      ++copies.count;
      copies.retained += row->retained;
    }
  }
  return out;
}

bool is_shared(const CopiesByName& copies, const HistogramRow& row) {
  return copies.at(row.class_name).count >= kFewestCopies;
}

std::uint64_t loaders_of_mostly_shared(const Loaders& loaders, const CopiesByName& copies) {
  std::uint64_t count = 0;
  for (const auto& [address, rows] : loaders) {
    std::size_t shared = 0;
    for (const auto* row : rows) {
      shared += is_shared(copies, *row) ? 1 : 0;
    }
    count += 2 * shared >= rows.size() ? 1 : 0;
  }
  return count;
}

std::optional<LoaderCopies> judge(std::string_view loader_class, const Loaders& loaders) {
  const auto copies = copies_of(loaders);
  LoaderCopies out;
  out.loader_class = loader_class;
  out.loaders = loaders_of_mostly_shared(loaders, copies);
  for (const auto& [name, found] : copies) {
    if (found.count < kFewestCopies) {
      continue;
    }
    ++out.shared_classes;
    if (out.class_name.empty() || found.retained > out.retained) {
      out.class_name = name;
      out.retained = found.retained;
    }
  }
  return out.loaders >= kFewestCopies && out.shared_classes != 0 ? std::optional(out)
                                                                 : std::nullopt;
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
