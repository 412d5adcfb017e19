// Pages are parsed by libxml2's HTML parser, which takes tag soup and is kept up by every
// distribution. Its tree is walked once, without recursion, into sections, tables and prose;
// nothing of libxml2 leaves this file.
#include "formats/mat/html_page.h"

#include "common/error.h"
#include "formats/mat/mat_figures.h"

#include <libxml/HTMLparser.h>

#include <algorithm>
#include <array>
#include <memory>

namespace hprof {
namespace {

struct FreeDocument {
  void operator()(htmlDocPtr document) const { xmlFreeDoc(document); }
};

bool is_element(const xmlNode* node, std::string_view name) {
  return node->type == XML_ELEMENT_NODE && reinterpret_cast<const char*>(node->name) == name;
}

std::string attribute(xmlNode* node, const char* name) {
  xmlChar* value = xmlGetProp(node, reinterpret_cast<const xmlChar*>(name));
  std::string text = value == nullptr ? "" : reinterpret_cast<const char*>(value);
  xmlFree(value);
  return text;
}

/// Visits `root` and what lies below in document order: enter(node) says whether to go below,
/// leave(node) comes after.
template <typename Enter, typename Leave>
void walk(xmlNode* root, Enter&& enter, Leave&& leave) {
  xmlNode* node = root;
  while (true) {
    if (enter(node) && node->type == XML_ELEMENT_NODE && node->children != nullptr) {
      node = node->children;
      continue;
    }
    leave(node);
    while (node != root && node->next == nullptr) {
      node = node->parent;
      leave(node);
    }
    if (node == root) {
      return;
    }
    node = node->next;
  }
}

std::string_view text_of(const xmlNode* node) {
  return node->type == XML_TEXT_NODE && node->content != nullptr
             ? reinterpret_cast<const char*>(node->content)
             : "";
}

std::string all_text(xmlNode* root) {
  std::string text;
  walk(
      root,
      [&](xmlNode* node) {
        text += text_of(node);
        return true;
      },
      [](xmlNode*) {});
  return text;
}

bool is_heading(const xmlNode* node) {
  return node->type == XML_ELEMENT_NODE && node->name[0] == 'h' && node->name[1] >= '1' &&
         node->name[1] <= '6' && node->name[2] == '\0';
}

bool is_block(const xmlNode* node) {
  constexpr std::array<std::string_view, 7> kBlocks{"p", "div", "ul", "ol", "li", "br", "pre"};
  return std::ranges::any_of(kBlocks,
                             [&](std::string_view name) { return is_element(node, name); });
}

/// Collects one table cell.
class CellReader {
 public:
  HtmlCell read(xmlNode* root) {
    walk(
        root, [this](xmlNode* node) { return enter(node); },
        [this](xmlNode* node) { leave(node); });
    cell_.text = trimmed(line_);
    cell_.name = cell_.address ? trimmed(cell_.name) : cell_.text;
    return std::move(cell_);
  }

 private:
  bool enter(xmlNode* node) {
    if (is_element(node, "ul") && !in_list_) {
      in_list_ = true;
      cell_.art = trimmed(line_);
      line_.clear();
    } else if (is_element(node, "br")) {
      line_done_ = true;
    } else if (is_element(node, "a") && !cell_.address) {
      enter_link(attribute(node, "href"));
    } else if (!line_done_) {
      line_ += text_of(node);
      cell_.name += in_link_ ? text_of(node) : "";
    }
    return true;
  }

  void enter_link(const std::string& href) {
    constexpr std::string_view kObject = "mat://object/";
    if (href.starts_with(kObject)) {
      cell_.address = parse_hex_address(std::string_view(href).substr(kObject.size()));
      in_link_ = cell_.address.has_value();
    }
  }

  void leave(xmlNode* node) {
    if (is_element(node, "a")) {
      in_link_ = false;
    }
  }

  HtmlCell cell_;
  std::string line_;
  bool in_list_ = false;
  bool in_link_ = false;
  bool line_done_ = false;
};

HtmlTable read_table(xmlNode* root) {
  HtmlTable table;
  walk(
      root,
      [&](xmlNode* node) {
        if (is_element(node, "th")) {
          table.columns.push_back(trimmed(all_text(node)));
          return false;
        }
        if (is_element(node, "td")) {
          if (table.rows.empty()) {
            table.rows.emplace_back();
          }
          table.rows.back().cells.push_back(CellReader().read(node));
          return false;
        }
        if (is_element(node, "tr")) {
          const auto kind = attribute(node, "class");
          table.rows.push_back({{}, kind == "totals", kind == "selected"});
        }
        return true;
      },
      [](xmlNode*) {});
  std::erase_if(table.rows, [](const HtmlRow& row) { return row.cells.empty(); });
  return table;
}

/// Collects the sections of a page.
class SectionReader {
 public:
  std::vector<HtmlSection> read(xmlNode* root) {
    sections_.emplace_back();
    walk(
        root, [this](xmlNode* node) { return enter(node); },
        [this](xmlNode* node) { leave(node); });
    end_prose();
    return std::move(sections_);
  }

 private:
  bool enter(xmlNode* node) {
    if (is_heading(node)) {
      start_section(node);
      return false;
    }
    if (is_element(node, "table")) {
      end_prose();
      sections_.back().tables.push_back(read_table(node));
      return false;
    }
    if (is_element(node, "script") || is_element(node, "style")) {
      return false;
    }
    if (is_block(node)) {
      end_prose();
      prose_.list_item = is_element(node, "li");
    } else if (is_element(node, "a")) {
      sections_.back().links.push_back({trimmed(all_text(node)), attribute(node, "href")});
    } else if (is_element(node, "strong") && bold_depth_++ == 0) {
      prose_.text += HtmlProse::kMark;
      prose_.bold.emplace_back();
    }
    append_text(text_of(node));
    return true;
  }

  void leave(xmlNode* node) {
    if (is_element(node, "strong") && bold_depth_ > 0) {
      --bold_depth_;
    } else if (is_block(node)) {
      end_prose();
    }
  }

  void append_text(std::string_view text) {
    if (bold_depth_ > 0 && !prose_.bold.empty()) {
      prose_.bold.back() += text;
      return;
    }
    for (const char c : text) {
      prose_.text += c == HtmlProse::kMark ? '?' : c;
    }
  }

  void start_section(xmlNode* node) {
    end_prose();
    HtmlSection section;
    section.heading = trimmed(all_text(node));
    walk(
        node,
        [&](xmlNode* below) {
          const auto href = is_element(below, "a") ? attribute(below, "href") : std::string{};
          if (section.href.empty() && !href.starts_with("#") && !href.starts_with("mat:")) {
            section.href = href;
          }
          return true;
        },
        [](xmlNode*) {});
    sections_.push_back(std::move(section));
  }

  void end_prose() {
    prose_.text = trimmed(prose_.text);
    if (!prose_.text.empty()) {
      sections_.back().prose.push_back(std::move(prose_));
    }
    prose_ = {};
  }

  std::vector<HtmlSection> sections_;
  HtmlProse prose_;
  unsigned bold_depth_ = 0;
};

struct PageParts {
  xmlNode* title = nullptr;
  xmlNode* content = nullptr;
  xmlNode* body = nullptr;
};

PageParts find_parts(xmlNode* root) {
  PageParts parts;
  walk(
      root,
      [&](xmlNode* node) {
        if (parts.title == nullptr && is_element(node, "title")) {
          parts.title = node;
        } else if (parts.body == nullptr && is_element(node, "body")) {
          parts.body = node;
        } else if (parts.content == nullptr && is_element(node, "div") &&
                   attribute(node, "id") == "content") {
          parts.content = node;
        }
        return true;
      },
      [](xmlNode*) {});
  return parts;
}

}  // namespace

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n\f";
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return std::string(text.substr(first, text.find_last_not_of(kBlanks) - first + 1));
}

HtmlPage HtmlPage::parse(std::string_view bytes, const std::string& place) {
  if (!trimmed(bytes).ends_with("</html>")) {
    fail(ExitCode::bad_data, place,
         ": not a whole html page (no </html> at its end); export the report from MAT again");
  }
  const std::unique_ptr<xmlDoc, FreeDocument> document(htmlReadMemory(
      bytes.data(), static_cast<int>(bytes.size()), nullptr, "UTF-8",
      HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET));
  xmlNode* root = document ? xmlDocGetRootElement(document.get()) : nullptr;
  const auto parts = root == nullptr ? PageParts{} : find_parts(root);
  if (parts.title == nullptr || (parts.content == nullptr && parts.body == nullptr)) {
    fail(ExitCode::bad_data, place, ": no title or no body; give a page of a MAT report");
  }
  HtmlPage page;
  page.title = trimmed(all_text(parts.title));
  page.sections = SectionReader().read(parts.content != nullptr ? parts.content : parts.body);
  return page;
}

const HtmlSection* HtmlPage::section(std::string_view heading) const {
  for (const auto& candidate : sections) {
    if (candidate.heading == heading) {
      return &candidate;
    }
  }
  return nullptr;
}

}  // namespace hprof
