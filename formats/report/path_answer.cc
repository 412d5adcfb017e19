#include "formats/report/path_answer.h"

#include "common/text.h"
#include "formats/report/json_writer.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/md_paths.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

std::string how_many(const PathTarget& target) {
  if (target.kind == PathTargetKind::object) {
    return target.reachable == 0
               ? "No GC root reaches this object: it is garbage that was not collected yet.\n"
               : "It retains " + format_bytes(target.retained) + ".\n";
  }
  return format_count(target.reachable, "instance is", "instances are") + " alive" +
         (target.unreachable == 0
              ? ""
              : ", " + format_count(target.unreachable, "is", "are") + " garbage") +
         ".\n";
}

std::string keepers(const PathTarget& target) {
  std::string out;
  if (target.holder) {
    out += "\nKept alive by " + md_holder(*target.holder) +
           (target.anchor ? ", which hangs on " + md_holder(*target.anchor) : "") + ".\n";
  }
  return out;
}

std::string starts(const PathTarget& target) {
  if (target.starts.empty()) {
    return "";
  }
  MarkdownTable table({{"GC Root"}, {"Kind"}, {"Instances", Align::right}});
  for (const auto& start : target.starts) {
    table.row({md_cell(start.label), md_cell(start.root_types), grouped(start.targets)});
  }
  return "\nThe paths begin at:\n\n" + table.text();
}

std::string common_path(const PathTarget& target) {
  return target.common_path.empty()
             ? ""
             : "\nWhat the paths to most instances share:\n\n" +
                   md_path_table(target.common_path, target.common_path_left_out,
                                 (target.common_path.size() + 1) / 2);
}

std::string held_by(const PathTarget& target) {
  if (target.kind == PathTargetKind::class_instances || target.reachable != 0) {
    return "";
  }
  return target.held_by.size() < 2
             ? "\nNothing references it.\n"
             : "\nOther garbage holds it:\n\n" + md_path_table(target.held_by, 0, 0);
}

std::string section(const PathTarget& target) {
  const bool single = target.kind == PathTargetKind::object;
  std::string out = "\n## " + md_code(target.label) + "\n\n" +
                    (single ? "" : "Loaded by " + md_code(target.loader_label) + ". ") +
                    how_many(target) + keepers(target);
  if (target.path) {
    out += (target.largest ? "\nShortest path to the one that retains most, " +
                                 md_code(*target.largest) + ":\n\n"
                           : "\nShortest path from a GC root:\n\n") +
           md_path(*target.path);
  }
  return out + starts(target) + common_path(target) + held_by(target);
}

}  // namespace

void write_path_json(const PathAnswer& answer, TextSink& sink) {
  JsonWriter(sink).document(answer);
}

std::string md_path_answer(const PathAnswer& answer) {
  std::string out = "# Why Is " + md_code(answer.to) + " Alive?\n\nIn " +
                    md_code(answer.file_name) + ", by " + md_text(answer.generator) + "\n";
  for (const auto& target : answer.targets) {
    out += section(target);
  }
  return out;
}

}  // namespace hprof
