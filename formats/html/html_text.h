#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hprof {

// Names come from the dump and may hold anything: tags, quotes, comments, bidirectional controls,
// NUL, stray bytes. There is one function for each place of a page in which text may stand; what
// cannot be seen is shown as \uXXXX, a stray byte as U+FFFD.

/// Text between tags.
std::string html_text(std::string_view text);

/// A value of an attribute, without the double quotes that go around it.
std::string html_attribute(std::string_view value);

/// The content of <title>.
std::string html_title(std::string_view text);

/// Text in an inline SVG image, its <title> included.
std::string svg_text(std::string_view text);

/// What follows # in a link and is the id of its target: letters, digits, - and _ are kept, every
/// other byte becomes .XX.
std::string html_fragment(std::string_view text);

/// JSON text in a <script type="application/json"> block; the same JSON with < > & and what cannot
/// be seen as \uXXXX, line ends apart, which no string of JSON has.
std::string html_json(std::string_view json);

/// A name as people read it: cut where it is very long, "(no name)" where there is nothing to see.
/// Not yet escaped.
std::string shown_name(std::string_view name);

/// Bytes in base64.
std::string base64(std::string_view bytes);

}  // namespace hprof
