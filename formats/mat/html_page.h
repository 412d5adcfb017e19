#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// One cell of a result table. MAT draws trees by characters before the text and puts a link to the
/// object on it.
struct HtmlCell {
  std::string art;                       ///< "|.+" and the like; its length is the depth in a tree
  std::string text;                      ///< the first line, trimmed
  std::string name;                      ///< text of the link to an object, else `text`
  std::optional<std::uint64_t> address;  ///< of the object linked to

  bool operator==(const HtmlCell&) const = default;
};

struct HtmlRow {
  std::vector<HtmlCell> cells;
  bool totals = false;    ///< MAT's row of sums
  bool selected = false;  ///< the row that MAT highlights

  bool operator==(const HtmlRow&) const = default;
};

struct HtmlTable {
  std::vector<std::string> columns;  ///< empty where MAT prints no heading row
  std::vector<HtmlRow> rows;

  bool operator==(const HtmlTable&) const = default;
};

struct HtmlLink {
  std::string text;
  std::string href;
};

/// A stretch of prose between two block borders, where everything in bold has become kMark in
/// `text` and an entry of `bold`: MAT sets the variable parts of its sentences in bold.
struct HtmlProse {
  static constexpr char kMark = '\x01';
  std::string text;
  std::vector<std::string> bold;
  bool list_item = false;
};

/// What stands below one heading.
struct HtmlSection {
  std::string heading;
  std::string href;  ///< page that the heading leads to, if its text is a link
  std::vector<HtmlProse> prose;
  std::vector<HtmlTable> tables;
  std::vector<HtmlLink> links;
};

/// A page of a MAT report: title and sections in the order of the page. The first section is what
/// comes before any heading.
struct HtmlPage {
  std::string title;
  std::vector<HtmlSection> sections;

  /// Takes tag soup; `place` names the page in messages. Error(bad_data) when it is no whole page
  /// of MAT.
  static HtmlPage parse(std::string_view bytes, const std::string& place);

  /// The first section of that heading, or nullptr.
  const HtmlSection* section(std::string_view heading) const;
};

/// Without blanks at both ends.
std::string trimmed(std::string_view text);

}  // namespace hprof
