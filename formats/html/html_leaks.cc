#include "common/text.h"
#include "formats/html/html_parts.h"
#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/caveats.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

void fact_holder(std::string_view title, const std::optional<Holder>& holder, HtmlBody& body) {
  if (holder) {
    body.fact(title, [&] { body.sentence(holder_sentence(*holder)); });
  }
}

void root_types(const Suspect& suspect, HtmlBody& body) {
  body.fact("GC root", [&] {
    for (std::size_t i = 0; i < suspect.root_types.size(); ++i) {
      body.add(i == 0 ? "" : ", ");
      body.code(suspect.root_types[i]);
    }
    body.add(suspect.root_types.empty() ? "none found" : "");
  });
}

void facts(const Place<Suspect>& suspect, HtmlBody& body) {
  body.begin_facts();
  body.facts(suspect,
             {address("Address", &Suspect::address), class_name("Class", &Suspect::class_address),
              code("Class loader", &Suspect::loader_label), count("Objects", &Suspect::instances),
              bytes("Shallow heap", &Suspect::shallow), bytes("Retained heap", &Suspect::retained),
              share("Share of the used heap", &Suspect::retained_bp)});
  root_types(*suspect, body);
  if (suspect->accumulation_point) {
    body.facts(suspect.sub(&Suspect::accumulation_point),
               {object("Accumulation point", &ObjectRef::label, &ObjectRef::address),
                bytes("Its shallow heap", &ObjectRef::shallow),
                bytes("It retains", &ObjectRef::retained)});
  } else {
    body.fact("Accumulation point", [&] { body.add("none"); });
  }
  fact_holder("Kept alive by", suspect->holder, body);
  fact_holder("Which hangs on", suspect->anchor, body);
  fact_holder("Largest static field", suspect->largest_static, body);
  body.end_facts();
}

void why_alive(const Place<Suspect>& suspect, HtmlBody& body) {
  if (!suspect->why_alive) {
    return;
  }
  const bool group = suspect->kind == SuspectKind::group;
  const std::string what = suspect->accumulation_point ? "the accumulation point"
                           : group                     ? "the largest instance"
                                                       : "it";
  body.heading(4, "Why It Is Alive");
  body.note("Shortest path from a GC root to " + what + ":");
  html_path(suspect.sub(&Suspect::why_alive), body);
}

void common_path(const Place<Suspect>& suspect, HtmlBody& body) {
  if (!suspect->common_path.empty()) {
    body.heading(4, "Path That Most Instances Share");
    html_path(suspect.sub(&Suspect::common_path), suspect->common_path_left_out.value_or(0),
              (suspect->common_path.size() + 1) / 2, body);
  }
}

void held_together(const Suspect& suspect, HtmlBody& body) {
  if (!suspect.held_together || suspect.held_together->references.empty()) {
    return;
  }
  body.heading(4, "References That Hold It Together");
  body.add("<ul>\n");
  for (const auto& reference : suspect.held_together->references) {
    body.add("<li>");
    body.sentence(holder_sentence(reference.holder));
    body.add(": ");
    body.object(reference.object.label, reference.object.address);
    body.add(" retains ");
    body.figure(CellKind::bytes, reference.object.retained, "");
    body.add("</li>\n");
  }
  body.add("</ul>\n");
}

void frames(const Place<SuspectThread>& thread, HtmlBody& body) {
  body.add("<ol class=\"stack\">\n");
  for (const auto& frame : thread->frames) {
    body.add("<li>at ");
    body.code(frame.frame);
    for (const auto& local : frame.locals) {
      body.add(R"(<div class="local">local )");
      body.object(local.label, local.address);
      body.add(" retains ");
      body.figure(CellKind::bytes, local.retained, "");
      body.add("</div>");
    }
    body.add("</li>\n");
  }
  if (thread->frames_left_out != 0) {
    body.add("<li>" +
             html_text(format_count(thread->frames_left_out, "more frame is", "more frames are")) +
             " not listed</li>\n");
  }
  body.add("</ol>\n");
}

void thread(const Place<Suspect>& suspect, bool complete, HtmlBody& body) {
  if (!suspect->thread) {
    return;
  }
  const auto thread = suspect.sub(&Suspect::thread);
  body.heading(4, "Thread");
  body.begin_facts();
  body.facts(
      thread.sub(&SuspectThread::thread),
      {object("Thread", &ObjectRef::label, &ObjectRef::address),
       bytes("Its shallow heap", &ObjectRef::shallow), bytes("It retains", &ObjectRef::retained)});
  body.facts(thread, {code("Name", &SuspectThread::name)});
  body.end_facts();
  if (thread->frames.empty()) {
    body.note(as_far_as_read(complete, "There is no stack of it."));
  } else {
    frames(thread, body);
  }
}

void retained_classes(const Place<Suspect>& suspect, HtmlBody& body) {
  if (suspect->retained_classes && !suspect->retained_classes->empty()) {
    body.heading(4, "What It Retains by Class");
    body.table(
        suspect.sub(&Suspect::retained_classes),
        {class_name("Class", &ClassShare::class_address), count("Objects", &ClassShare::objects),
         bar(bytes("Shallow Heap", &ClassShare::shallow))});
  }
}

void accumulated(const Place<Suspect>& suspect, HtmlBody& body) {
  if (suspect->same_point_as) {
    const auto number = std::to_string(*suspect->same_point_as);
    body.add("<p>What the accumulation point holds stands under <a href=\"#suspect-" + number +
             "\">suspect " + number + "</a>, which has the same one.</p>\n");
  }
  if (!suspect->accumulated || suspect->accumulated->objects == 0) {
    return;
  }
  const auto sums = suspect.sub(&Suspect::accumulated);
  body.heading(4, "What the Accumulation Point Holds Directly");
  body.begin_facts();
  body.facts(sums, {count("Objects that it dominates directly", &Accumulated::objects),
                    bytes("Their shallow heap", &Accumulated::shallow),
                    bytes("They retain", &Accumulated::retained)});
  body.end_facts();
  body.table(sums.sub(&Accumulated::classes),
             {class_name("Class", &ClassShare::class_address),
              count("Objects", &ClassShare::objects), bytes("Shallow Heap", &ClassShare::shallow),
              bar(bytes("Retained Heap", &ClassShare::retained))});
  body.note("The largest of them:");
  body.table(sums.sub(&Accumulated::largest),
             {object("Object", &ObjectRef::label, &ObjectRef::address),
              bytes("Shallow Heap", &ObjectRef::shallow),
              bar(bytes("Retained Heap", &ObjectRef::retained))});
}

void tree(const Place<Suspect>& suspect, HtmlBody& body) {
  if (suspect->tree && !suspect->tree->children.empty()) {
    body.heading(4, "Dominator Tree of the Accumulation Point");
    html_dominator_tree(suspect.sub(&Suspect::tree), body);
  }
}

void keywords(const Suspect& suspect, HtmlBody& body) {
  if (suspect.keywords && !suspect.keywords->empty()) {
    body.add(R"(<p class="keywords">Keywords: )");
    for (std::size_t i = 0; i < suspect.keywords->size(); ++i) {
      body.add(i == 0 ? "" : ", ");
      body.code((*suspect.keywords)[i]);
    }
    body.add("</p>\n");
  }
}

}  // namespace

void html_leaks(const Place<Report>& report, HtmlBody& body) {
  const auto leaks = report.sub(&Report::leaks);
  const auto suspects = leaks.sub(&Leaks::suspects);
  if (suspects->empty()) {
    body.note(as_far_as_read(report->complete,
                             "No object and no class of top-level objects retains more than " +
                                 format_share(leaks->threshold_bp) + " of the used heap."));
  } else {
    body.note("Each retains more than " + format_share(leaks->threshold_bp) +
              " of the used heap, " + format_bytes(leaks->threshold) + ".");
  }
  for (std::size_t i = 0; i < suspects->size(); ++i) {
    const auto suspect = suspects.at(i);
    const auto number = std::to_string(i + 1);
    body.add("<article class=\"suspect-detail\">\n");
    body.heading(3, "Suspect " + number, "suspect-" + number);
    body.paragraph(suspect_sentence(*suspect), "lead");
    why_alive(suspect, body);
    common_path(suspect, body);
    held_together(*suspect, body);
    facts(suspect, body);
    accumulated(suspect, body);
    tree(suspect, body);
    retained_classes(suspect, body);
    thread(suspect, report->complete, body);
    keywords(*suspect, body);
    body.add("</article>\n");
  }
}

}  // namespace hprof
