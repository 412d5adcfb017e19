// Each dump is compared with the first one; a rule speaks once, of the first dump that differs. Of
// a pair with a damaged dump only what no loss can bring about is told.
#include "tools/hprof-report/diff/comparability.h"

#include "common/concat.h"
#include "common/text.h"
#include "formats/damage_words.h"
#include "formats/report/summary.h"
#include "formats/report/units.h"
#include "tools/hprof-report/diff/heap_totals.h"
#include "tools/hprof-report/diff/telling_dumps.h"
#include "tools/hprof-report/joined_names.h"
#include "tools/hprof-report/paths/path_holders.h"
#include "tools/hprof-report/wording.h"

#include <algorithm>
#include <array>
#include <set>

namespace hprof {
namespace {

using triage::Wording;

constexpr std::uint64_t kMuchGarbage = 1500;   // basis points of the whole heap
constexpr std::uint64_t kLittleGarbage = 700;  // likewise
constexpr std::uint64_t kFewShared = 5000;     // basis points of the classes

using Warnings = std::vector<Finding>;

void warn(Warnings& out, Wording& wording, const char* rule, Severity severity, const char* title) {
  out.push_back(wording.finding(rule, severity, title, "summary"));
}

std::string ordinal(std::size_t at) {
  return "dump " + std::to_string(at + 1);
}

/// Whether both the first dump and this one are whole.
bool is_whole_pair(const Reports& reports, std::size_t at) {
  return reports[0].complete && reports[at].complete;
}

struct LayoutFact {
  const char* what;
  bool stated;  ///< by the file or the user, not inferred from the objects
  std::string (*value)(const Overview& overview);
};

const std::array kLayoutFacts{
    LayoutFact{"identifiers", true,
               [](const Overview& o) { return std::to_string(o.identifier_size_bits) + " bits"; }},
    LayoutFact{"references", false,
               [](const Overview& o) {
                 return std::string(o.compressed_oops ? "compressed" : "not compressed");
               }},
    LayoutFact{"alignment", false,
               [](const Overview& o) { return format_count(o.object_alignment, "byte", "bytes"); }},
    LayoutFact{"size model", true, [](const Overview& o) { return o.size_model; }},
};

void check_layout(Warnings& out, const Reports& reports) {
  for (std::size_t at = 1; at < reports.size(); ++at) {
    const auto differs = layout_difference(reports[0], reports[at]);
    if (!differs.empty()) {
      Wording wording;
      wording.words(concat("Objects of dump 1 and ", ordinal(at),
                           " are laid out or measured differently: ", differs,
                           "; equal objects have other sizes, so compare numbers of instances."));
      return warn(out, wording, "layout", Severity::warning, "Other layout");
    }
  }
}

std::string references_followed(const Overview& overview) {
  return overview.reference_policy.value_or("all");
}

void check_references(Warnings& out, const Reports& reports) {
  for (std::size_t at = 1; at < reports.size(); ++at) {
    const auto first = references_followed(reports[0].overview);
    const auto other = references_followed(reports[at].overview);
    if (first != other) {
      Wording wording;
      wording.words(concat("Of dump 1 ", first, " references were followed, of ", ordinal(at), " ",
                           other,
                           "; what only soft, weak, final or phantom references reach is garbage "
                           "in one of them."));
      return warn(out, wording, "references", Severity::warning, "Other references");
    }
  }
}

void check_roots(Warnings& out, const Reports& reports) {
  for (std::size_t at = 1; at < reports.size(); ++at) {
    const auto& first = reports[0].overview.root_policy;
    const auto& other = reports[at].overview.root_policy;
    if (first != other && is_whole_pair(reports, at)) {
      Wording wording;
      wording.words(concat("Dump 1 was read with root policy ", first, ", ", ordinal(at), " with ",
                           other,
                           "; what only some roots of one of them reach is garbage in the other."));
      return warn(out, wording, "roots", Severity::warning, "Other roots");
    }
  }
}

/// Whether one of two versions holds all lines of the other: of a version a dump may tell one only.
bool is_same_jvm(const std::string& a, const std::string& b) {
  const auto in_lines = [](const std::string& part, const std::string& whole) {
    return concat("\n", whole, "\n").find(concat("\n", part, "\n")) != std::string::npos;
  };
  return in_lines(a, b) || in_lines(b, a);
}

/// Without a version there is nothing to compare.
void check_jvm(Warnings& out, const Reports& reports) {
  const auto& first = reports[0].overview.jvm_version;
  for (std::size_t at = 1; at < reports.size(); ++at) {
    const auto& other = reports[at].overview.jvm_version;
    if (first && other && !is_same_jvm(*first, *other) && is_whole_pair(reports, at)) {
      Wording wording;
      wording.words("Dump 1 is of ")
          .name(first->substr(0, first->find('\n')))
          .words(", " + ordinal(at) + " of ")
          .name(other->substr(0, other->find('\n')))
          .words("; the classes of the platform differ.");
      return warn(out, wording, "jvm", Severity::warning, "Other JVM");
    }
  }
}

/// What the garbage collector fills gaps with is in a dump of live objects too.
std::uint64_t garbage_bp(const Report& report) {
  const std::uint64_t unreached = report.overview.unreachable_shallow;
  const std::uint64_t garbage = unreached - std::min(unreached, likely_filler_bytes(report));
  return share_bp(std::min(garbage, report.overview.all_shallow), report.overview.all_shallow);
}

void check_garbage(Warnings& out, const Reports& reports) {
  for (std::size_t at = 1; at < reports.size(); ++at) {
    const auto least = std::min(garbage_bp(reports[0]), garbage_bp(reports[at]));
    const auto most = std::max(garbage_bp(reports[0]), garbage_bp(reports[at]));
    if (most >= kMuchGarbage && least < kLittleGarbage && is_whole_pair(reports, at)) {
      Wording wording;
      const bool fillers = likely_filler_bytes(reports[0]) + likely_filler_bytes(reports[at]) != 0;
      wording.words(concat("Garbage", fillers ? " (fillers of gaps not counted)" : "", " makes up ",
                           format_share(garbage_bp(reports[0])), " of dump 1 and ",
                           format_share(garbage_bp(reports[at])), " of ", ordinal(at)) +
                    "; one seems to hold live objects only and the other all. Only reachable "
                    "objects are compared, but a collection before a dump also clears soft and "
                    "weak references.");
      return warn(out, wording, "garbage", Severity::warning, "Live against all objects");
    }
  }
}

std::set<std::string> program_classes(const Report& report, const DiffOptions& options) {
  std::set<std::string> out;
  for (const auto& row : report.overview.histogram) {
    if (!is_platform_class(row.class_name)) {
      out.insert(class_key(row.class_name, options));
    }
  }
  return out;
}

void check_program(Warnings& out, const Reports& reports, const DiffOptions& options) {
  const auto first = program_classes(reports[0], options);
  for (std::size_t at = 1; at < reports.size(); ++at) {
    const auto other = program_classes(reports[at], options);
    const auto shared = static_cast<std::uint64_t>(std::count_if(
        first.begin(), first.end(), [&](const std::string& name) { return other.contains(name); }));
    const auto fewer = std::min(first.size(), other.size());
    if (fewer != 0 && share_bp(shared, fewer) < kFewShared && is_whole_pair(reports, at)) {
      Wording wording;
      wording.words("Dump 1 and " + ordinal(at) + " share " +
                    (shared == 0 ? "none" : "only " + format_share(share_bp(shared, fewer))) +
                    " of their classes outside the platform; they seem to be of different "
                    "programs.");
      return warn(out, wording, "program", Severity::warning, "Other program");
    }
  }
}

void check_process(Warnings& out, const Reports& reports) {
  const auto started = [](const Report& report) {
    return report.overview.jvm ? report.overview.jvm->started_ms : std::nullopt;
  };
  for (std::size_t at = 1; at < reports.size(); ++at) {
    if (started(reports[0]) && started(reports[at]) &&
        started(reports[0]) != started(reports[at]) && is_whole_pair(reports, at)) {
      Wording wording;
      wording.words("Dump 1 and " + ordinal(at) + " are of different runs, started at " +
                    format_time(*started(reports[0])) + " and " +
                    format_time(*started(reports[at])) +
                    "; they may have been at different points of their work.");
      return warn(out, wording, "process", Severity::info, "Other run");
    }
  }
}

void check_damage(Warnings& out, const Reports& reports) {
  for (std::size_t at = 0; at < reports.size(); ++at) {
    if (!reports[at].complete) {
      Wording wording;
      wording.words(
          concat("D", ordinal(at).substr(1),
                 " is damaged: ", worth_of_damaged(reports[at].overview.root_policy != "fallback"),
                 "; changes to and from it, and other differences, may be due to what it lacks."));
      warn(out, wording, "damaged", Severity::warning, "Damaged dump");
    }
  }
}

/// What reports of one dump differ in all the same, besides what they were made of; empty where
/// they do not.
std::string other_options(const Overview& a, const Overview& b) {
  std::string named;
  const auto compare = [&](const char* what, const std::string& first, const std::string& other) {
    if (first != other) {
      named +=
          (named.empty() ? " (" : ", ") + std::string(what) + " " + first + " against " + other;
    }
  };
  compare("root policy", a.root_policy, b.root_policy);
  compare("references followed", references_followed(a), references_followed(b));
  compare("size model", a.size_model, b.size_model);
  return named.empty() ? "" : "other options of the reports" + named + ")";
}

/// Why reports of one dump differ; empty where they do not.
std::string difference_of_one_dump(const Report& a, const Report& b) {
  const auto options = other_options(a.overview, b.overview);
  const std::string damage = a.complete && b.complete ? ""
                             : options.empty()        ? "damage"
                                                      : "damage and to ";
  return damage.empty() && options.empty() ? "" : "; what changed is due to " + damage + options;
}

/// "Dump 1, dump 2 and dump 3"
std::string dump_list(std::size_t first, std::size_t last) {
  std::string out = "D" + ordinal(first).substr(1);
  for (std::size_t at = first + 1; at <= last; ++at) {
    out += (at == last ? " and " : ", ") + ordinal(at);
  }
  return out;
}

/// The same dump may have been reported twice or more often.
void check_same(Warnings& out, const Reports& reports) {
  for (std::size_t first = 0; first + 1 < reports.size(); ++first) {
    std::size_t last = first;
    std::string why;
    while (last + 1 < reports.size() && is_same_dump(reports[first], reports[last + 1])) {
      ++last;
      why = why.empty() ? difference_of_one_dump(reports[first], reports[last]) : why;
    }
    if (last != first) {
      Wording wording;
      wording.words(dump_list(first, last) + " are the same dump" + why + ".");
      return warn(out, wording, "same_dump", Severity::warning,
                  last == first + 1 ? "The same dump twice" : "The same dump again and again");
    }
  }
}

struct Part {
  const char* title;
  const char* section;  ///< that holds it; empty: every report does
  bool (*is_there)(const Report& report);
  const char* how;
  const char* so = "which are therefore not compared";
};

bool has_total(const Report& report, std::string_view name) {
  const auto all = heap_totals();
  return std::any_of(all.begin(), all.end(), [&](const HeapTotal& total) {
    return total.name == name && total.value(report).has_value();
  });
}

constexpr std::array kParts{
    Part{"threads", "threads", [](const Report& r) { return r.threads.has_value(); },
         "give hprof-report the dump"},
    Part{"collections", "collections", [](const Report& r) { return r.collections.has_value(); },
         "give hprof-report the dump"},
    Part{"collections by field", "collections",
         [](const Report& r) { return !r.collections || r.collections->by_field.has_value(); },
         "run hprof-report with --collections for all of them",
         "so that of a field only the largest collection is compared"},
    Part{"duplicates", "strings", [](const Report& r) { return has_total(r, "duplicates.saved"); },
         "run hprof-report with --find-duplicates for all of them"},
    Part{"direct buffers", "references",
         [](const Report& r) { return has_total(r, "direct-memory"); },
         "give hprof-report the dump"},
    Part{"class loaders", "", [](const Report& r) { return r.overview.class_loaders.has_value(); },
         "make the reports with one version of hprof-report"},
};

/// Whether --sections has left the part out of some report.
bool left_out(const Part& part, const Reports& reports) {
  return std::any_of(reports.begin(), reports.end(), [&](const Report& report) {
    const auto& chosen = report.sections;
    return !part.is_there(report) && chosen && *part.section != 0 &&
           std::find(chosen->begin(), chosen->end(), part.section) == chosen->end();
  });
}

void check_parts(Warnings& out, const Reports& reports) {
  for (const auto& part : kParts) {
    const auto count = std::count_if(reports.begin(), reports.end(), part.is_there);
    if (count != 0 && static_cast<std::size_t>(count) != reports.size()) {
      Wording wording;
      wording.words("Only " + std::to_string(count) + " of " + std::to_string(reports.size()) +
                    (count == 1 ? " reports has " : " reports have ") + part.title + ", " +
                    part.so + "; " +
                    (left_out(part, reports) ? "--sections left out " + std::string(part.section)
                                             : part.how) +
                    ".");
      warn(out, wording, "parts", Severity::info, "Not in every report");
    }
  }
}

}  // namespace

std::string layout_difference(const Report& a, const Report& b) {
  std::string out;
  for (const auto& fact : kLayoutFacts) {
    const auto first = fact.value(a.overview);
    const auto other = fact.value(b.overview);
    if (first != other && (fact.stated || (a.complete && b.complete))) {
      out += (out.empty() ? "" : ", ") + concat(fact.what, " ", first, " against ", other);
    }
  }
  return out;
}

std::string reach_difference(const Report& a, const Report& b) {
  const auto first = references_followed(a.overview);
  const auto other = references_followed(b.overview);
  if (first != other) {
    return concat("references followed ", first, " against ", other);
  }
  const auto& roots = a.overview.root_policy;
  return roots != b.overview.root_policy && a.complete && b.complete
             ? concat("root policy ", roots, " against ", b.overview.root_policy)
             : "";
}

std::vector<Finding> comparability_warnings(const Reports& reports, const DiffOptions& options) {
  Warnings out;
  check_damage(out, reports);
  check_layout(out, reports);
  check_roots(out, reports);
  check_references(out, reports);
  check_jvm(out, reports);
  check_program(out, reports, options);
  check_garbage(out, reports);
  check_same(out, reports);
  check_process(out, reports);
  check_parts(out, reports);
  return out;
}

}  // namespace hprof
