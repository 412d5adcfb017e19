#include "tools/hprof-report/top_filler.h"

#include "formats/report/units.h"
#include "tools/hprof-report/package_tree.h"
#include "tools/hprof-report/thresholds.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kPercent = 1;

/// What counts as big, and how many rows to show at least.
struct Scale {
  std::uint64_t whole = 0;
  std::uint64_t threshold = 0;
  std::size_t rows = 0;
};

/// Key and sum of a class or loader.
using KeyedSum = std::pair<std::uint32_t, GroupSum>;

/// By descending retained size, then by key; cut after all above the threshold and at least `rows`.
std::vector<KeyedSum> largest(std::vector<KeyedSum> sums, const Scale& scale) {
  std::sort(sums.begin(), sums.end(), [](const KeyedSum& a, const KeyedSum& b) {
    return a.second.retained != b.second.retained ? a.second.retained > b.second.retained
                                                  : a.first < b.first;
  });
  const auto above = std::find_if(sums.begin(), sums.end(), [&](const KeyedSum& sum) {
    return sum.second.retained <= scale.threshold;
  });
  const auto passed = static_cast<std::size_t>(above - sums.begin());
  sums.resize(std::min(sums.size(), std::max(passed, scale.rows)));
  return sums;
}

std::vector<TopObject> objects(const Heap& heap, const TopLevel& top_level, const Scale& scale) {
  std::vector<TopObject> out;
  for (const auto& object : top_level.largest()) {
    const bool above = object.retained > scale.threshold;
    if (!above && out.size() >= scale.rows) {
      break;
    }
    out.push_back({.address = heap.address(object.index),
                   .class_name = heap.class_name(heap.class_of(object)),
                   .label = heap.label(object),
                   .shallow = object.shallow,
                   .retained = object.retained,
                   .retained_bp = share_bp(object.retained, scale.whole),
                   .above_threshold = above});
  }
  return out;
}

std::vector<TopClass> classes(const Heap& heap, const TopLevel& top_level, const Scale& scale) {
  std::vector<KeyedSum> sums;
  for (std::uint32_t row = 0; row < top_level.by_class().size(); ++row) {
    if (top_level.by_class()[row].instances != 0) {
      sums.emplace_back(row, top_level.by_class()[row]);
    }
  }
  std::vector<TopClass> out;
  for (const auto& [key, sum] : largest(std::move(sums), scale)) {
    out.push_back({.class_name = heap.class_name(ClassIndex(key)),
                   .class_address = heap.class_address(ClassIndex(key)),
                   .instances = sum.instances,
                   .shallow = sum.shallow,
                   .retained = sum.retained,
                   .retained_bp = share_bp(sum.retained, scale.whole),
                   .above_threshold = sum.retained > scale.threshold});
  }
  return out;
}

std::vector<TopLoader> loaders(const Heap& heap, const TopLevel& top_level, const Scale& scale) {
  std::vector<KeyedSum> sums(top_level.by_loader().begin(), top_level.by_loader().end());
  std::vector<TopLoader> out;
  for (const auto& [key, sum] : largest(std::move(sums), scale)) {
    out.push_back({.address = heap.address(key),
                   .label = heap.loader_label(ObjectIndex(key)),
                   .instances = sum.instances,
                   .shallow = sum.shallow,
                   .retained = sum.retained,
                   .retained_bp = share_bp(sum.retained, scale.whole),
                   .above_threshold = sum.retained > scale.threshold});
  }
  return out;
}

PackageNode packages(const Heap& heap, const TopLevel& top_level, const Scale& scale) {
  PackageTree tree;
  for (std::uint32_t row = 0; row < top_level.by_name_class().size(); ++row) {
    if (top_level.by_name_class()[row].instances != 0) {
      tree.add(heap.class_name(ClassIndex(row)), top_level.by_name_class()[row]);
    }
  }
  return tree.pruned(scale.threshold, scale.whole);
}

std::vector<SizeClassRow> size_distribution(const TopLevel& top_level) {
  std::vector<SizeClassRow> rows;
  for (unsigned bits = 0; bits < top_level.by_size_bits().size(); ++bits) {
    const auto& sum = top_level.by_size_bits().at(bits);
    if (sum.instances != 0) {
      const std::uint64_t from = bits == 0 ? 0 : std::uint64_t{1} << (bits - 1);
      rows.push_back({.from = from,
                      .to = bits == 0 ? 0 : from + (from - 1),
                      .objects = sum.instances,
                      .retained = sum.retained});
    }
  }
  return rows;
}

}  // namespace

TopConsumers fill_top_consumers(const Heap& heap, const TopLevel& top_level, std::size_t rows,
                                std::uint64_t whole) {
  const Scale scale{whole, share_of(whole, kPercent, 100), rows};
  return {.threshold_bp = kPercent * 100,
          .threshold = scale.threshold,
          .top_level_objects = top_level.count(),
          .biggest_objects = objects(heap, top_level, scale),
          .biggest_classes = classes(heap, top_level, scale),
          .biggest_class_loaders = loaders(heap, top_level, scale),
          .biggest_packages = packages(heap, top_level, scale),
          .size_distribution = size_distribution(top_level)};
}

}  // namespace hprof
