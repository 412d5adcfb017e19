#include "tools/hprof-report/paths/held_together.h"

#include "tools/hprof-report/thresholds.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kMostClasses = 3;
constexpr std::uint64_t kLeastTenths = 1;  ///< of what the point retains, for a class to be named
constexpr std::uint64_t kMostTenths = 5;
constexpr std::uint64_t kMuchTenths = 3;

/// Whether classes that retain `sum` are what to speak of: half of what the point retains, or a
/// good part of it and more than any single object below the point.
bool says_most(const std::vector<ClassShare>& classes, std::uint64_t sum,
               std::uint64_t point_retained, const Accumulated& accumulated) {
  const auto largest = accumulated.largest.empty() ? 0 : accumulated.largest.front().retained;
  return !classes.empty() && (reaches_share(sum, point_retained, kMostTenths, 10) ||
                              (reaches_share(sum, point_retained, kMuchTenths, 10) &&
                               classes.front().retained.value_or(0) > largest));
}

bool leads_to(const Heap& heap, const SharedWay& way, const ClassShare& row) {
  return heap.class_address(way.class_index) == row.class_address;
}

/// The largest classes to which there are ways, until half of what the point retains is named.
std::vector<ClassShare> shared_classes(const Heap& heap, std::uint64_t point_retained,
                                       const Accumulated& accumulated,
                                       const std::vector<SharedWay>& ways) {
  std::vector<ClassShare> out;
  std::uint64_t sum = 0;
  for (const auto& row : accumulated.classes) {
    const auto retained = row.retained.value_or(0);
    const bool shared = std::any_of(ways.begin(), ways.end(),
                                    [&](const SharedWay& way) { return leads_to(heap, way, row); });
    if (out.size() == kMostClasses || reaches_share(sum, point_retained, kMostTenths, 10)) {
      break;
    }
    if (shared && reaches_share(retained, point_retained, kLeastTenths, 10)) {
      out.push_back(row);
      sum += retained;
    }
  }
  if (!says_most(out, sum, point_retained, accumulated)) {
    out.clear();
  }
  return out;
}

/// The reference with what is freed where it goes: what it references, unless that is one of the
/// shared objects.
std::optional<SharingReference> reference_on(const ObjectPath& path,
                                             const PathDescriber& describer) {
  const auto described = describer.describe(path);
  auto found = describer.first_holder(described);
  if (!found) {
    return std::nullopt;
  }
  const bool is_last = found->step + 1 == described.steps.size();
  const auto& step = described.steps[found->step - (is_last ? 1 : 0)];
  return SharingReference{.holder = std::move(found->holder),
                          .object = {.address = step.address,
                                     .class_name = step.class_name,
                                     .label = step.label,
                                     .shallow = step.shallow,
                                     .retained = step.retained}};
}

}  // namespace

std::optional<HeldTogether> held_together(const Heap& heap, std::uint64_t point_retained,
                                          const Accumulated& accumulated,
                                          const std::vector<SharedWay>& ways,
                                          const std::vector<ObjectPath>& paths,
                                          const PathDescriber& describer) {
  HeldTogether out{.classes = shared_classes(heap, point_retained, accumulated, ways),
                   .references = {}};
  if (out.classes.empty()) {
    return std::nullopt;
  }
  for (const auto& row : out.classes) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      auto reference =
          leads_to(heap, ways[i], row) ? reference_on(paths[i], describer) : std::nullopt;
      if (reference && std::find(out.references.begin(), out.references.end(), *reference) ==
                           out.references.end()) {
        out.references.push_back(std::move(*reference));
      }
    }
  }
  return out;
}

}  // namespace hprof
