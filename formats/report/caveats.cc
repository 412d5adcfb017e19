// Of a whole dump with all references, "not reached" means garbage and "not there" means absent.
// Neither holds where something was left out; the words for that are here, for all formats.
#include "formats/report/caveats.h"

#include "common/concat.h"
#include "common/text.h"
#include "formats/damage_words.h"
#include "formats/report/derived.h"
#include "formats/report/report.h"
#include "formats/report/units.h"

#include <cctype>

namespace hprof {
namespace {

constexpr std::uint64_t kTenth = 1000;
constexpr std::uint64_t kHalf = 5000;

constexpr const char* kMadeUpRoots =
    " Classes that seem to be the boot loader's stand in as GC roots of the kind System Class.";

std::string joined(const std::vector<std::string>& parts, const char* separator) {
  std::string out;
  for (const auto& part : parts) {
    out += (out.empty() ? "" : separator) + part;
  }
  return out;
}

std::string damage_sentence(const Caveats& caveats) {
  const bool own_roots = caveats.root_policy != "fallback";
  return concat(damaged_words(caveats), ": ", worth_of_damaged(own_roots), ".",
                own_roots ? "" : kMadeUpRoots);
}

std::string left_out_sentence(std::uint64_t roots) {
  return format_count(roots, "GC root", "GC roots") + " of interned strings and inside the VM " +
         (roots == 1 ? "was" : "were") + " left out; what " +
         (roots == 1 ? "it alone holds" : "they alone hold") + " counts as unreachable.";
}

std::string size_sentence(const ImpossibleSize& size) {
  return concat("Sizes are in doubt: ", size.class_name, " says that ",
                size.instances == 1
                    ? "its only instance takes "
                    : concat("each of its ", grouped(size.instances), " instances takes "),
                format_bytes(size.shallow), ", but the next object lies ", format_bytes(size.room),
                " behind ", size.instances == 1 ? "it." : "one.");
}

}  // namespace

Caveats caveats_of(const Report& report) {
  const auto& overview = report.overview;
  return {.complete = report.complete,
          .ends_early = overview.coverage && overview.coverage->ends_early.value_or(false),
          .root_policy = overview.root_policy,
          .reference_policy = overview.reference_policy,
          .roots_left_out = overview.roots_left_out,
          .impossible_size = overview.impossible_size};
}

std::string damaged_words(const Caveats& caveats) {
  return std::string("The dump is damaged") +
         (caveats.ends_early ? ", its file ends too early" : "");
}

std::vector<std::string> caveat_sentences(const Caveats& caveats) {
  std::vector<std::string> out;
  if (!caveats.complete) {
    out.push_back(damage_sentence(caveats));
  }
  if (caveats.strong_only()) {
    out.emplace_back(kStrongOnlyNote);
  }
  if (caveats.roots_left_out.value_or(0) != 0) {
    out.push_back(left_out_sentence(*caveats.roots_left_out));
  }
  if (caveats.impossible_size) {
    out.push_back(size_sentence(*caveats.impossible_size));
  }
  return out;
}

std::string caveat_text(const Caveats& caveats) {
  return joined(caveat_sentences(caveats), " ");
}

std::string caveat_words(const Caveats& caveats) {
  std::vector<std::string> parts;
  if (!caveats.complete) {
    parts.emplace_back("damaged");
  }
  if (caveats.strong_only()) {
    parts.emplace_back("strong references only");
  }
  if (caveats.roots_left_out.value_or(0) != 0) {
    parts.emplace_back("some roots left out");
  }
  if (caveats.impossible_size) {
    parts.emplace_back("sizes in doubt");
  }
  return joined(parts, ", ");
}

std::string as_far_as_read(bool complete, std::string sentence) {
  if (complete || sentence.empty()) {
    return sentence;
  }
  sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
  return "In what was read of the dump, " + sentence;
}

std::string what_was_read(bool complete) {
  return complete ? "the dump" : "what was read of the dump";
}

std::string no_allocation_stacks(bool complete) {
  const std::string how =
      "To get them, record allocations while the program runs, for example with Java Flight "
      "Recorder.";
  return complete
             ? "The JVM recorded no allocation stacks in this dump: its objects have no stack "
               "trace, or one without frames. " +
                   how
             : "In what was read of the dump, no object has a stack trace with frames: they are "
               "lost, or the JVM recorded none. " +
                   how;
}

std::string fate_of_unreached(const Caveats& caveats, bool several) {
  std::vector<std::string> fates;
  if (!caveats.complete) {
    fates.emplace_back("cut off by the damage");
  }
  if (caveats.strong_only()) {
    fates.emplace_back("held by soft, weak, final or phantom references alone");
  }
  if (caveats.roots_left_out.value_or(0) != 0) {
    fates.emplace_back("held by GC roots that were left out");
  }
  if (fates.empty()) {
    return several ? "garbage" : "garbage that was not collected yet";
  }
  return "garbage, or " + joined(fates, ", or ");
}

std::string cut_off_sentence(const Report& report) {
  const auto& overview = report.overview;
  const auto share = share_bp(overview.unreachable_shallow, overview.all_shallow);
  if (report.complete || share < kTenth) {
    return "";
  }
  return concat("No GC root reaches ", format_bytes(overview.unreachable_shallow), " (",
                format_share(share), ") of what was read: ",
                share >= kHalf ? "most likely live objects whose holders were lost."
                               : "garbage, or live objects whose holders were lost.");
}

}  // namespace hprof
