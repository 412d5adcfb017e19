// How the memory lies: facts about any heap, and what makes a dump unlike one.
#include "common/concat.h"
#include "common/text.h"
#include "formats/report/caveats.h"
#include "formats/report/summary.h"
#include "formats/report/units.h"
#include "tools/hprof-report/triage/rules.h"
#include "tools/hprof-report/wording.h"

#include <algorithm>

namespace hprof::triage {
namespace {

constexpr std::uint64_t kShallowDepth = 20;
constexpr std::uint64_t kDeepDepth = 1000;
constexpr std::uint64_t kHalf = 5000;
constexpr std::uint64_t kTenth = 1000;
constexpr std::uint64_t kMiB = 1ULL << 20U;
constexpr std::uint64_t kLeastBigArray = 16 * kMiB;
constexpr std::uint64_t kLeastGarbage = kMiB;
constexpr std::uint64_t kMuchGarbage = 64 * kMiB;

/// The array class with the largest single array; nullptr without arrays.
const HistogramRow* row_of_largest_array(const Overview& overview) {
  const HistogramRow* best = nullptr;
  for (const auto& row : overview.histogram) {
    if (row.class_name.ends_with("[]") &&
        (best == nullptr || row.max_instance_shallow > best->max_instance_shallow)) {
      best = &row;
    }
  }
  return best;
}

std::string what_it_means(const Caveats& caveats) {
  if (caveats.strong_only()) {
    return "is held by no strong reference: garbage, caches and what waits for a finalizer are "
           "told apart only where all references are followed";
  }
  return caveats.any() ? "is reached by no GC root: " + fate_of_unreached(caveats, true)
                       : "can be collected already: it was not the live objects alone that filled "
                         "the heap";
}

std::string filler_note(std::uint64_t bytes) {
  return bytes == 0 ? "."
                    : concat("; ", format_bytes(bytes),
                             " that the garbage collector likely made itself to fill gaps ",
                             "is not counted.");
}

}  // namespace

std::optional<Finding> damaged(const Facts& facts) {
  if (facts.report.complete) {
    return std::nullopt;
  }
  return Wording()
      .words(
          "The dump is damaged: what is lost may be what fills the heap; take another one if you "
          "can.")
      .finding("damaged", Severity::warning, "Damaged dump", "overview");
}

std::optional<Finding> shape(const Facts& facts) {
  const auto& figures = facts.figures;
  if (figures.depth_max == 0) {
    return std::nullopt;
  }
  const char* form = figures.depth_p90 <= kShallowDepth
                         ? "shallow: memory hangs closely under its holders"
                     : figures.depth_p90 < kDeepDepth ? "of middling depth: nested structures"
                                                      : "deep: long chains such as linked lists";
  return Wording()
      .words(concat("The dominator tree is ", form,
                    "; 90 % of the objects lie no deeper than level ", grouped(figures.depth_p90),
                    ", the deepest at level ", grouped(figures.depth_max), "."))
      .finding("shape", Severity::info, "Shape", "top");
}

std::optional<Finding> one_or_many(const Facts& facts) {
  const auto& figures = facts.figures;
  const auto& objects = facts.report.top.biggest_objects;
  if (objects.empty()) {
    return std::nullopt;
  }
  const char* answer = figures.top_object_bp >= kHalf ? "One object holds most of the heap: "
                       : figures.top_ten_bp >= kHalf  ? "A few objects hold most of the heap: "
                       : figures.top_ten_bp >= kTenth
                           ? "The memory is spread out: "
                           : "The memory is spread over very many objects: ";
  return Wording()
      .words(answer + ("the biggest object retains " + format_share(figures.top_object_bp) + " ("))
      .name(objects.front().label)
      .words(concat("), the ten biggest together ", format_share(figures.top_ten_bp), "; ",
                    format_count(figures.objects_over_one_percent, "top-level object retains",
                                 "top-level objects retain"),
                    " over 1 %."))
      .finding("one-or-many", Severity::info, "One leak or many", "leaks");
}

std::optional<Finding> big_array(const Facts& facts) {
  const auto& overview = facts.report.overview;
  const auto* row = row_of_largest_array(overview);
  if (row == nullptr || row->max_instance_shallow < kLeastBigArray) {
    return std::nullopt;
  }
  const auto share = share_bp(row->max_instance_shallow, overview.total_shallow);
  if (share < kTenth) {
    return std::nullopt;
  }
  return Wording()
      .words("A single ")
      .name(row->class_name)
      .words(" takes " + format_bytes(row->max_instance_shallow) + " (" + format_share(share) +
             " of the used heap).")
      .finding("big-array", Severity::warning, "One huge array", "overview");
}

/// Of a damaged dump nobody knows: what holds the objects may be what was lost.
std::optional<Finding> garbage(const Facts& facts) {
  const auto& overview = facts.report.overview;
  if (!facts.report.complete) {
    return std::nullopt;
  }
  const auto filler = std::min(likely_filler_bytes(facts.report), overview.unreachable_shallow);
  const auto bytes = overview.unreachable_shallow - filler;
  const auto share = share_bp(bytes, overview.all_shallow);
  if (share < kTenth || bytes < kLeastGarbage) {
    return std::nullopt;
  }
  const auto caveats = caveats_of(facts.report);
  const bool much = share >= kHalf && bytes >= kMuchGarbage;
  return Wording()
      .words(concat(format_bytes(bytes), " (", format_share(share), " of all that was dumped) ",
                    what_it_means(caveats), filler_note(filler)))
      .finding("garbage", much ? Severity::warning : Severity::info, "Garbage", "unreachable");
}

}  // namespace hprof::triage
