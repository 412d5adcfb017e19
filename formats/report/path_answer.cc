#include "formats/report/path_answer.h"

#include "common/text.h"
#include "formats/report/json_writer.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/md_paths.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

bool some_weakly(const PathTarget& target) {
  return target.weakly_held != 0 && target.weakly_held != target.reachable;
}

/// Those of the instances to which no path is counted, or that only such paths lead there.
std::string weakly_held(const PathTarget& target) {
  if (target.weakly_held == 0) {
    return "";
  }
  constexpr char kHow[] = " reached only through soft, weak, final or phantom references";
  return some_weakly(target) ? " Of those alive " + format_count(target.weakly_held, "is", "are") +
                                   kHow + "; their paths are not counted below."
                             : std::string(" No strong path leads there: all are") + kHow + ".";
}

std::string fate_of_object(const PathTarget& target, const Caveats& caveats) {
  return target.path ? "Every path from a GC root to it has a soft, weak, final or phantom "
                       "reference; these "
                       "were not followed, so it counts as unreachable.\n"
                     : "No GC root reaches this object" +
                           (caveats.complete ? "" : " in " + what_was_read(false)) + ": it is " +
                           fate_of_unreached(caveats, false) + ".\n";
}

std::string how_many(const PathTarget& target, const Caveats& caveats) {
  if (target.kind == PathTargetKind::object) {
    return target.reachable == 0 ? fate_of_object(target, caveats)
                                 : "It retains " + format_bytes(target.retained) + ".\n";
  }
  const std::string alive =
      format_count(target.reachable, "instance is", "instances are") + " alive";
  if (target.unreachable == 0) {
    return alive + "." + weakly_held(target) + "\n";
  }
  return alive +
         (caveats.any() ? "; no GC root reaches " + grouped(target.unreachable) + ", which " +
                              (target.unreachable == 1 ? "is " : "are ")
                        : ", " + format_count(target.unreachable, "is ", "are ")) +
         fate_of_unreached(caveats, true) + "." + weakly_held(target) + "\n";
}

std::string kept_alive_by(const PathTarget& target) {
  return target.holder ? "alive by " + md_holder(*target.holder) +
                             (target.anchor ? ", which hangs on " + md_holder(*target.anchor) : "")
                       : "";
}

/// Of a class, `path`, holder and anchor are those of one instance.
std::string path(const PathTarget& target) {
  const auto kept = kept_alive_by(target);
  if (target.kind == PathTargetKind::object) {
    return (kept.empty() ? "" : "\nKept " + kept + ".\n") +
           (target.path ? "\nShortest path from a GC root:\n\n" + md_path(*target.path) : "");
  }
  return target.path && target.largest
             ? "\nShortest path to the one that retains most, " + md_code(*target.largest) +
                   (kept.empty() ? "" : ", kept " + kept) + ":\n\n" + md_path(*target.path)
             : "";
}

std::string starts(const PathTarget& target) {
  if (target.starts.empty()) {
    return "";
  }
  MarkdownTable table({{"GC Root"}, {"Kind"}, {"Instances", Align::right}});
  for (const auto& start : target.starts) {
    table.row({md_cell(start.label), md_cell(start.root_types), grouped(start.targets)});
  }
  if (target.further_starts != 0) {
    table.row({format_count(target.further_starts, "further GC root", "further GC roots"), "",
               grouped(target.further_start_targets)});
  }
  return std::string("\nThe ") + (some_weakly(target) ? "strong " : "") + "paths begin at:\n\n" +
         table.text();
}

std::string common_path(const PathTarget& target) {
  return target.common_path.empty()
             ? ""
             : "\nWhat the paths to most instances share:\n\n" +
                   md_path_table(target.common_path, target.common_path_left_out,
                                 (target.common_path.size() + 1) / 2);
}

std::string held_by(const PathTarget& target, const Caveats& caveats) {
  if (target.kind == PathTargetKind::class_instances || target.reachable != 0 || target.path) {
    return "";
  }
  if (target.held_by.size() < 2) {
    return caveats.complete ? "\nNothing references it.\n"
                            : "\nNothing that was read references it.\n";
  }
  return (caveats.any() ? "\nOther objects that no GC root reaches hold it:\n\n"
                        : "\nOther garbage holds it:\n\n") +
         md_path_table(target.held_by, 0, 0);
}

std::string section(const PathTarget& target, const Caveats& caveats) {
  const bool single = target.kind == PathTargetKind::object;
  return "\n## " + md_code(target.label) + "\n\n" +
         (single ? "" : "Loaded by " + md_code(target.loader_label) + ". ") +
         how_many(target, caveats) + path(target) + starts(target) + common_path(target) +
         held_by(target, caveats);
}

}  // namespace

void write_path_json(const PathAnswer& answer, TextSink& sink) {
  JsonWriter(sink).document(answer);
}

std::string md_path_answer(const PathAnswer& answer) {
  std::string out = "# Why Is " + md_code(answer.to) + " Alive?\n\nIn " +
                    md_code(answer.file_name) + ", by " + md_text(answer.generator) + "\n" +
                    md_caveats(answer.caveats);
  for (const auto& target : answer.targets) {
    out += section(target, answer.caveats);
  }
  return out;
}

}  // namespace hprof
