#pragma once

#include "formats/report/report.h"

namespace hprof::test {

/// A path from a root through fields of several kinds, and what keeps its end.
ReferencePath sample_path();
Holder sample_holder(HolderKind kind);

// The sections that sample_report() has beside overview, suspects and threads.

TopConsumers sample_top();
References sample_references();
Unreachable sample_unreachable();
AllocationSites sample_sites();
Dominators sample_dominators();
Components sample_components();
Arrays sample_arrays();
Collections sample_collections();
Strings sample_strings();

}  // namespace hprof::test
