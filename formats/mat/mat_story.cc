// MAT sets the variable parts of its sentences in bold, so a sentence is known by the text around
// them, and class names cannot be mistaken for it.
#include "formats/mat/mat_story.h"

#include <algorithm>

namespace hprof {
namespace {

/// Whether `text` has the pattern at `at`; a number in it is delivered, and where it ends.
std::optional<StoryMatch> match_at(std::string_view text, std::size_t at,
                                   std::string_view pattern) {
  std::uint64_t number = 1;
  for (const char expected : pattern) {
    if (expected == '#') {
      const auto end = text.find_first_not_of("0123456789,", at);
      const auto value =
          end == std::string_view::npos ? std::nullopt : parse_grouped(text.substr(at, end - at));
      if (!value) {
        return std::nullopt;
      }
      number = *value;
      at = end;
    } else if (at >= text.size() || text[at++] != (expected == '*' ? HtmlProse::kMark : expected)) {
      return std::nullopt;
    }
  }
  return StoryMatch{0, number, at};
}

}  // namespace

Story story_of(const HtmlSection& section) {
  Story story;
  for (const auto& prose : section.prose) {
    story.list_items += prose.list_item ? 1 : 0;
    if (!prose.list_item) {
      story.text += prose.text + "\n";
      story.bold.insert(story.bold.end(), prose.bold.begin(), prose.bold.end());
    }
  }
  return story;
}

std::optional<StoryMatch> find_sentence(const Story& story, const Sentence& sentence,
                                        bool at_start_only, std::size_t from) {
  const std::string_view before = std::string_view(story.text).substr(0, from);
  auto bold = static_cast<std::size_t>(std::count(before.begin(), before.end(), HtmlProse::kMark));
  for (std::size_t at = from; at < story.text.size(); ++at) {
    if (auto match = match_at(story.text, at, sentence.pattern)) {
      match->first_bold = bold;
      return match;
    }
    if (at_start_only) {
      break;
    }
    bold += story.text[at] == HtmlProse::kMark ? 1 : 0;
  }
  return std::nullopt;
}

std::optional<std::string> part(const Story& story, const StoryMatch& match,
                                const Sentence& sentence, char role) {
  const auto at = sentence.roles.find(role);
  return at == std::string_view::npos ? std::nullopt
                                      : std::optional(trimmed(story.bold[match.first_bold + at]));
}

std::pair<MatFigure, MatPercent> read_size(const MatPage& page, const std::string& text) {
  const auto open = text.find(" (");
  if (open != std::string::npos && text.ends_with(")")) {
    const auto size = parse_figure(std::string_view(text).substr(0, open));
    const auto share =
        parse_percent(std::string_view(text).substr(open + 2, text.size() - open - 3));
    if (size && share) {
      return {*size, *share};
    }
  }
  not_understood(page, "size of a suspect", text);
}

}  // namespace hprof
