#include "formats/diff/diff_sections.h"

namespace hprof {

const std::vector<DiffSection>& diff_sections() {
  static const std::vector<DiffSection> sections{
      {"summary", "Summary", [](const HeapDiff&) { return true; }},
      {"gate", "Gate", [](const HeapDiff& diff) { return diff.gate.has_value(); }},
      {"suspects", "Leak Suspects", [](const HeapDiff& diff) { return !diff.suspects.empty(); }},
      {"paths", "Biggest Objects by Path",
       [](const HeapDiff& diff) { return !diff.paths.empty(); }},
      {"fields", "Collections by Field",
       [](const HeapDiff& diff) { return !diff.fields_held.empty(); }},
      {"classes", "Classes", [](const HeapDiff& diff) { return !diff.classes.empty(); }},
      {"packages", "Packages", [](const HeapDiff& diff) { return !diff.packages.empty(); }},
      {"loaders", "Class Loaders", [](const HeapDiff& diff) { return !diff.loaders.empty(); }},
      {"threads", "Threads",
       [](const HeapDiff& diff) { return diff.threads && !diff.threads->empty(); }},
      {"method", "How It Was Compared", [](const HeapDiff&) { return true; }},
  };
  return sections;
}

}  // namespace hprof
