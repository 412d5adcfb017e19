#pragma once

#include "formats/diff/heap_diff.h"

namespace hprof::test {

/// A comparison of three reports with every table filled, every optional part there, and names that
/// try to break out of every format.
HeapDiff sample_diff();

}  // namespace hprof::test
