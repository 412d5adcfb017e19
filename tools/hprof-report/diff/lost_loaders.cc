// A class of which the dump does not hold the loader counts as one of the system class loader, and
// would be another class than that of the whole dumps.
#include "tools/hprof-report/diff/lost_loaders.h"

#include <algorithm>
#include <optional>

namespace hprof {
namespace {

/// The loader of each class; nothing of one that several loaders have defined.
using Loaders = std::map<std::string, std::optional<std::string>>;

/// Adds what the whole reports tell, or else the damaged ones, which do not tell that a loader is
/// the system's.
void learn(Loaders& loaders, const Reports& reports, bool whole, const DiffOptions& options) {
  const Loaders before = loaders;
  for (const auto& report : reports) {
    for (const auto& row : report.overview.histogram) {
      const auto name = class_key(row.class_name, options);
      const bool told = report.complete == whole && (whole || row.loader_address.value != 0);
      if (told && !before.contains(name)) {
        const auto label = loader_key(row.loader_label, options);
        auto& known = loaders.try_emplace(name, label).first->second;
        known = known == label ? known : std::nullopt;
      }
    }
  }
}

void adopt(Report& report, const Loaders& loaders, const DiffOptions& options) {
  for (auto& row : report.overview.histogram) {
    const auto found = loaders.find(class_key(row.class_name, options));
    if (row.loader_address.value == 0 && found != loaders.end() && found->second) {
      row.loader_label = *found->second;
    }
  }
}

}  // namespace

void adopt_lost_loaders(Reports& reports, const DiffOptions& options) {
  if (std::all_of(reports.begin(), reports.end(),
                  [](const Report& report) { return report.complete; })) {
    return;
  }
  Loaders loaders;
  learn(loaders, reports, true, options);
  learn(loaders, reports, false, options);
  for (auto& report : reports) {
    if (!report.complete) {
      adopt(report, loaders, options);
    }
  }
}

}  // namespace hprof
