#include "formats/html/html_report.h"
#include "formats/report/caveats.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

void garbage_facts(const Place<Garbage>& garbage, HtmlBody& body) {
  body.begin_facts();
  body.facts(garbage,
             {count("Objects that no other unreachable object references", &Garbage::roots),
              count("Of them, such that stand for a cycle", &Garbage::cycles),
              count("Their classes", &Garbage::root_class_count)});
  if (garbage->filler_objects != 0) {
    body.facts(garbage, {count("Objects with which the garbage collector fills gaps",
                               &Garbage::filler_objects),
                         bytes("They take", &Garbage::filler_shallow)});
  }
  if (garbage->lone_int_arrays != 0) {
    body.facts(garbage, {count("int[] that nothing references: likely filler of gaps",
                               &Garbage::lone_int_arrays),
                         bytes("They take", &Garbage::lone_int_arrays_shallow)});
  }
  if (garbage->lone_objects != 0) {
    body.facts(garbage,
               {count("java.lang.Object that nothing references: likely filler of small gaps",
                      &Garbage::lone_objects),
                bytes("They take", &Garbage::lone_objects_shallow)});
  }
  body.end_facts();
  body.note("What several garbage roots lead to is counted with the first by address.");
}

void garbage_part(const Place<Garbage>& garbage, HtmlBody& body) {
  body.heading(3, "Garbage Roots");
  garbage_facts(garbage, body);
  body.table(garbage.sub(&Garbage::largest),
             {object("Garbage Root", &GarbageRoot::label, &GarbageRoot::address),
              count("Objects", &GarbageRoot::objects), bytes("Shallow Heap", &GarbageRoot::shallow),
              bar(bytes("Reached First", &GarbageRoot::reached_shallow)),
              text("Cycle", &GarbageRoot::in_cycle)});
  body.heading(3, "Garbage Roots by Class");
  body.table(
      garbage.sub(&Garbage::root_classes),
      {class_name("Class", &GarbageRootClass::class_address),
       count("Roots", &GarbageRootClass::roots), count("Objects", &GarbageRootClass::objects),
       bar(bytes("Reached First", &GarbageRootClass::reached_shallow))});
}

}  // namespace

void html_unreachable(const Place<Report>& report, HtmlBody& body) {
  const auto unreachable = report.sub(&Report::unreachable);
  if (unreachable->objects == 0) {
    body.note("Every object of " + what_was_read(report->complete) + " is reachable.");
    return;
  }
  body.note("No GC root reaches these objects; no other section counts them.");
  if (const auto caveats = caveats_of(*report); caveats.any()) {
    body.note("What no GC root reaches is " + fate_of_unreached(caveats, true) + ".");
  }
  body.begin_facts();
  body.facts(unreachable, {count("Objects", &Unreachable::objects),
                           bytes("Shallow heap", &Unreachable::shallow)});
  body.end_facts();
  body.heading(3, "Unreachable by Kind");
  html_composition(unreachable.sub(&Unreachable::composition), body);
  body.heading(3, "Unreachable by Class");
  body.table(report.sub(&Report::overview).sub(&Overview::unreachable_histogram),
             {class_name("Class", &UnreachableRow::class_address),
              count("Instances", &UnreachableRow::instances),
              bar(bytes("Shallow Heap", &UnreachableRow::shallow))});
  if (unreachable->garbage) {
    garbage_part(unreachable.sub(&Unreachable::garbage), body);
  }
}

}  // namespace hprof
