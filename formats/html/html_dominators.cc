#include "common/text.h"
#include "formats/html/html_parts.h"
#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

void big_drops(const Place<Dominators>& dominators, bool complete, HtmlBody& body) {
  const auto threshold = format_bytes(dominators->drop_threshold);
  body.heading(3, "Big Drops");
  if (dominators->big_drops.empty()) {
    body.note(as_far_as_read(complete, "No object retains over " + threshold +
                                           " more than the largest object below it."));
    return;
  }
  body.note("Here the memory spreads out: each of these retains over " + threshold +
            " more than the largest object below it.");
  body.table(dominators.sub(&Dominators::big_drops),
             {object("Object", &BigDrop::label, &BigDrop::address),
              bytes("Shallow Heap", &BigDrop::shallow), bytes("Retained Heap", &BigDrop::retained),
              share("Share", &BigDrop::retained_bp), bar(bytes("Drop", &BigDrop::drop)),
              share("Share", &BigDrop::drop_bp), count("Children", &BigDrop::children),
              within(&BigDrop::largest_child,
                     object("Largest Child", &ObjectRef::label, &ObjectRef::address)),
              within(&BigDrop::largest_child, bytes("It Retains", &ObjectRef::retained))});
  if (dominators->further_drops != 0) {
    body.note(format_count(dominators->further_drops, "smaller drop is", "smaller drops are") +
              " left out.");
  }
}

Column<HolderRow> holder_column() {
  auto out = class_name("Held by", &HolderRow::class_address);
  return out;
}

void holders_of(const Place<DominatedClass>& dominated, HtmlBody& body) {
  body.add("<h4>");
  body.class_link(dominated->class_name, dominated->class_address);
  body.add("</h4>\n");
  body.begin_facts();
  body.facts(dominated, {count("Objects", &DominatedClass::objects),
                         bytes("Shallow heap", &DominatedClass::shallow),
                         share("Share of the used heap", &DominatedClass::shallow_bp)});
  if (dominated->further_holders != 0) {
    body.facts(dominated, {count("Further holders", &DominatedClass::further_holders),
                           count("Objects held by them", &DominatedClass::further_objects),
                           bytes("Their shallow heap", &DominatedClass::further_shallow)});
  }
  body.end_facts();
  body.table(dominated.sub(&DominatedClass::holders),
             {holder_column(), text("The Class Itself", &HolderRow::is_class_object),
              count("Classes", &HolderRow::classes), count("Objects", &HolderRow::objects),
              bar(bytes("Shallow Heap", &HolderRow::shallow))});
}

void holders(const Place<Dominators>& dominators, HtmlBody& body) {
  body.heading(3, "Holders by Class");
  body.add(R"(<p class="note">For each class, what holds its objects: the class of the nearest )"
           "dominator "
           "that ");
  if (dominators->skipped_classes.empty()) {
    body.add("is no array");
  } else {
    body.code(dominators->skipped_classes);
    body.add(" does not match and that is no array");
  }
  body.add(".</p>\n");
  const auto classes = dominators.sub(&Dominators::dominated_classes);
  for (std::size_t i = 0; i < classes->size(); ++i) {
    holders_of(classes.at(i), body);
  }
}

void depth_chart(const std::vector<DepthRow>& rows, HtmlBody& body) {
  std::vector<ChartBar> bars;
  bars.reserve(rows.size());
  for (const auto& row : rows) {
    bars.push_back({row.objects, "level " + range_text(row.from, row.to) + ": " +
                                     format_count(row.objects, "object", "objects") + ", " +
                                     format_bytes(row.shallow)});
  }
  if (!rows.empty()) {
    html_chart("Objects by level", bars, "level " + grouped(rows.front().from),
               "level " + grouped(rows.back().to), body);
  }
}

void depths(const Place<Dominators>& dominators, HtmlBody& body) {
  const std::vector<Column<DepthRow>> columns{range("Level", &DepthRow::from, &DepthRow::to),
                                              bar(count("Objects", &DepthRow::objects)),
                                              bytes("Shallow Heap", &DepthRow::shallow)};
  body.heading(3, "Depth of the Tree");
  body.begin_facts();
  body.facts(dominators,
             {count("90 % of the objects lie no deeper than level", &Dominators::depth_p90),
              count("The deepest lies at level", &Dominators::depth_max)});
  body.end_facts();
  depth_chart(dominators->depths, body);
  const auto merged = merged_levels(dominators->depths);
  body.table(Place(merged), columns);
  if (merged.size() < dominators->depths.size()) {
    body.add("<details><summary>Level by level</summary>\n");
    body.table(dominators.sub(&Dominators::depths), columns);
    body.add("</details>\n");
  }
}

void concentration(const Place<Dominators>& dominators, HtmlBody& body) {
  body.heading(3, "Concentration");
  body.begin_facts();
  body.facts(dominators, {count("Top-level objects that retain over 1 % of the used heap",
                                &Dominators::objects_over_one_percent)});
  body.end_facts();
  body.table(dominators.sub(&Dominators::concentration),
             {count("Largest Objects", &ConcentrationRow::objects),
              bar(bytes("Retained Heap", &ConcentrationRow::retained)),
              share("Share", &ConcentrationRow::retained_bp)});
}

}  // namespace

void html_dominators(const Place<Report>& report, HtmlBody& body) {
  const auto dominators = report.sub(&Report::dominators);
  big_drops(dominators, report->complete, body);
  holders(dominators, body);
  depths(dominators, body);
  concentration(dominators, body);
}

}  // namespace hprof
