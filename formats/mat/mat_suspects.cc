// Leak suspects stand in sentences. Their variable parts are in bold, so a sentence is known by the
// text around the bold parts, and class names cannot be mistaken for it. Addresses come from each
// suspect's page of details.
#include "common/error.h"
#include "common/text.h"
#include "formats/mat/mat_reader.h"
#include "formats/mat/mat_story.h"
#include "formats/mat/mat_suspect_text.h"

#include <array>
#include <string_view>

namespace hprof {
namespace {

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
    const auto used = sentence.roles.size() +
                      (suspect.accumulation ? suspect.accumulation->loader ? 3U : 2U : 0U) +
                      read_suspect_text(page, section, story, suspect);
    const auto all = story.bold.size() + story.list_items;
    suspect.further_figures = all - std::min<std::size_t>(used, all);
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

void read_single_details(const MatPage& page, MatSuspect& suspect) {
  const auto& details = page.html;
  if (const auto* table = first_table(details, "Accumulated Objects in Dominator Tree")) {
    set_from_row(*table, table->rows.front(), suspect.address, suspect.shallow);
  }
  const auto* path = first_table(details, "Shortest Paths To the Accumulation Point");
  if (path != nullptr && suspect.accumulation) {
    set_from_row(*path, path->rows.front(), suspect.accumulation->address,
                 suspect.accumulation->shallow);
  }
  if (path != nullptr) {
    suspect.why_alive = read_path_to_selected(page, "Shortest Paths To the Accumulation Point");
  }
}

void read_details(const MatPage& page, const HtmlSection& section, MatSuspect& suspect) {
  for (const auto& link : section.links) {
    if (!link.text.starts_with("Details")) {
      continue;
    }
    if (const auto details = follow_link(page, link.href)) {
      suspect.kind == MatSuspectKind::group ? read_group_details(*details, suspect)
                                            : read_single_details(*details, suspect);
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
