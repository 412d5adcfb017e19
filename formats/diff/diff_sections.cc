#include "formats/diff/diff_sections.h"

#include "formats/report/units.h"

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

Sentence diff_method(const HeapDiff& diff) {
  const std::string begin =
      "Changes are from the first dump to the last" +
      std::string(diff.dumps.size() > 2
                      ? "; \"every step\" rose from each dump to the next, \"first step only\" "
                        "looks like a warm-up"
                      : "") +
      ". Only reachable objects count. Classes are joined by name and by the class of their "
      "loader, threads by name";
  const std::string end =
      ". Objects are recognised by the references that keep them, since a collector moves them. "
      "A report lists only the largest objects and collections: \"≤\" stands before what one "
      "that is not listed retains at most, and changes are then at least as large as shown. " +
      std::string(is_whole(diff)
                      ? ""
                      : "Of a damaged dump \"≥\" stands before what it has at least, "
                        "\"≷\" before what was read and may be higher or lower; changes "
                        "of what may be either are unknown, and rows are in the order of "
                        "what was read. ") +
      "Growth is notable here from " + format_bytes(diff.notable) + " on.";
  if (diff.raw_names) {
    return {{begin + end, false}};
  }
  return {{begin + "; what is made up anew in each process, like the number of a proxy or the "
                   "address of a lambda, stands as ",
           false},
          {"*", true},
          {end, false}};
}

}  // namespace hprof
