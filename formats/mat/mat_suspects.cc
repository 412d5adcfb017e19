// Leak suspects stand in sentences. Their variable parts are in bold, so a sentence is known by the
// text around the bold parts, and class names cannot be mistaken for it. Addresses come from each
// suspect's page of details.
#include "common/error.h"
#include "common/text.h"
#include "formats/mat/mat_reader.h"

#include <array>
#include <string_view>

namespace hprof {
namespace {

/// A sentence of MAT: '#' stands for a number, '*' for a bold part. Roles name the bold parts in
/// order.
struct Sentence {
  std::string_view pattern;
  std::string_view roles;  ///< n: name, l: loader, s: size and share
  MatSuspectKind kind;
};

constexpr std::array<Sentence, 5> kSuspects{{
    {"The thread * keeps local variables with total size * bytes.", "ns", MatSuspectKind::thread},
    {"# instances of *, loaded by * occupy * bytes.", "nls", MatSuspectKind::group},
    {"The class *, loaded by *, occupies * bytes.", "nls", MatSuspectKind::class_object},
    {"One instance of * loaded by * occupies * bytes.", "nls", MatSuspectKind::object},
    {"The classloader/component * occupies * bytes.", "ns", MatSuspectKind::loader},
}};

constexpr std::array<Sentence, 6> kAccumulations{{
    {"The memory is accumulated in one instance of *, loaded by *, which occupies * bytes.", "nls",
     MatSuspectKind::object},
    {"The memory is accumulated in class *, loaded by *, which occupies * bytes.", "nls",
     MatSuspectKind::class_object},
    {"The memory is accumulated in classloader/component * which occupies * bytes.", "ns",
     MatSuspectKind::loader},
    {"Most of these instances are referenced from one instance of *, loaded by *, which occupies * "
     "bytes.",
     "nls", MatSuspectKind::object},
    {"Most of these instances are referenced from class *, loaded by *, which occupies * bytes.",
     "nls", MatSuspectKind::class_object},
    {"Most of these instances are referenced from classloader/component * which occupies * bytes.",
     "ns", MatSuspectKind::loader},
}};

/// The prose of one suspect, joined, with all its bold parts.
struct Story {
  std::string text;
  std::vector<std::string> bold;
  std::uint64_t list_items = 0;
};

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

struct Match {
  std::size_t first_bold = 0;
  std::uint64_t number = 1;
};

/// Whether `text` has the pattern at `at`; a number in it is delivered.
std::optional<std::uint64_t> match_at(std::string_view text, std::size_t at,
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
  return number;
}

std::optional<Match> find_sentence(const Story& story, const Sentence& sentence,
                                   bool at_start_only) {
  std::size_t bold = 0;
  for (std::size_t at = 0; at < story.text.size(); ++at) {
    if (const auto number = match_at(story.text, at, sentence.pattern)) {
      return Match{bold, *number};
    }
    if (at_start_only) {
      break;
    }
    bold += story.text[at] == HtmlProse::kMark ? 1 : 0;
  }
  return std::nullopt;
}

/// The bold part of that role, if the sentence has it.
std::optional<std::string> part(const Story& story, const Match& match, const Sentence& sentence,
                                char role) {
  const auto at = sentence.roles.find(role);
  return at == std::string_view::npos ? std::nullopt
                                      : std::optional(trimmed(story.bold[match.first_bold + at]));
}

/// "22,284,840 (93.82%)"
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

std::optional<MatAccumulation> read_accumulation(const MatPage& page, const Story& story) {
  for (const auto& sentence : kAccumulations) {
    if (const auto match = find_sentence(story, sentence, false)) {
      const auto [retained, share] = read_size(page, *part(story, *match, sentence, 's'));
      return MatAccumulation{sentence.kind,
                             *part(story, *match, sentence, 'n'),
                             part(story, *match, sentence, 'l'),
                             std::nullopt,
                             std::nullopt,
                             retained,
                             share};
    }
  }
  for (const auto* start :
       {"The memory is accumulated in", "Most of these instances are referenced from"}) {
    if (const auto at = story.text.find(start); at != std::string::npos) {
      not_understood(page, "sentence on an accumulation point", story.text.substr(at));
    }
  }
  return std::nullopt;
}

MatSuspect read_suspect(const MatPage& page, const HtmlSection& section, std::uint64_t number) {
  const auto story = story_of(section);
  for (const auto& sentence : kSuspects) {
    const auto match = find_sentence(story, sentence, true);
    if (!match) {
      continue;
    }
    MatSuspect suspect;
    suspect.number = number;
    suspect.kind = sentence.kind;
    suspect.name = *part(story, *match, sentence, 'n');
    suspect.instances = match->number;
    suspect.loader = part(story, *match, sentence, 'l');
    std::tie(suspect.retained, suspect.share) =
        read_size(page, *part(story, *match, sentence, 's'));
    suspect.accumulation = read_accumulation(page, story);
    const auto used = sentence.roles.size() + (suspect.accumulation ? 3 : 0);
    suspect.further_figures =
        story.bold.size() + story.list_items - std::min(used, story.bold.size());
    return suspect;
  }
  not_understood(page, concat("sentence of problem suspect ", number), story.text);
}

const HtmlTable* first_table(const HtmlPage& page, std::string_view heading) {
  const auto* section = page.section(heading);
  return section == nullptr || section->tables.empty() || section->tables.front().rows.empty()
             ? nullptr
             : &section->tables.front();
}

std::optional<MatFigure> shallow_of(const HtmlTable& table, const HtmlRow& row) {
  for (std::size_t i = 0; i < std::min(table.columns.size(), row.cells.size()); ++i) {
    if (table.columns[i] == "Shallow Heap") {
      return parse_figure(row.cells[i].text);
    }
  }
  return std::nullopt;
}

void set_from_row(const HtmlTable& table, const HtmlRow& row, std::optional<std::uint64_t>& address,
                  std::optional<MatFigure>& shallow) {
  address = row.cells.front().address;
  shallow = shallow_of(table, row);
}

void read_group_details(const MatPage& details, MatSuspect& suspect) {
  if (const auto* table = first_table(details.html, "Suspect Objects by Class")) {
    set_from_row(*table, table->rows.front(), suspect.address, suspect.shallow);
  }
  suspect.common_path = read_path_to_selected(details, "Common Path To the Accumulation Point");
  if (!suspect.common_path.empty() && suspect.accumulation) {
    suspect.accumulation->address = suspect.common_path.back().address;
    suspect.accumulation->shallow = suspect.common_path.back().shallow;
  }
}

void read_single_details(const HtmlPage& details, MatSuspect& suspect) {
  if (const auto* table = first_table(details, "Accumulated Objects in Dominator Tree")) {
    set_from_row(*table, table->rows.front(), suspect.address, suspect.shallow);
  }
  const auto* path = first_table(details, "Shortest Paths To the Accumulation Point");
  if (path != nullptr && suspect.accumulation) {
    set_from_row(*path, path->rows.front(), suspect.accumulation->address,
                 suspect.accumulation->shallow);
  }
}

void read_details(const MatPage& page, const HtmlSection& section, MatSuspect& suspect) {
  for (const auto& link : section.links) {
    if (!link.text.starts_with("Details")) {
      continue;
    }
    if (const auto details = follow_link(page, link.href)) {
      suspect.kind == MatSuspectKind::group ? read_group_details(*details, suspect)
                                            : read_single_details(details->html, suspect);
    }
    return;
  }
}

}  // namespace

void read_leak_suspects(const MatPage& page, MatExport& result) {
  constexpr std::string_view kHeading = "Problem Suspect ";
  std::vector<MatSuspect> suspects;
  for (const auto& section : page.html.sections) {
    if (section.heading.starts_with(kHeading)) {
      suspects.push_back(read_suspect(page, section, suspects.size() + 1));
      read_details(page, section, suspects.back());
    }
  }
  take_section(result.suspects, std::move(suspects), page);
  if (const auto overview = follow_heading(page, "System Overview")) {
    read_system_overview(*overview, result);
  }
}

}  // namespace hprof
