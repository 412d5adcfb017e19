#pragma once

#include "common/steps.h"
#include "formats/heap_index.h"
#include "formats/provenance.h"
#include "tools/hprof-graph/layout_guess.h"
#include "tools/hprof-graph/size_model.h"

#include <cstdint>
#include <string>

namespace hprof {

/// The model that an option's value ("auto", "mat", "dumped", "hotspot") means for a dump.
/// Error(usage) for "hotspot" where the dump is no JVM's.
SizeModel choose_sizes(const std::string& option, const HeapIndex& index);

/// What of a graph can be chosen.
struct GraphOptions {
  SizeModel sizes = SizeModel::mat;
  LayoutWishes layout = {};  ///< what is known of the JVM's layout beforehand
  bool content_hashes = false;
  /// Bits of the content hashes that are kept; tests make hashes collide.
  std::uint64_t hash_mask = ~std::uint64_t{0};
};

/// Reads the dump at `dump_path` a second time and writes its graph to `output`.
/// Error(bad_data) when the dump is damaged, Error(stale) when it is not the one that was indexed.
void build_graph(const HeapIndex& index, const std::string& dump_path, const GraphOptions& options,
                 const Provenance& provenance, const std::string& output, Steps& steps);

}  // namespace hprof
