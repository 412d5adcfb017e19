// Top Components: one heading per class loader on the first page, "LABEL (SHARE%)", each with a
// page of its own.
#include "common/error.h"
#include "common/text.h"
#include "formats/mat/mat_reader.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace hprof {
namespace {

/// "jdk.internal.loader.ClassLoaders$AppClassLoader @ 0xc020e420 (1%)"; headings of another form
/// are no components.
std::optional<MatComponent> read_heading(const std::string& heading) {
  const auto open = heading.rfind(" (");
  if (open == std::string::npos || !heading.ends_with("%)")) {
    return std::nullopt;
  }
  const auto share =
      parse_percent(std::string_view(heading).substr(open + 2, heading.size() - open - 3));
  if (!share) {
    return std::nullopt;
  }
  MatComponent component;
  component.label = heading.substr(0, open);
  component.share = *share;
  const auto at = component.label.find(" @ ");
  if (at != std::string::npos) {
    const auto address = std::string_view(component.label).substr(at + 3);
    component.address = parse_hex_address(address.substr(0, address.find(' ')));
  } else if (component.label == "<system class loader>") {
    component.address = 0;
  }
  return component;
}

/// "Size: * Classes: * Objects: * Class Loader: *"
void read_size_line(const HtmlProse& prose, MatComponent& component) {
  if (!prose.text.starts_with("Size: ")) {
    return;
  }
  std::size_t start = 0;
  for (const auto& value : prose.bold) {
    const auto mark = prose.text.find(HtmlProse::kMark, start);
    auto name = trimmed(std::string_view(prose.text).substr(start, mark - start));
    name = name.substr(0, name.find(':'));
    component.figures.push_back({name, trimmed(value)});
    start = mark + 1;
  }
}

void read_consumers(const MatPage& page, MatComponent& component) {
  component.objects = read_ranking(page, "Biggest Objects");
  component.classes = read_ranking(page, "Biggest Top-Level Dominator Classes");
  component.loaders = read_ranking(page, "Biggest Top-Level Dominator Class Loaders");
  component.packages = read_packages(page, "Biggest Top-Level Dominator Packages");
}

/// The page of details of a finding.
std::optional<MatPage> details_of(const MatPage& page, const HtmlSection& section) {
  for (const auto& link : section.links) {
    if (link.text.starts_with("Details")) {
      return follow_link(page, link.href);
    }
  }
  return std::nullopt;
}

/// Below "Comment" and "Details" there is a heading for each array class.
std::vector<MatArrayClass> read_arrays(const MatPage& page) {
  std::vector<MatArrayClass> out;
  for (const auto& section : page.html.sections) {
    if (section.heading.ends_with("[]")) {
      out.push_back({section.heading, read_ranking(page, section.heading)});
    }
  }
  return out;
}

bool is_finding(const HtmlSection& section) {
  return std::any_of(section.links.begin(), section.links.end(),
                     [](const auto& link) { return link.text.starts_with("Details"); });
}

using DetailsReader = void (*)(const MatPage& details, MatComponent& component);

void read_soft(const MatPage& details, MatComponent& component) {
  component.soft_references = read_ranking(details, "Histogram of Soft References");
  component.softly_referenced = read_ranking(details, "Histogram of Softly Referenced");
}

void read_weak(const MatPage& details, MatComponent& component) {
  component.weak_references = read_ranking(details, "Histogram of Weak References");
  component.weakly_referenced = read_ranking(details, "Histogram of Weakly Referenced");
}

void read_finalizers(const MatPage& details, MatComponent& component) {
  component.with_finalizer = read_ranking(details, "Histogram of Objects with Finalize Method");
}

/// Findings of which something is compared, by their headings.
constexpr std::array<std::pair<std::string_view, DetailsReader>, 5> kFindings{{
    {"Soft Reference Statistics", read_soft},
    {"Weak Reference Statistics", read_weak},
    {"Finalizer Statistics", read_finalizers},
    {"Zero-Length Arrays",
     [](const MatPage& details, MatComponent& component) {
       component.arrays = read_arrays(details);
     }},
    {"Array Fill Ratios",
     [](const MatPage& details, MatComponent& component) {
       component.array_fill = read_arrays(details);
     }},
}};

void read_finding(const MatPage& page, const HtmlSection& section, MatComponent& component) {
  const auto* const known =
      std::find_if(kFindings.begin(), kFindings.end(),
                   [&](const auto& finding) { return finding.first == section.heading; });
  const auto details = known == kFindings.end() ? std::nullopt : details_of(page, section);
  if (details) {
    known->second(*details, component);
  } else {
    component.findings.push_back(section.heading);
  }
}

void read_component(const MatPage& page, MatComponent& component) {
  for (const auto& section : page.html.sections) {
    for (const auto& prose : section.prose) {
      read_size_line(prose, component);
    }
    if (is_finding(section)) {
      read_finding(page, section, component);
    }
  }
  if (const auto consumers = follow_heading(page, "Top Consumers")) {
    read_consumers(*consumers, component);
  }
  if (const auto set = follow_heading(page, "Retained Set")) {
    component.histogram = read_ranking(*set, "Retained Set");
  }
}

}  // namespace

void read_top_components(const MatPage& page, MatExport& result) {
  std::vector<MatComponent> components;
  for (const auto& section : page.html.sections) {
    auto component = read_heading(section.heading);
    if (!component) {
      continue;
    }
    if (const auto next = section.href.empty() ? std::nullopt : follow_link(page, section.href)) {
      read_component(*next, *component);
    }
    components.push_back(std::move(*component));
  }
  take_section(result.components, std::move(components), page);
}

}  // namespace hprof
