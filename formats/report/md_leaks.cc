#include "common/text.h"
#include "formats/report/caveats.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/markdown_tree.h"
#include "formats/report/md_paths.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

/// What the Markdown shows of longer lists; the JSON has them whole.
constexpr std::size_t kShownRows = 10;
constexpr std::size_t kShownFrames = 20;
constexpr std::size_t kShownNodes = 40;
constexpr std::size_t kShownDepth = 5;

std::string facts(const Suspect& suspect) {
  MarkdownTable table({{"Fact"}, {"Value"}});
  if (suspect.address) {
    table.row({"Address", hex_address(suspect.address->value)});
  }
  table.row({"Class", md_cell(suspect.class_name)});
  table.row({"Class loader", md_cell(suspect.loader_label)});
  table.row({"Objects", grouped(suspect.instances)});
  table.row({"Shallow heap", format_bytes(suspect.shallow)});
  table.row({"Retained heap",
             format_bytes(suspect.retained) + " (" + format_share(suspect.retained_bp) + ")"});
  std::string roots;
  for (const auto& type : suspect.root_types) {
    roots += (roots.empty() ? "" : ", ") + md_cell(type);
  }
  table.row({"GC root", roots.empty() ? "none found" : roots});
  if (suspect.accumulation_point) {
    table.row({"Accumulation point", md_cell(suspect.accumulation_point->label)});
    table.row({"Its shallow heap", format_bytes(suspect.accumulation_point->shallow)});
    table.row({"It retains", format_bytes(suspect.accumulation_point->retained)});
  } else {
    table.row({"Accumulation point", "none"});
  }
  if (suspect.holder) {
    table.row({"Kept alive by", md_holder_cell(*suspect.holder)});
  }
  if (suspect.anchor) {
    table.row({"Which hangs on", md_holder_cell(*suspect.anchor)});
  }
  if (suspect.largest_static) {
    table.row({"Largest static field", md_holder_cell(*suspect.largest_static)});
  }
  return table.text();
}

std::string common_path(const Suspect& suspect, MarkdownStyle style) {
  if (suspect.common_path.empty()) {
    return "";
  }
  const auto left_out = suspect.common_path_left_out.value_or(0);
  return "\n#### Path That Most Instances Share\n\n" +
         md_path_table(suspect.common_path, left_out, (suspect.common_path.size() + 1) / 2, style);
}

std::string held_together(const Suspect& suspect) {
  if (!suspect.held_together || suspect.held_together->references.empty()) {
    return "";
  }
  MarkdownTable table({{"Reference"}, {"Object"}, {"Retained Heap", Align::right}});
  for (const auto& reference : suspect.held_together->references) {
    table.row({md_holder_cell(reference.holder), md_cell(reference.object.label),
               format_bytes(reference.object.retained)});
  }
  return "\n#### References That Hold It Together\n\n" + table.text();
}

std::string why_alive(const Suspect& suspect, MarkdownStyle style) {
  if (!suspect.why_alive) {
    return "";
  }
  const bool group = suspect.kind == SuspectKind::group;
  const std::string what = suspect.accumulation_point ? "the accumulation point"
                           : group                    ? "the largest instance"
                                                      : "it";
  return "\n#### Why It Is Alive\n\nShortest path from a GC root to " + what + ":\n\n" +
         md_path(*suspect.why_alive, style);
}

std::string more_rows(std::size_t all, std::size_t shown) {
  return all > shown ? "\n" + format_count(all - shown, "more is", "more are") + " in the JSON.\n"
                     : "";
}

std::string thread(const Suspect& suspect, bool complete) {
  if (!suspect.thread) {
    return "";
  }
  const auto& thread = *suspect.thread;
  std::string out =
      "\n#### Thread\n\n" + md_code(thread.thread.label + (thread.name ? " " + *thread.name : "")) +
      " of " + format_bytes(thread.thread.shallow) + " retains " +
      format_bytes(thread.thread.retained) +
      (thread.frames.empty() ? "; " + what_was_read(complete) + " has no stack of it.\n" : ".\n\n");
  const std::size_t shown = std::min(thread.frames.size(), kShownFrames);
  for (std::size_t i = 0; i < thread.frames.size(); ++i) {
    const auto& frame = thread.frames[i];
    if (i < shown || !frame.locals.empty()) {
      out += "- at " + md_code(frame.frame) + "\n";
    }
    for (const auto& local : frame.locals) {
      out +=
          "  - local " + md_code(local.label) + " retains " + format_bytes(local.retained) + "\n";
    }
  }
  return out + more_rows(thread.frames.size() + thread.frames_left_out, shown);
}

std::string retained_classes(const Suspect& suspect, MarkdownStyle style) {
  if (!suspect.retained_classes || suspect.retained_classes->empty()) {
    return "";
  }
  MarkdownTable table({{"Class"}, {"Objects", Align::right}, {"Shallow Heap", Align::right}});
  for (const auto& row : *suspect.retained_classes) {
    table.row({md_cell(row.class_name), grouped(row.objects), format_bytes(row.shallow)},
              row.shallow);
  }
  return "\n#### What It Retains by Class\n\n" + table.text(style);
}

std::string accumulated(const Suspect& suspect, MarkdownStyle style) {
  if (suspect.same_point_as) {
    return "\nWhat the accumulation point holds stands under suspect " +
           grouped(*suspect.same_point_as) + ", which has the same one.\n";
  }
  if (!suspect.accumulated || suspect.accumulated->objects == 0) {
    return "";
  }
  const auto& sums = *suspect.accumulated;
  MarkdownTable classes({{"Class"},
                         {"Objects", Align::right},
                         {"Shallow Heap", Align::right},
                         {"Retained Heap", Align::right}});
  for (std::size_t i = 0; i < std::min(kShownRows, sums.classes.size()); ++i) {
    const auto& row = sums.classes[i];
    classes.row({md_cell(row.class_name), grouped(row.objects), format_bytes(row.shallow),
                 format_bytes(row.retained.value_or(0))},
                row.retained);
  }
  MarkdownTable largest(
      {{"Object"}, {"Shallow Heap", Align::right}, {"Retained Heap", Align::right}});
  for (std::size_t i = 0; i < std::min(kShownRows, sums.largest.size()); ++i) {
    const auto& row = sums.largest[i];
    largest.row({md_cell(row.label), format_bytes(row.shallow), format_bytes(row.retained)},
                row.retained);
  }
  return "\n#### What the Accumulation Point Holds Directly\n\nIt dominates " +
         format_count(sums.objects, "object", "objects") + " of " + format_bytes(sums.shallow) +
         (sums.objects == 1 ? " directly, which retains " : " directly, which retain ") +
         format_bytes(sums.retained) + ".\n\n" + classes.text(style) +
         "\nThe largest of them:\n\n" + largest.text(style);
}

/// The tree in reading order with the largest branches, walked with a stack of what is still to
/// print.
std::string tree(const Suspect& suspect, MarkdownStyle style) {
  if (!suspect.tree || suspect.tree->children.empty()) {
    return "";
  }
  struct Pending {
    const DominatedObject* node;
    std::size_t depth;
  };
  MarkdownTree out;
  bool whole = true;
  std::vector<Pending> stack{{&*suspect.tree, 0}};
  for (std::size_t shown = 0; shown < kShownNodes && !stack.empty(); ++shown) {
    const auto [node, depth] = stack.back();
    stack.pop_back();
    out.node(depth, node->label, format_bytes(node->retained), node->retained);
    const std::size_t children =
        depth + 1 == kShownDepth ? 0 : std::min(node->children.size(), kShownRows >> depth);
    whole = whole && children == node->children.size();
    for (std::size_t i = children; i-- > 0;) {
      stack.push_back({&node->children[i], depth + 1});
    }
  }
  return "\n#### Dominator Tree of the Accumulation Point\n\n" + out.text(style) +
         (whole && stack.empty() ? "" : "\nOnly its largest branches; more are in the JSON.\n");
}

std::string keywords(const Suspect& suspect) {
  std::string out;
  for (const auto& word : suspect.keywords.value_or(std::vector<std::string>{})) {
    out += (out.empty() ? "\nKeywords: " : ", ") + md_code(word);
  }
  return out.empty() ? out : out + "\n";
}

}  // namespace

std::string md_leaks(const Report& report, MarkdownStyle style) {
  const auto& leaks = report.leaks;
  if (leaks.suspects.empty()) {
    return as_far_as_read(report.complete,
                          "No object and no class of top-level objects retains more than " +
                              format_share(leaks.threshold_bp) + " of the used heap.\n");
  }
  std::string out = "Each retains more than " + format_share(leaks.threshold_bp) +
                    " of the used heap, " + format_bytes(leaks.threshold) + ".\n";
  for (std::size_t i = 0; i < leaks.suspects.size(); ++i) {
    const auto& suspect = leaks.suspects[i];
    out += "\n### Suspect " + std::to_string(i + 1) + "\n\n" +
           md_sentence(suspect_sentence(suspect)) + "\n\n" + facts(suspect) +
           why_alive(suspect, style) + common_path(suspect, style) + held_together(suspect) +
           thread(suspect, report.complete) + retained_classes(suspect, style) +
           accumulated(suspect, style) + tree(suspect, style) + keywords(suspect);
  }
  return out;
}

}  // namespace hprof
