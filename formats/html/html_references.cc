#include "formats/html/html_report.h"
#include "formats/report/caveats.h"
#include "formats/report/derived.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

void class_table(const Place<std::vector<HeldClass>>& rows, bool with_retained, HtmlBody& body) {
  std::vector<Column<HeldClass>> columns{class_name("Class", &HeldClass::class_address),
                                         count("Objects", &HeldClass::objects),
                                         bytes("Shallow Heap", &HeldClass::shallow)};
  if (with_retained) {
    columns.push_back(bar(bytes("Retained Heap", &HeldClass::retained)));
  } else {
    columns.back() = bar(columns.back());
  }
  body.table(rows, columns);
}

void reachability(const Place<std::vector<ReachRow>>& rows, HtmlBody& body) {
  auto held = text("Held", &ReachRow::strength);
  held.info.more = "words";
  held.value = [](const ReachRow& row) {
    return cell_value(std::string(held_words(row.strength)));
  };
  body.table(rows, {held, count("Objects", &ReachRow::objects),
                    bar(bytes("Shallow Heap", &ReachRow::shallow)),
                    share("Share", &ReachRow::shallow_bp)});
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto& row = (*rows)[i];
    if (row.strength != Strength::strong && row.objects != 0) {
      body.heading(4, "Held " + std::string(held_words(row.strength)));
      class_table(rows.at(i).sub(&ReachRow::classes), false, body);
    }
  }
}

void kinds(const Place<std::vector<ReferenceKind>>& rows, HtmlBody& body) {
  body.heading(3, "References by Kind");
  body.table(
      rows,
      {text("Kind", &ReferenceKind::strength), count("References", &ReferenceKind::instances),
       count("Cleared", &ReferenceKind::cleared), count("Referents", &ReferenceKind::referents),
       bytes("Shallow Heap", &ReferenceKind::referents_shallow),
       bar(bytes("Retained Heap", &ReferenceKind::referents_retained)),
       count("Classes of Referents", &ReferenceKind::referent_class_count)});
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const auto& row = (*rows)[i];
    if (row.referents != 0) {
      body.heading(4, "Referents of " + std::string(word_of(row.strength)) + " references");
      class_table(rows.at(i).sub(&ReferenceKind::referent_classes), true, body);
    }
  }
}

void by_kind_and_class(const Place<References>& references, bool complete, HtmlBody& body) {
  if (references->classes.empty()) {
    body.note(as_far_as_read(complete, "The heap holds no instance of java.lang.ref.Reference."));
    return;
  }
  kinds(references.sub(&References::kinds), body);
  body.heading(3, "References by Class");
  body.table(
      references.sub(&References::classes),
      {class_name("Class", &ReferenceClass::class_address), text("Kind", &ReferenceClass::strength),
       count("Instances", &ReferenceClass::instances), count("Cleared", &ReferenceClass::cleared),
       bar(bytes("Shallow Heap", &ReferenceClass::shallow))});
}

void self_held(const Place<SelfHeldReferents>& held, HtmlBody& body) {
  if (held->objects == 0) {
    return;
  }
  body.heading(3, "Referents That Hold Themselves");
  body.note(
      "These are strongly reachable, but only through the reference itself, as when the value of a "
      "WeakHashMap's entry leads back to its key; such entries are never cleared.");
  body.begin_facts();
  body.facts(held, {count("Referents", &SelfHeldReferents::objects),
                    bytes("They retain", &SelfHeldReferents::references_retained)});
  body.end_facts();
  if (!held->largest.empty()) {
    body.table(held.sub(&SelfHeldReferents::largest),
               {object("Referent", &SelfHeldReferent::label, &SelfHeldReferent::address),
                bar(bytes("Retained Heap", &SelfHeldReferent::retained)),
                code("Reference", &SelfHeldReferent::reference_class),
                address("At", &SelfHeldReferent::reference_address)});
  }
}

void finalizers(const Place<Finalizers>& figures, HtmlBody& body) {
  body.heading(3, "Finalizers");
  body.begin_facts();
  body.facts(figures,
             {count("Objects with a finalize method that the JVM watches", &Finalizers::registered),
              count("Waiting for the finalizer thread", &Finalizers::enqueued),
              count("Its queue says", &Finalizers::queue_length)});
  if (figures->waiting != 0) {
    body.facts(figures, {count("Objects that wait", &Finalizers::waiting),
                         bytes("Their shallow heap", &Finalizers::waiting_shallow),
                         bytes("They retain", &Finalizers::waiting_retained)});
  }
  body.end_facts();
  if (figures->waiting != 0) {
    class_table(figures.sub(&Finalizers::waiting_classes), true, body);
  }
}

void direct_buffers(const Place<DirectBuffers>& buffers, HtmlBody& body) {
  body.heading(3, "Memory Outside the Heap");
  body.begin_facts();
  body.facts(buffers, {count("Direct buffers", &DirectBuffers::buffers),
                       bytes("They own outside the heap", &DirectBuffers::capacity),
                       count("Mapped buffers", &DirectBuffers::mapped_buffers),
                       bytes("Of files they map", &DirectBuffers::mapped_capacity),
                       count("The JVM's own count (java.nio.Bits)", &DirectBuffers::jvm_count),
                       bytes("Of bytes", &DirectBuffers::jvm_capacity),
                       bytes("Reserved", &DirectBuffers::jvm_reserved),
                       bytes("At most", &DirectBuffers::jvm_limit),
                       count("Not counted: views of other buffers", &DirectBuffers::views),
                       count("Not counted: already freed", &DirectBuffers::freed),
                       count("Not counted: over memory of others", &DirectBuffers::foreign),
                       bytes("That memory", &DirectBuffers::foreign_capacity)});
  body.end_facts();
  if (!buffers->largest.empty()) {
    body.table(buffers.sub(&DirectBuffers::largest),
               {code("Buffer", &BufferRow::class_name), address("At", &BufferRow::address),
                bar(bytes("Capacity", &BufferRow::capacity)), address("Memory", &BufferRow::memory),
                text("Mapped", &BufferRow::mapped)});
  }
}

Column<ThreadLocalRow> owner_column() {
  auto out = object("Thread", &ThreadLocalRow::name, &ThreadLocalRow::thread);
  out.value = [](const ThreadLocalRow& row) {
    auto value = cell_value(row.thread.value == 0 ? std::string("(no thread)") : row.name);
    value.address = row.thread;
    return value;
  };
  return out;
}

void thread_locals(const Place<ThreadLocals>& locals, HtmlBody& body) {
  body.heading(3, "ThreadLocals");
  body.begin_facts();
  body.facts(locals, {count("Entries", &ThreadLocals::entries),
                      bytes("What each retains, added up", &ThreadLocals::retained),
                      count("Entries with a cleared key", &ThreadLocals::stale),
                      bytes("What each of these retains, added up", &ThreadLocals::stale_retained),
                      count("Threads with entries", &ThreadLocals::thread_count)});
  body.end_facts();
  body.table(locals.sub(&ThreadLocals::threads),
             {owner_column(), address("At", &ThreadLocalRow::thread),
              count("Entries", &ThreadLocalRow::entries), count("Stale", &ThreadLocalRow::stale),
              bar(bytes("Retained Heap", &ThreadLocalRow::retained)),
              bytes("Stale Ones Retain", &ThreadLocalRow::stale_retained)});
  body.note("Largest values:");
  body.table(
      locals.sub(&ThreadLocals::largest),
      {code("Value", &ThreadLocalValue::value_class), address("At", &ThreadLocalValue::value),
       address("Entry", &ThreadLocalValue::entry),
       code("ThreadLocal", &ThreadLocalValue::key_class),
       text("Key Cleared", &ThreadLocalValue::stale), address("Thread", &ThreadLocalValue::thread),
       bar(bytes("Retained Heap", &ThreadLocalValue::retained))});
}

}  // namespace

void html_references(const Place<Report>& report, HtmlBody& body) {
  const auto references = report.sub(&Report::references);
  body.heading(3, "How Objects Are Held");
  if (follows_strong_only(report->overview)) {
    body.note(kStrongOnlyNote);
  }
  if (!report->complete) {
    body.note(kLostLooksCleared);
  }
  reachability(references.sub(&References::reachability), body);
  by_kind_and_class(references, report->complete, body);
  if (references->self_held) {
    self_held(references.sub(&References::self_held), body);
  }
  if (references->finalizers && references->finalizers->registered != 0) {
    finalizers(references.sub(&References::finalizers), body);
  }
  if (references->direct_buffers) {
    direct_buffers(references.sub(&References::direct_buffers), body);
  }
  if (references->thread_locals) {
    thread_locals(references.sub(&References::thread_locals), body);
  }
}

}  // namespace hprof
