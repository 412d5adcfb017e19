#include "tools/hprof-report/heap_caveats.h"

#include "tools/hprof-report/coverage_filler.h"
#include "tools/hprof-report/size_check.h"

#include <algorithm>

namespace hprof {
namespace {

/// Whether the dominator tree was made without the references to referents.
bool is_of_strong_references(const DomtreeFile& file) {
  const auto& options = file.provenance().options;
  return std::find(options.begin(), options.end(), "skip-excluded=yes") != options.end();
}

/// A sentence as a message.
std::string message(std::string sentence) {
  if (sentence.ends_with('.')) {
    sentence.pop_back();
  }
  if (sentence.starts_with("The ") || sentence.starts_with("Only ")) {
    sentence[0] = static_cast<char>(sentence[0] - 'A' + 'a');
  }
  return sentence;
}

}  // namespace

Caveats caveats_of(const Heap& heap) {
  const auto& summary = heap.index().summary;
  Caveats out;
  out.complete = !heap.index().damage.any();
  out.ends_early = is_cut(heap.index().damage);
  out.root_policy = summary.root_fallback ? "fallback" : summary.strict_roots ? "strict" : "dump";
  if (is_of_strong_references(heap.domtree())) {
    out.reference_policy = "strong";
  }
  if (summary.strict_roots) {
    out.roots_left_out = summary.roots_left_out;
  }
  out.impossible_size = impossible_size(heap);
  return out;
}

void warn_of_caveats(const Caveats& caveats, const Steps& steps) {
  for (const auto& sentence : caveat_sentences(caveats)) {
    steps.warn(message(sentence));
  }
}

}  // namespace hprof
