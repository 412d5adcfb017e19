#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// How much a Markdown report draws: figures only, or the same figures with bars, sparklines and
/// trees of text beside them.
enum class MarkdownStyle { plain, graphs };

/// A bar of block characters, `width` of them for the largest amount; whatever is not 0 can be
/// seen.
std::string text_bar(std::uint64_t amount, std::uint64_t largest, std::size_t width = 20);

/// One block character per amount, as high as its share of the largest; a space for 0.
std::string sparkline(const std::vector<std::uint64_t>& amounts);

/// A paragraph with a sparkline and what it shows ("`█▃▁` Retained heap by rank"); nothing in plain
/// style or where there are fewer than two amounts. It shows what figures elsewhere say.
std::string md_sparkline(MarkdownStyle style, const std::string& what,
                         const std::vector<std::uint64_t>& amounts);

}  // namespace hprof
