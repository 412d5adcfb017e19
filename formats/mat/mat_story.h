#pragma once

#include "formats/mat/mat_reader.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hprof {

/// A sentence of MAT: '#' stands for a number, '*' for a bold part. Roles name the bold parts in
/// order.
struct Sentence {
  std::string_view pattern;
  std::string_view roles;  ///< n: name, l: loader, s: size and share
  MatSuspectKind kind;
};

/// The prose of one suspect, joined, with all its bold parts; what stands in lists is counted only.
struct Story {
  std::string text;
  std::vector<std::string> bold;
  std::uint64_t list_items = 0;
};

/// Where a sentence was found.
struct StoryMatch {
  std::size_t first_bold = 0;  ///< number of its first bold part
  std::uint64_t number = 1;    ///< the number in it
  std::size_t end = 0;         ///< in the text, behind it
};

Story story_of(const HtmlSection& section);

/// The first place of the sentence from `from` on; only at the very start with `at_start_only`.
std::optional<StoryMatch> find_sentence(const Story& story, const Sentence& sentence,
                                        bool at_start_only, std::size_t from = 0);

/// The bold part of that role, if the sentence has it.
std::optional<std::string> part(const Story& story, const StoryMatch& match,
                                const Sentence& sentence, char role);

/// "22,284,840 (93.82%)"
std::pair<MatFigure, MatPercent> read_size(const MatPage& page, const std::string& text);

}  // namespace hprof
