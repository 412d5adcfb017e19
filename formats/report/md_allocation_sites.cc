#include "common/text.h"
#include "formats/report/caveats.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kSites = 50;
constexpr std::size_t kStacks = 10;
constexpr std::size_t kFrames = 16;
constexpr std::size_t kClasses = 5;

std::string first_frame(const AllocationSite& site) {
  return site.frames.empty() ? "?" : md_cell(site.frames.front());
}

std::string site_table(const AllocationSites& sites, MarkdownStyle style) {
  MarkdownTable table({{"Trace", Align::right},
                       {"Allocated At"},
                       {"Live Objects", Align::right},
                       {"Live Bytes", Align::right},
                       {"All Objects", Align::right},
                       {"All Bytes", Align::right}});
  const auto shown = std::min(sites.sites.size(), kSites);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& site = sites.sites[i];
    table.row({std::to_string(site.trace_serial), first_frame(site), grouped(site.live_objects),
               format_bytes(site.live_shallow), grouped(site.objects), format_bytes(site.shallow)},
              site.live_shallow);
  }
  std::string out = table.text(style);
  if (sites.site_count > shown) {
    out += "\n" + format_count(sites.site_count - shown, "further site", "further sites") +
           (sites.site_count - shown == 1 ? " is" : " are") + " not shown.\n";
  }
  return out;
}

std::string classes_of(const AllocationSite& site) {
  std::string out;
  const auto shown = std::min(site.classes.size(), kClasses);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& row = site.classes[i];
    out += (i == 0 ? "" : ", ") + md_code(row.class_name) + " (" +
           format_count(row.objects, "object", "objects") + ", " + format_bytes(row.shallow) + ")";
  }
  return out + (site.class_count > shown ? " and others" : "");
}

std::string stack_of(const AllocationSite& site) {
  std::string lines;
  const auto shown = std::min(site.frames.size(), kFrames);
  for (std::size_t i = 0; i < shown; ++i) {
    lines += "at " + md_verbatim(site.frames[i]) + "\n";
  }
  if (site.frames.size() > shown) {
    lines += "... " + std::to_string(site.frames.size() - shown) + " more\n";
  }
  return md_block(lines);
}

std::string stacks(const AllocationSites& sites) {
  std::string out;
  const auto shown = std::min(sites.sites.size(), kStacks);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& site = sites.sites[i];
    out += "\nTrace " + std::to_string(site.trace_serial) + ", " + format_share(site.live_bp) +
           " of the used heap: " + classes_of(site) + "\n\n" + stack_of(site);
  }
  return out;
}

}  // namespace

std::string md_allocation_sites(const Report& report, MarkdownStyle style) {
  const auto& sites = *report.allocation_sites;
  if (!sites.recorded) {
    return no_allocation_stacks(report.complete) + "\n";
  }
  return "The JVM recorded where " + format_count(sites.objects, "object", "objects") + " of " +
         format_bytes(sites.shallow) + (sites.objects == 1 ? " was" : " were") + " allocated, at " +
         format_count(sites.site_count, "site", "sites") + "; " + grouped(sites.live_objects) +
         " of them, " + format_bytes(sites.live_shallow) +
         (sites.live_objects == 1 ? ", is" : ", are") + " reachable.\n\n" +
         site_table(sites, style) + "\n### Stacks\n" + stacks(sites);
}

}  // namespace hprof
