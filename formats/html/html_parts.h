#pragma once

#include "formats/html/html_body.h"
#include "formats/html/place.h"
#include "formats/report/leaks.h"
#include "formats/report/paths.h"
#include "formats/report/top.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// A bar of a chart; `tooltip` tells its figures.
struct ChartBar {
  std::uint64_t amount;
  std::string tooltip;
};

/// A chart of bars from left to right as an inline SVG image; `what` says what it shows, `first`
/// and `last` stand below its ends.
void html_chart(const std::string& what, const std::vector<ChartBar>& bars,
                const std::string& first, const std::string& last, HtmlBody& body);

/// A tree that opens and closes; the script adds what is left out here from the data of the page.
void html_package_tree(const Place<PackageNode>& root, HtmlBody& body);
void html_dominator_tree(const Place<DominatedObject>& root, HtmlBody& body);

/// A path as a chain of references and objects, from the root down.
void html_path(const Place<std::vector<PathStep>>& steps, std::uint64_t left_out,
               std::uint64_t left_out_after, HtmlBody& body);
/// The same with its line, and a note where it is weak.
void html_path(const Place<ReferencePath>& path, HtmlBody& body);

}  // namespace hprof
