#pragma once

#include <string>
#include <vector>

namespace hprof {

/// An entry of the navigation.
struct PageLink {
  std::string id;
  std::string title;
};

/// What differs between the pages that the tools write.
struct HtmlPage {
  std::string title;            ///< of the window
  std::string heading;          ///< the kind of page, above the name
  std::string name;             ///< of what it is about
  std::string origin;           ///< who made it and when
  std::vector<PageLink> links;  ///< to the sections
  std::string body;             ///< the sections, as HTML
  std::string data;             ///< what the script works on, as JSON
};

/// One file with style, script and data in it, which may load and send nothing: its content
/// security policy allows exactly the style and the script that were built into this program.
std::string html_page(const HtmlPage& page);

}  // namespace hprof
