#pragma once

#include "tools/hprof-report/diff/join.h"

namespace hprof {

/// Gives classes whose loader a damaged dump has lost the class of the loader that other reports
/// tell, where they tell no other one.
void adopt_lost_loaders(Reports& reports, const DiffOptions& options);

}  // namespace hprof
