#include "common/text.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/markdown_tree.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

std::string mark(bool above_threshold) {
  return above_threshold ? "" : "below";
}

std::string objects(const TopConsumers& top, MarkdownStyle style) {
  MarkdownTable table({{"Object"},
                       {"Shallow Heap", Align::right},
                       {"Retained Heap", Align::right},
                       {"Share", Align::right},
                       {"Threshold"}});
  std::vector<std::uint64_t> retained;
  for (const auto& row : top.biggest_objects) {
    retained.push_back(row.retained);
    table.row({md_cell(row.label), format_bytes(row.shallow), format_bytes(row.retained),
               format_share(row.retained_bp), mark(row.above_threshold)},
              row.retained);
  }
  return table.text(style) + md_sparkline(style, "Retained heap by rank", retained);
}

/// What keeps each of the biggest objects alive, in one line.
std::string paths(const TopConsumers& top) {
  std::string out;
  for (const auto& row : top.biggest_objects) {
    if (row.why_alive && row.why_alive->steps.size() > 1) {
      out += "- " + md_code(row.label) + ": " + md_code(row.why_alive->line) +
             (row.why_alive->only_weak ? " (only through a weak reference)" : "") + "\n";
    }
  }
  return out.empty() ? "" : "\nWhy those that are no GC roots are alive:\n\n" + out;
}

MarkdownTable grouped_table(const std::string& title) {
  return MarkdownTable({{title},
                        {"Objects", Align::right},
                        {"Shallow Heap", Align::right},
                        {"Retained Heap", Align::right},
                        {"Share", Align::right},
                        {"Threshold"}});
}

template <typename Row>
std::vector<std::string> grouped_cells(const std::string& label, const Row& row) {
  return {md_cell(label),
          grouped(row.instances),
          format_bytes(row.shallow),
          format_bytes(row.retained),
          format_share(row.retained_bp),
          mark(row.above_threshold)};
}

std::string classes(const TopConsumers& top, MarkdownStyle style) {
  auto table = grouped_table("Class");
  for (const auto& row : top.biggest_classes) {
    table.row(grouped_cells(row.class_name, row), row.retained);
  }
  return table.text(style);
}

std::string loaders(const TopConsumers& top, MarkdownStyle style) {
  auto table = grouped_table("Class Loader");
  for (const auto& row : top.biggest_class_loaders) {
    table.row(grouped_cells(row.label, row), row.retained);
  }
  return table.text(style);
}

/// The tree in reading order, walked with a stack of what is still to print.
std::string packages(const PackageNode& root, MarkdownStyle style) {
  struct Pending {
    const PackageNode* node;
    std::size_t depth;
  };
  MarkdownTree tree;
  std::vector<Pending> stack{{&root, 0}};
  while (!stack.empty()) {
    const auto [node, depth] = stack.back();
    stack.pop_back();
    tree.node(depth, node->name,
              format_bytes(node->retained) + " (" + format_share(node->retained_bp) + "), " +
                  format_count(node->instances, "object", "objects"),
              node->retained);
    for (std::size_t i = node->children.size(); i-- > 0;) {
      stack.push_back({&node->children[i], depth + 1});
    }
  }
  return tree.text(style);
}

std::string sizes(const std::vector<SizeClassRow>& rows, MarkdownStyle style) {
  MarkdownTable table({{"Retained Size", Align::right},
                       {"Objects", Align::right},
                       {"Retained Heap", Align::right}});
  for (const auto& row : rows) {
    table.row({row.from == 0 ? "0 B" : "from " + format_bytes(row.from), grouped(row.objects),
               format_bytes(row.retained)},
              row.retained);
  }
  return "\n### Sizes of Top-Level Objects\n\n" + table.text(style);
}

}  // namespace

std::string md_top(const Report& report, MarkdownStyle style) {
  const auto& top = report.top;
  return "Sums over the " + format_count(top.top_level_objects, "object", "objects") +
         " that no other object dominates; rows marked \"below\" retain no more than " +
         format_share(top.threshold_bp) + " of the used heap.\n\n" +     //
         "### Biggest Objects\n\n" + objects(top, style) + paths(top) +  //
         "\n### Biggest Classes\n\n" + classes(top, style) +             //
         "\n### Biggest Class Loaders\n\n" + loaders(top, style) +       //
         "\n### Packages\n\n" + packages(top.biggest_packages, style) +
         (top.size_distribution ? sizes(*top.size_distribution, style) : "");
}

}  // namespace hprof
