// Finds the exports of a dump and reads them from their first page on: every export starts at
// index.html, whose title says which report it is, and the rest is reached by following the links
// of known headings.
#include "formats/mat/mat_export.h"

#include "common/error.h"
#include "common/input_file.h"
#include "common/text.h"
#include "formats/mat/mat_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>

namespace hprof {
namespace {

namespace fs = std::filesystem;
using Sources = std::vector<std::unique_ptr<PageSource>>;

constexpr std::array<const char*, 3> kKinds{"_System_Overview.zip", "_Leak_Suspects.zip",
                                            "_Top_Components.zip"};

bool is_zip(const std::string& path) {
  const auto file = open_input(path);
  std::array<std::uint8_t, 2> start{};
  return read_at(file, path, 0, start) == start.size() && start[0] == 'P' && start[1] == 'K';
}

std::unique_ptr<PageSource> open_file(const std::string& path) {
  return is_zip(path) || path.ends_with(".zip") ? open_zip_pages(path) : open_single_page(path);
}

/// The archives PREFIX_System_Overview.zip and so on that are there.
Sources open_prefix(const std::string& prefix) {
  Sources sources;
  for (const auto* kind : kKinds) {
    if (fs::exists(prefix + kind)) {
      sources.push_back(open_zip_pages(prefix + kind));
    }
  }
  return sources;
}

/// The names before the known endings of the archives in a folder.
std::vector<std::string> export_names(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const auto name = entry.path().filename().string();
    for (const std::string kind : kKinds) {
      if (name.ends_with(kind)) {
        names.push_back(name.substr(0, name.size() - kind.size()));
      }
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Sources open_folder(const std::string& folder) {
  Sources sources;
  if (fs::exists(folder + "/index.html")) {
    sources.push_back(open_folder_pages(folder));
    return sources;
  }
  const auto names = export_names(folder);
  if (names.size() > 1) {
    fail(ExitCode::no_input, folder, ": holds the exports of ", names.size(),
         " dumps; name one, such as ", folder, "/", printable(names.front()));
  }
  return names.empty() ? std::move(sources) : open_prefix(folder + "/" + names.front());
}

Sources open_sources(const std::string& where) {
  if (fs::is_directory(where)) {
    return open_folder(where);
  }
  Sources sources;
  if (fs::exists(where)) {
    sources.push_back(open_file(where));
    return sources;
  }
  return open_prefix(where);
}

std::vector<MatProperty> read_properties(const MatPage& page, const std::string& heading) {
  std::vector<MatProperty> properties;
  const auto* section = page.html.section(heading);
  if (section == nullptr || section->tables.empty()) {
    return properties;
  }
  for (const auto& row : section->tables.front().rows) {
    if (!row.totals && row.cells.size() == 2) {
      properties.push_back({row.cells[0].text, row.cells[1].text});
    }
  }
  return properties;
}

void read_histogram(const MatPage& page, MatExport& result) {
  take_section(result.histogram, read_ranking(page, "Class Histogram"), page);
}

void read_top_consumers(const MatPage& page, MatExport& result) {
  take_section(result.objects, read_ranking(page, "Biggest Objects"), page);
  take_section(result.classes, read_ranking(page, "Biggest Top-Level Dominator Classes"), page);
  take_section(result.loaders, read_ranking(page, "Biggest Top-Level Dominator Class Loaders"),
               page);
  take_section(result.packages, read_packages(page, "Biggest Top-Level Dominator Packages"), page);
}

using Reader = void (*)(const MatPage&, MatExport&);
const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> table{
      {"System Overview", read_system_overview},     {"Leak Suspects", read_leak_suspects},
      {"Top Components", read_top_components},       {"Class Histogram", read_histogram},
      {"Top Consumers", read_top_consumers},         {"Thread Overview", read_threads},
      {"System Properties", read_system_properties},
  };
  return table;
}

}  // namespace

MatPage open_mat_page(const PageSource& source, const std::string& name) {
  return {&source, name, HtmlPage::parse(source.read(name), source.label() + ": " + name)};
}

std::optional<MatPage> follow_link(const MatPage& page, const std::string& href) {
  const auto name = resolve_link(page.name, href);
  if (!page.source->complete()) {
    return std::nullopt;
  }
  if (name.empty() || !page.source->has(name)) {
    fail(ExitCode::bad_data, page.place(), ": leads to ", printable(href),
         ", which is not in the export; export the report from MAT again");
  }
  return open_mat_page(*page.source, name);
}

std::optional<MatPage> follow_heading(const MatPage& page, const std::string& heading) {
  const auto* section = page.html.section(heading);
  return section == nullptr || section->href.empty() ? std::nullopt
                                                     : follow_link(page, section->href);
}

void not_understood(const MatPage& page, const std::string& what, const std::string& text) {
  fail(ExitCode::bad_data, page.place(), ": ", what, " not understood: \"",
       printable(text.substr(0, 200)),
       "\"; give an export made by MAT 1.17 in English (-vmargs -Duser.language=en "
       "-Duser.country=US)");
}

void read_system_overview(const MatPage& page, MatExport& result) {
  take_section(result.overview, read_properties(page, "Heap Dump Overview"), page);
  for (const auto* heading :
       {"Class Histogram", "Top Consumers", "Thread Overview", "System Properties"}) {
    if (const auto next = follow_heading(page, heading)) {
      readers().at(heading)(*next, result);
    }
  }
}

void read_mat_page(const MatPage& page, MatExport& result) {
  const auto reader = readers().find(page.html.title);
  if (reader == readers().end()) {
    not_understood(page, "title", page.html.title);
  }
  reader->second(page, result);
}

MatExport read_mat_export(const std::string& where) {
  const auto sources = open_sources(where);
  if (sources.empty()) {
    fail(ExitCode::no_input, where,
         ": no MAT export there; give a zip archive, a folder, a page or a prefix");
  }
  MatExport result;
  for (const auto& source : sources) {
    read_mat_page(open_mat_page(*source, "index.html"), result);
    result.sources.push_back(source->label());
  }
  return result;
}

}  // namespace hprof
