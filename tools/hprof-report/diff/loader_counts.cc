// The histogram names each loader that has defined a reachable class; the list of loaders names the
// others, too, but has room for some only.
#include "tools/hprof-report/diff/loader_counts.h"

#include <algorithm>
#include <set>

namespace hprof {
namespace {

using Addresses = std::set<std::uint64_t>;

/// 0 is that of the system class loader, and of loaders that a damaged dump has lost: they are one
/// at least, and may be among the others.
std::uint64_t told_loaders(const Addresses& addresses) {
  return std::max<std::uint64_t>(addresses.size() - (addresses.contains(0) ? 1 : 0), 1);
}

std::map<std::string, Addresses> loaders_by_class(const Report& report,
                                                  const DiffOptions& options) {
  std::map<std::string, Addresses> out;
  for (const auto& row : report.overview.histogram) {
    out[loader_key(row.loader_label, options)].insert(row.loader_address.value);
  }
  if (report.overview.class_loaders) {
    for (const auto& row : *report.overview.class_loaders) {
      out[loader_key(row.label, options)].insert(row.address.value);
    }
  }
  return out;
}

bool lists_all(const Overview& overview) {
  return overview.class_loaders && overview.class_loaders->size() >= overview.classloaders_loaded;
}

}  // namespace

LoaderCounts count_loaders(const Report& report, const DiffOptions& options) {
  const auto loaders = loaders_by_class(report, options);
  Addresses all;
  for (const auto& [name, addresses] : loaders) {
    all.insert(addresses.begin(), addresses.end());
  }
  const std::uint64_t loaded = report.overview.classloaders_loaded;
  LoaderCounts out;
  out.unlisted =
      lists_all(report.overview) ? 0 : loaded - std::min<std::uint64_t>(loaded, all.size());
  for (const auto& [name, addresses] : loaders) {
    const std::uint64_t told = told_loaders(addresses);
    const bool is_system_loader = addresses == Addresses{0};
    out.by_class[name] = {told, told + (is_system_loader ? 0 : out.unlisted)};
  }
  return out;
}

}  // namespace hprof
