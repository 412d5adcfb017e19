#pragma once

#include "formats/report/leaks.h"
#include "formats/report/paths.h"
#include "formats/report/text_graphs.h"

#include <string>

namespace hprof {

/// A path as a table: reference, object, sizes.
std::string md_path_table(const std::vector<PathStep>& steps, std::uint64_t left_out,
                          std::uint64_t left_out_after, MarkdownStyle style = MarkdownStyle::plain);

/// A path as its line, a note where it is weak, its table.
std::string md_path(const ReferencePath& path, MarkdownStyle style = MarkdownStyle::plain);

/// "static field `demo.Cache.CACHE`"
std::string md_holder(const Holder& holder);
/// The same for a table cell.
std::string md_holder_cell(const Holder& holder);

}  // namespace hprof
