#include "common/text.h"
#include "formats/html/html_report.h"
#include "formats/html/html_text.h"
#include "formats/report/caveats.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kMostStacks = 50;
constexpr std::size_t kMostFrames = 50;

void totals(const Place<AllocationSites>& sites, HtmlBody& body) {
  body.begin_facts();
  body.facts(sites, {count("Objects of which the JVM recorded where they were allocated",
                           &AllocationSites::objects),
                     bytes("Their shallow heap", &AllocationSites::shallow),
                     count("Sites", &AllocationSites::site_count),
                     count("Reachable of them", &AllocationSites::live_objects),
                     bytes("Their shallow heap", &AllocationSites::live_shallow)});
  body.end_facts();
}

/// The place of allocation is the first of the frames.
Column<AllocationSite> place_column() {
  Column<AllocationSite> out{{"Allocated At", CellKind::code, "frames.0", "", "", false}, {}};
  out.value = [](const AllocationSite& site) {
    return cell_value(site.frames.empty() ? std::string("?") : site.frames.front());
  };
  return out;
}

void stack(const AllocationSite& site, HtmlBody& body) {
  body.add("<ol class=\"stack\" data-copy=\"the stack\">\n");
  const auto shown = std::min(site.frames.size(), kMostFrames);
  for (std::size_t i = 0; i < shown; ++i) {
    body.add("<li>at ");
    body.code(site.frames[i]);
    body.add("</li>\n");
  }
  if (site.frames.size() > shown) {
    body.add("<li>" + std::to_string(site.frames.size() - shown) + " more</li>\n");
  }
  body.add("</ol>\n");
}

void site_in_detail(const Place<AllocationSite>& site, HtmlBody& body) {
  body.add(R"(<details class="thread"><summary>Trace )" + std::to_string(site->trace_serial) + " ");
  body.code(site->frames.empty() ? "?" : site->frames.front());
  body.add(R"( <span class="figures"><span class="unit">live</span> )");
  body.figure(CellKind::bytes, site->live_shallow, "");
  body.figure(CellKind::share, site->live_bp, "");
  body.add("</span></summary>\n");
  body.table(
      site.sub(&AllocationSite::classes),
      {code("Class", &AllocatedClass::class_name), count("Objects", &AllocatedClass::objects),
       bar(bytes("Shallow Heap", &AllocatedClass::shallow)),
       count("Live Objects", &AllocatedClass::live_objects),
       bytes("Live Bytes", &AllocatedClass::live_shallow)});
  if (site->class_count > site->classes.size()) {
    body.note(format_count(site->class_count - site->classes.size(), "more class is",
                           "more classes are") +
              " not listed.");
  }
  stack(*site, body);
  body.add("</details>\n");
}

}  // namespace

void html_allocation_sites(const Place<Report>& report, HtmlBody& body) {
  const auto sites = report.sub(&Report::allocation_sites);
  if (!sites->recorded) {
    body.note(no_allocation_stacks(report->complete));
    return;
  }
  totals(sites, body);
  const auto rows = sites.sub(&AllocationSites::sites);
  body.table(rows, {column(CellKind::plain, "Trace", &AllocationSite::trace_serial), place_column(),
                    count("Live Objects", &AllocationSite::live_objects),
                    bar(bytes("Live Bytes", &AllocationSite::live_shallow)),
                    share("Share", &AllocationSite::live_bp),
                    count("All Objects", &AllocationSite::objects),
                    bytes("All Bytes", &AllocationSite::shallow)});
  if (sites->site_count > rows->size()) {
    body.note(
        format_count(sites->site_count - rows->size(), "further site is", "further sites are") +
        " not listed.");
  }
  body.heading(3, "Stacks");
  for (std::size_t i = 0; i < std::min(rows->size(), kMostStacks); ++i) {
    site_in_detail(rows.at(i), body);
  }
}

}  // namespace hprof
