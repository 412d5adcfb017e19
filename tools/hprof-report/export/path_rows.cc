#include "tools/hprof-report/export/path_rows.h"

#include "common/bit_vector.h"
#include "tools/hprof-report/shortest_paths.h"

namespace hprof {
namespace {

/// Writes the objects that this search is the first to reach.
void write_reached(const ShortestPaths& paths, bool weak, BitVector& written, SqliteFile& file) {
  SqliteInsert rows(file, "paths", 3);
  for (std::uint32_t object = 0; object < written.size(); ++object) {
    if (paths.reached(object) && !written.test_and_set(object)) {
      rows.bind(object).bind_if(!paths.is_start(object), paths.parent(object));
      rows.bind(weak ? 1 : 0).insert();
    }
  }
}

}  // namespace

void write_paths(const Heap& heap, SqliteFile& file) {
  BitVector written(heap.objects());
  for (const bool weak : {false, true}) {
    const ReferenceGraph graph(
        heap.graph(), weak ? ReferenceGraph::Excluded::follow : ReferenceGraph::Excluded::skip);
    write_reached(ShortestPaths(graph), weak, written, file);
    if (written.count() == heap.domtree().summary().reachable_objects) {
      return;
    }
  }
}

}  // namespace hprof
