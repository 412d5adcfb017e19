#include "common/text.h"
#include "formats/html/html_parts.h"
#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

template <typename Row>
Column<Row> threshold() {
  auto out = text("Threshold", &Row::above_threshold);
  out.value = [](const Row& row) {
    return cell_value(std::string(row.above_threshold ? "above" : "below"));
  };
  return out;
}

void objects(const Place<TopConsumers>& top, HtmlBody& body) {
  body.heading(3, "Biggest Objects");
  body.table(top.sub(&TopConsumers::biggest_objects),
             {object("Object", &TopObject::label, &TopObject::address),
              bytes("Shallow Heap", &TopObject::shallow),
              bar(bytes("Retained Heap", &TopObject::retained)),
              share("Share", &TopObject::retained_bp), threshold<TopObject>()});
}

/// What keeps each of the biggest objects alive.
void paths(const Place<TopConsumers>& top, HtmlBody& body) {
  const auto rows = top.sub(&TopConsumers::biggest_objects);
  bool headed = false;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto& row = (*rows)[i];
    if (!row.why_alive || row.why_alive->steps.size() < 2) {
      continue;
    }
    body.add(headed ? "" : "<h4>Why those that are no GC roots are alive</h4>\n");
    headed = true;
    body.add(R"(<details class="why"><summary>)");
    body.code(row.label);
    if (row.holder) {
      body.add(R"( <span class="keeper">kept alive by )");
      body.sentence(holder_sentence(*row.holder));
      body.add("</span>");
    }
    body.add("</summary>\n");
    html_path(rows.at(i).sub(&TopObject::why_alive), body);
    body.add("</details>\n");
  }
}

void classes(const Place<TopConsumers>& top, HtmlBody& body) {
  body.heading(3, "Biggest Classes");
  body.table(
      top.sub(&TopConsumers::biggest_classes),
      {class_name("Class", &TopClass::class_address), count("Objects", &TopClass::instances),
       bytes("Shallow Heap", &TopClass::shallow), bar(bytes("Retained Heap", &TopClass::retained)),
       share("Share", &TopClass::retained_bp), threshold<TopClass>()});
}

void loaders(const Place<TopConsumers>& top, HtmlBody& body) {
  body.heading(3, "Biggest Class Loaders");
  body.table(top.sub(&TopConsumers::biggest_class_loaders),
             {object("Class Loader", &TopLoader::label, &TopLoader::address),
              count("Objects", &TopLoader::instances), bytes("Shallow Heap", &TopLoader::shallow),
              bar(bytes("Retained Heap", &TopLoader::retained)),
              share("Share", &TopLoader::retained_bp), threshold<TopLoader>()});
}

void sizes(const Place<std::vector<SizeClassRow>>& rows, HtmlBody& body) {
  body.heading(3, "Sizes of Top-Level Objects");
  std::vector<ChartBar> bars;
  bars.reserve(rows->size());
  for (const auto& row : *rows) {
    bars.push_back({row.retained, "from " + format_bytes(row.from) + ": " +
                                      format_count(row.objects, "object", "objects") + ", " +
                                      format_bytes(row.retained)});
  }
  if (!rows->empty()) {
    html_chart("Retained heap by size of the objects", bars, format_bytes(rows->front().from),
               format_bytes(rows->back().from), body);
  }
  body.table(rows, {bytes("Retained Size From", &SizeClassRow::from),
                    bytes("To", &SizeClassRow::to), count("Objects", &SizeClassRow::objects),
                    bar(bytes("Retained Heap", &SizeClassRow::retained))});
}

}  // namespace

void html_top(const Place<Report>& report, HtmlBody& body) {
  const auto top = report.sub(&Report::top);
  body.begin_facts();
  body.facts(top,
             {count("Objects that no other object dominates", &TopConsumers::top_level_objects),
              share("Rows above the threshold retain more than", &TopConsumers::threshold_bp),
              bytes("That is", &TopConsumers::threshold)});
  body.end_facts();
  objects(top, body);
  paths(top, body);
  classes(top, body);
  body.heading(3, "Packages");
  html_package_tree(top.sub(&TopConsumers::biggest_packages), body);
  loaders(top, body);
  if (top->size_distribution) {
    sizes(top.sub(&TopConsumers::size_distribution), body);
  }
}

}  // namespace hprof
