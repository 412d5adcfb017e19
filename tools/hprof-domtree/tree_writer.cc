// At any moment four columns of up to four bytes per object are alive: positions, ends, sums and
// classes; then positions, dominators, retained sizes and objects.
#include "tools/hprof-domtree/tree_writer.h"

#include "tools/hprof-domtree/object_sums.h"
#include "tools/hprof-domtree/retained.h"

#include <utility>

namespace hprof {
namespace {

constexpr std::uint32_t kProgressStep = 1U << 18U;

template <typename Unit>
RetainedSizes<Unit> add_up_sizes(const GraphFile& file, const DominatorOrder& order,
                                 ObjectSums& sums, Progress& progress) {
  const auto& summary = file.summary();
  return RetainedSizes<Unit>(order, summary.size_unit, [&](auto&& add) {
    file.for_each_object([&](const ObjectRow& row) {
      add(row.index, row.shallow);
      sums.add(row);
      if (row.index % kProgressStep == 0) {
        progress.update(row.index, summary.objects);
      }
    });
  });
}

template <typename Unit>
void set_class_retained(const DominatorOrder& order, const RetainedSizes<Unit>& sizes,
                        ObjectSums& sums) {
  auto& classes = sums.classes();
  const auto retained = class_retained(
      order.end, sums.members(), classes.size(),
      [&](std::uint32_t position, std::uint32_t end) { return sizes.bytes(position, end); });
  for (std::size_t i = 0; i < classes.size(); ++i) {
    classes[i].retained = retained[i];
  }
  sums.release_members();
}

/// Turns positions of dominators into their objects.
void name_dominators(BigArray<std::uint32_t>& dominators,
                     const BigArray<std::uint32_t>& position_of) {
  const auto objects =
      objects_by_position(position_of, static_cast<std::uint32_t>(dominators.size() - 1));
  for (auto& dominator : dominators) {
    dominator = dominator == 0 ? kVirtualRoot : objects[dominator];
  }
}

template <typename Unit>
void append_nodes(DomtreeWriter& out, const BigArray<std::uint32_t>& position_of,
                  const BigArray<std::uint32_t>& dominators, const BigArray<Unit>& retained,
                  std::uint32_t size_unit, Progress& progress) {
  for (std::uint64_t object = 0; object < position_of.size(); ++object) {
    const std::uint32_t position = position_of[object];
    if (position == 0) {
      out.append(kUnreachable, 0);
    } else {
      out.append(dominators[position], std::uint64_t{retained[position]} * size_unit);
    }
    if (object % kProgressStep == 0) {
      progress.update(object, position_of.size());
    }
  }
}

template <typename Unit>
FileIdentity write_with(const std::string& path, const Provenance& provenance,
                        const GraphFile& file, DominatorOrder order, Steps& steps) {
  ObjectSums sums(file, order);
  auto sizes = steps.run("retained sizes", [&](Progress& progress) {
    return add_up_sizes<Unit>(file, order, sums, progress);
  });
  steps.run("retained sizes of classes",
            [&](Progress&) { set_class_retained(order, sizes, sums); });
  const auto summary = sums.summary();
  check(summary.reachable_shallow == sizes.total_bytes(),
        "R2: the class totals differ from the virtual root's size");
  return steps.run("writing", [&](Progress& progress) {
    const auto retained = sizes.take_units(order.end);
    auto dominators = dominators_by_position(std::move(order.end));
    name_dominators(dominators, order.position_of);
    DomtreeWriter out(path, provenance, summary, sums.classes());
    append_nodes(out, order.position_of, dominators, retained, summary.size_unit, progress);
    return out.commit();
  });
}

}  // namespace

FileIdentity write_domtree(const std::string& path, const Provenance& provenance,
                           const GraphFile& file, std::uint64_t all_shallow, DominatorOrder order,
                           Steps& steps) {
  if (fits_32_bits(all_shallow, file.summary().size_unit)) {
    return write_with<std::uint32_t>(path, provenance, file, std::move(order), steps);
  }
  return write_with<std::uint64_t>(path, provenance, file, std::move(order), steps);
}

}  // namespace hprof
