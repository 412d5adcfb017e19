#pragma once

#include "formats/report/overview.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof::triage {

/// Class loaders of one class that have loaded the same classes again and again, as each
/// redeployment of a leaking application does.
struct LoaderCopies {
  std::string loader_class;
  std::uint64_t loaders = 0;
  std::uint64_t shared_classes = 0;  ///< names that each of them has loaded a class of
  std::string class_name;            ///< the one of these whose copies retain most
  std::uint64_t retained = 0;        ///< by those copies
};

/// The loader class whose loaders' copies retain most; nothing where no class has at least three
/// loaders with mostly the same classes. (Loaders that share a library but have classes of their
/// own are plug-ins side by side, not copies.)
std::optional<LoaderCopies> find_loader_copies(const std::vector<HistogramRow>& histogram);

}  // namespace hprof::triage
