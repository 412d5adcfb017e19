#pragma once

#include "formats/diff/heap_diff.h"

#include <string>

namespace hprof {

/// A comparison as Markdown (GitHub's dialect).
std::string render_markdown(const HeapDiff& diff);

// One function per section; each returns what stands under the section's heading.
std::string md_diff_summary(const HeapDiff& diff);
std::string md_diff_gate(const HeapDiff& diff);
std::string md_diff_suspects(const HeapDiff& diff);
std::string md_diff_paths(const HeapDiff& diff);
std::string md_diff_fields(const HeapDiff& diff);
std::string md_diff_classes(const HeapDiff& diff);
std::string md_diff_packages(const HeapDiff& diff);
std::string md_diff_loaders(const HeapDiff& diff);
std::string md_diff_threads(const HeapDiff& diff);
std::string md_diff_method(const HeapDiff& diff);

}  // namespace hprof
