#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/derived.h"
#include "formats/report/report_words.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

void all(const Place<Components>& components, HtmlBody& body) {
  body.table(components.sub(&Components::components),
             {object("Component", &Component::label, &Component::address),
              count("Top-Level Objects", &Component::top_level_objects),
              count("Objects", &Component::objects), bar(bytes("Size", &Component::retained)),
              share("Share", &Component::retained_bp)});
  if (components->others != 0) {
    body.begin_facts();
    body.facts(components, {count("Others, not listed", &Components::others),
                            count("Their objects", &Components::others_objects),
                            bytes("Their size", &Components::others_retained),
                            share("Their share", &Components::others_retained_bp)});
    body.end_facts();
  }
}

void loader_classes(const Place<Components>& components, HtmlBody& body) {
  body.heading(3, "By Class of the Loader");
  body.table(
      components.sub(&Components::loader_classes),
      {code("Class of the Loader", &LoaderClassRow::class_name),
       count("Loaders", &LoaderClassRow::class_loaders), count("Objects", &LoaderClassRow::objects),
       bar(bytes("Size", &LoaderClassRow::retained)),
       share("Share", &LoaderClassRow::retained_bp)});
}

void class_rows(const Place<std::vector<ComponentClass>>& rows, HtmlBody& body) {
  body.table(rows, {class_name("Class", &ComponentClass::class_address),
                    count("Instances", &ComponentClass::instances),
                    bar(bytes("Shallow Heap", &ComponentClass::shallow))});
}

void array_rows(const Place<std::vector<ComponentArrays>>& rows, HtmlBody& body) {
  body.table(rows, {class_name("Class", &ComponentArrays::class_address),
                    count("Arrays", &ComponentArrays::arrays),
                    bar(bytes("Shallow Heap", &ComponentArrays::shallow)),
                    count("Without Elements", &ComponentArrays::zero_length),
                    bytes("Their Shallow Heap", &ComponentArrays::zero_length_shallow)});
}

void fill(const std::vector<ComponentArrays>& arrays, HtmlBody& body) {
  const auto rows = fill_of_arrays(arrays);
  if (rows.empty()) {
    return;
  }
  auto slots = column(CellKind::fill, "Slots in Use", &ComponentFill::most_bp);
  slots.info.more = "apart";
  body.add("<h4>Object arrays in it by fill</h4>\n");
  body.table(Place(rows), {slots, count("Object Arrays", &ComponentFill::arrays),
                           bytes("Bytes", &ComponentFill::shallow),
                           bar(bytes("Unused Bytes", &ComponentFill::unused_bytes))});
}

void captioned(std::string_view caption, const Place<RetainedSet>& set,
               std::optional<std::vector<ComponentClass>> RetainedSet::*rows, HtmlBody& body) {
  if ((*set).*rows && !((*set).*rows)->empty()) {
    body.add("<h4>");
    body.text(caption);
    body.add("</h4>\n");
    class_rows(set.sub(rows), body);
  }
}

void retained_set(const Place<RetainedSet>& set, HtmlBody& body) {
  body.add(
      "<h4>What the whole component would take along</h4>\n<p class=\"note\">What its top-level "
      "objects share with each other is included.</p>\n");
  body.begin_facts();
  body.facts(set, {bytes("Shallow heap", &RetainedSet::shallow),
                   share("Share of the used heap", &RetainedSet::shallow_bp),
                   count("Objects", &RetainedSet::objects), count("Classes", &RetainedSet::classes),
                   count("Class loaders", &RetainedSet::class_loaders)});
  body.end_facts();
  class_rows(set.sub(&RetainedSet::histogram), body);
  if (set->arrays && !set->arrays->empty()) {
    body.add("<h4>Arrays in it</h4>\n");
    array_rows(set.sub(&RetainedSet::arrays), body);
    fill(*set->arrays, body);
  }
  captioned("Soft references in it", set, &RetainedSet::soft_references, body);
  captioned("What they refer to", set, &RetainedSet::softly_referenced, body);
  captioned("Weak references in it", set, &RetainedSet::weak_references, body);
  captioned("What they refer to", set, &RetainedSet::weakly_referenced, body);
  captioned("Objects in it that finalizers watch", set, &RetainedSet::with_finalizer, body);
}

void component(const Place<Component>& place, HtmlBody& body) {
  body.heading(3, "Component " + shown_name(place->label));
  body.table(place.sub(&Component::top_classes),
             {class_name("Class", &ComponentTopClass::class_address),
              count("Top-Level Objects", &ComponentTopClass::instances),
              bytes("Shallow Heap", &ComponentTopClass::shallow),
              bar(bytes("Retained Heap", &ComponentTopClass::retained)),
              share("Share of It", &ComponentTopClass::retained_bp)});
  if (place->retained_set) {
    retained_set(place.sub(&Component::retained_set), body);
  }
}

}  // namespace

void html_components(const Place<Report>& report, HtmlBody& body) {
  const auto components = report.sub(&Report::components);
  body.note(components_note(*components));
  all(components, body);
  loader_classes(components, body);
  const auto rows = components.sub(&Components::components);
  for (std::size_t i = 0; i < rows->size(); ++i) {
    if ((*rows)[i].retained >= components->threshold) {
      component(rows.at(i), body);
    }
  }
}

}  // namespace hprof
