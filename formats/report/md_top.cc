#include "common/text.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

std::string mark(bool above_threshold) {
  return above_threshold ? "" : "below";
}

std::string objects(const TopConsumers& top) {
  MarkdownTable table({{"Object"},
                       {"Shallow Heap", Align::right},
                       {"Retained Heap", Align::right},
                       {"Share", Align::right},
                       {"Threshold"}});
  for (const auto& row : top.biggest_objects) {
    table.row({md_cell(row.label), format_bytes(row.shallow), format_bytes(row.retained),
               format_share(row.retained_bp), mark(row.above_threshold)});
  }
  return table.text();
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

std::string classes(const TopConsumers& top) {
  auto table = grouped_table("Class");
  for (const auto& row : top.biggest_classes) {
    table.row(grouped_cells(row.class_name, row));
  }
  return table.text();
}

std::string loaders(const TopConsumers& top) {
  auto table = grouped_table("Class Loader");
  for (const auto& row : top.biggest_class_loaders) {
    table.row(grouped_cells(row.label, row));
  }
  return table.text();
}

/// The tree in reading order, walked with a stack of what is still to print.
std::string packages(const PackageNode& root) {
  struct Pending {
    const PackageNode* node;
    std::size_t depth;
  };
  std::string out;
  std::vector<Pending> stack{{&root, 0}};
  while (!stack.empty()) {
    const auto [node, depth] = stack.back();
    stack.pop_back();
    out += std::string(2 * depth, ' ') + "- " + md_code(node->name) + ": " +
           format_bytes(node->retained) + " (" + format_share(node->retained_bp) + "), " +
           format_count(node->instances, "object", "objects") + "\n";
    for (std::size_t i = node->children.size(); i-- > 0;) {
      stack.push_back({&node->children[i], depth + 1});
    }
  }
  return out;
}

}  // namespace

std::string md_top(const Report& report) {
  const auto& top = report.top;
  return "Sums over the " + format_count(top.top_level_objects, "object", "objects") +
         " that no other object dominates; rows marked \"below\" retain no more than " +
         format_share(top.threshold_bp) + " of the used heap.\n\n" +  //
         "### Biggest Objects\n\n" + objects(top) +                   //
         "\n### Biggest Classes\n\n" + classes(top) +                 //
         "\n### Biggest Class Loaders\n\n" + loaders(top) +           //
         "\n### Packages\n\n" + packages(top.biggest_packages);
}

}  // namespace hprof
