// Top Components: one heading per class loader on the first page, "LABEL (SHARE%)", each with a
// page of its own.
#include "common/error.h"
#include "common/text.h"
#include "formats/mat/mat_reader.h"

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

/// True for a finding of which something is compared.
bool read_finding(const MatPage& page, const HtmlSection& section, MatComponent& component) {
  const auto& heading = section.heading;
  const bool soft = heading == "Soft Reference Statistics";
  const bool weak = heading == "Weak Reference Statistics";
  if (!soft && !weak && heading != "Zero-Length Arrays") {
    return false;
  }
  const auto details = details_of(page, section);
  if (!details) {
    return false;
  }
  if (soft) {
    component.soft_references = read_ranking(*details, "Histogram of Soft References");
  } else if (weak) {
    component.weak_references = read_ranking(*details, "Histogram of Weak References");
  } else {
    component.arrays = read_arrays(*details);
  }
  return true;
}

void read_component(const MatPage& page, MatComponent& component) {
  for (const auto& section : page.html.sections) {
    for (const auto& prose : section.prose) {
      read_size_line(prose, component);
    }
    const bool is_finding = !section.heading.empty() && section.href.empty();
    component.findings += is_finding && !read_finding(page, section, component) ? 1 : 0;
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
