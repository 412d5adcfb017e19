#pragma once

#include "formats/mat/html_page.h"
#include "formats/mat/mat_export.h"
#include "formats/mat/page_source.h"

#include <optional>
#include <string>
#include <utility>

namespace hprof {

/// A page with the export that it came from, so that its links can be followed. For the readers of
/// this folder.
struct MatPage {
  const PageSource* source = nullptr;
  std::string name;
  HtmlPage html;

  /// "EXPORT: PAGE", for messages.
  std::string place() const { return source->label() + ": " + name; }
};

MatPage open_mat_page(const PageSource& source, const std::string& name);

/// The page behind `href`; nothing for a page that was given alone, Error(bad_data) when the export
/// lacks it.
std::optional<MatPage> follow_link(const MatPage& page, const std::string& href);

/// The page that the heading leads to, if there is that heading and it is a link.
std::optional<MatPage> follow_heading(const MatPage& page, const std::string& heading);

/// The sentence for a text that is not what MAT 1.17 prints.
[[noreturn]] void not_understood(const MatPage& page, const std::string& what,
                                 const std::string& text);

/// Takes in a section; it may come twice (overview and leak suspects hold the same pages) but must
/// be equal then.
template <typename T>
void take_section(std::optional<T>& section, T value, const MatPage& page) {
  if (section && !(*section == value)) {
    fail(ExitCode::bad_data, page.place(),
         ": differs from the same page of the other export; give the exports of one dump");
  }
  section = std::move(value);
}

/// Tables with the columns of the histogram or of Top Consumers; an absent table is an empty
/// ranking.
MatRanking read_ranking(const MatPage& page, const std::string& heading);
/// The rows of a tree table from its top to the first row that MAT highlights; empty when there is
/// none.
std::vector<MatRow> read_path_to_selected(const MatPage& page, const std::string& heading);
/// "Total: 25 of 2,090 entries; 2,065 more" → 2090; "Total: 3 entries" → 3.
std::uint64_t entries_of(const MatPage& page, const std::string& text);
std::vector<MatPackage> read_packages(const MatPage& page, const std::string& heading);

/// Reads any page that may start an export, chosen by its title, into `result`.
void read_mat_page(const MatPage& page, MatExport& result);

void read_leak_suspects(const MatPage& page, MatExport& result);
void read_top_components(const MatPage& page, MatExport& result);
void read_threads(const MatPage& page, MatExport& result);
void read_system_properties(const MatPage& page, MatExport& result);
void read_system_overview(const MatPage& page, MatExport& result);

}  // namespace hprof
