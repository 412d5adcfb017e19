// At any moment two columns of four bytes per object are alive, and the layout of the tree.
#include "tools/hprof-domtree/tree_writer.h"

#include "common/text.h"
#include "tools/hprof-domtree/tree_sums.h"

#include <utility>

namespace hprof {
namespace {

constexpr std::uint32_t kProgressStep = 1U << 18U;

DomtreeSummary sum_up(const GraphFile& file, const std::vector<ClassTotal>& classes) {
  DomtreeSummary sum{.objects = file.summary().objects,
                     .size_unit = file.summary().size_unit,
                     .roots = file.roots().size(),
                     .depths = {}};
  for (const auto& total : classes) {
    sum.reachable_objects += total.reachable_instances;
    sum.unreachable_objects += total.unreachable_instances;
    sum.reachable_shallow = checked_add(sum.reachable_shallow, total.reachable_shallow);
    sum.unreachable_shallow = checked_add(sum.unreachable_shallow, total.unreachable_shallow);
  }
  return sum;
}

template <typename Unit>
void append_nodes(DomtreeWriter& out, const TreeSums<Unit>& sums, Progress& progress) {
  for (std::uint64_t object = 0; object < sums.objects(); ++object) {
    const std::uint32_t dominator = sums.dominator(object);
    out.append(dominator, dominator == kUnreachable ? 0 : sums.retained(object));
    if (object % kProgressStep == 0) {
      progress.update(object, sums.objects());
    }
  }
}

template <typename Unit>
FileIdentity write_with(const std::string& path, const Provenance& provenance,
                        const GraphFile& file, std::uint64_t all_shallow, TreeLayout layout,
                        Steps& steps) {
  TreeSums<Unit> sums(file);
  steps.run("reading the objects", [&](Progress& progress) { sums.read_objects(progress); });
  steps.run("retained sizes", [&](Progress&) { sums.walk(std::exchange(layout, {})); });
  auto summary = sum_up(file, sums.classes());
  summary.depths = sums.depths();
  if (checked_add(summary.reachable_shallow, summary.unreachable_shallow) != all_shallow) {
    fail(ExitCode::bad_data, printable(file.path()),
         ": its objects do not add up to its total; run hprof-graph with --force again");
  }
  check(summary.reachable_shallow == sums.total_bytes(),
        "R2: the class totals differ from the virtual root's size");
  return steps.run("writing", [&](Progress& progress) {
    DomtreeWriter out(path, provenance, summary, sums.classes());
    append_nodes(out, sums, progress);
    return out.commit();
  });
}

}  // namespace

FileIdentity write_domtree(const std::string& path, const Provenance& provenance,
                           const GraphFile& file, std::uint64_t all_shallow, TreeLayout layout,
                           Steps& steps) {
  if (fits_32_bits(all_shallow, file.summary().size_unit)) {
    return write_with<std::uint32_t>(path, provenance, file, all_shallow, std::move(layout), steps);
  }
  return write_with<std::uint64_t>(path, provenance, file, all_shallow, std::move(layout), steps);
}

}  // namespace hprof
