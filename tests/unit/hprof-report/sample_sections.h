#pragma once

#include "formats/report/report.h"

namespace hprof::test {

// The sections that sample_report() has beside overview, suspects, threads and top consumers.

References sample_references();
Unreachable sample_unreachable();
AllocationSites sample_sites();
Dominators sample_dominators();
Components sample_components();
Arrays sample_arrays();
Collections sample_collections();
Strings sample_strings();

}  // namespace hprof::test
