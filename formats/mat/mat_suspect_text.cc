#include "formats/mat/mat_suspect_text.h"

#include <algorithm>
#include <array>

namespace hprof {
namespace {

constexpr std::array<Sentence, 2> kConsumersBegin{{
    {"The top consumers of its minimum retained heap are ", "", MatSuspectKind::object},
    {"The top consumers of their minimum retained heap are ", "", MatSuspectKind::group},
}};
constexpr std::array<Sentence, 2> kConsumer{{
    {"* (# instances totaling ", "n", MatSuspectKind::object},
    {"* (# instance totaling ", "n", MatSuspectKind::object},
}};
constexpr Sentence kThread{"The thread * keeps local variables with total size * bytes.", "ns",
                           MatSuspectKind::thread};
constexpr Sentence kOnPath{
    "Thread * has a local variable or reference to * which is on the shortest path to *.", "tnp",
    MatSuspectKind::thread};
constexpr Sentence kReferrer{"The instance is referenced by *, loaded by *.", "nl",
                             MatSuspectKind::object};

/// Where the first list of consumers begins; a second one is that of a thread.
std::optional<std::size_t> consumers_start(const Story& story) {
  std::optional<std::size_t> first;
  for (const auto& sentence : kConsumersBegin) {
    if (const auto match = find_sentence(story, sentence, false)) {
      first = std::min(first.value_or(match->end), match->end);
    }
  }
  return first;
}

std::optional<MatConsumer> read_consumer(const Story& story, std::size_t& at) {
  for (const auto& sentence : kConsumer) {
    const auto match = find_sentence(story, sentence, true, at);
    if (!match) {
      continue;
    }
    const auto close = story.text.find(')', match->end);
    const auto total =
        parse_figure(std::string_view(story.text)
                         .substr(match->end, std::min(close, story.text.size()) - match->end));
    if (total) {
      at = close + 1;
      return MatConsumer{*part(story, *match, sentence, 'n'), match->number, *total};
    }
  }
  return std::nullopt;
}

/// "A (2 instances totaling 32), B (…), and C (…)."
std::size_t read_consumers(const Story& story, MatSuspect& suspect) {
  auto at = consumers_start(story);
  while (at && *at < story.text.size()) {
    auto consumer = read_consumer(story, *at);
    if (!consumer) {
      break;
    }
    suspect.consumers.push_back(std::move(*consumer));
    const auto next = story.text.find_first_not_of(", and", *at);
    at = next == std::string::npos ? std::nullopt : std::optional(next);
  }
  return suspect.consumers.size();
}

/// "java.lang.Thread @ 0x7f00  main" → 0x7f00
std::optional<std::uint64_t> address_in(const std::string& label) {
  const auto at = label.find(" @ ");
  if (at == std::string::npos) {
    return std::nullopt;
  }
  const auto end = label.find(' ', at + 3);
  return parse_hex_address(label.substr(at + 3, end == std::string::npos ? end : end - at - 3));
}

std::size_t read_threads(const MatPage& page, const Story& story, MatSuspect& suspect) {
  std::size_t used = 0;
  std::size_t from = suspect.kind == MatSuspectKind::thread ? 1 : 0;
  while (const auto match = find_sentence(story, kThread, false, from)) {
    const auto label = *part(story, *match, kThread, 'n');
    const auto [retained, share] = read_size(page, *part(story, *match, kThread, 's'));
    suspect.threads.push_back({label, address_in(label), retained, share});
    from = match->end;
    used += 2;
  }
  return used;
}

/// The bold parts of those roles in every sentence of the kind.
std::size_t read_named(const Story& story, const Sentence& sentence, std::string_view roles,
                       std::vector<std::string>& labels) {
  std::size_t used = 0;
  std::size_t from = 0;
  while (const auto match = find_sentence(story, sentence, false, from)) {
    for (const char role : roles) {
      labels.push_back(*part(story, *match, sentence, role));
    }
    from = match->end;
    used += sentence.roles.size();
  }
  return used;
}

/// "org.h2.jdbc.JdbcConnection @ 0xeae58b68 retains 88 (0.00%) bytes"
std::optional<MatLocal> read_local(const MatPage& page, const std::string& text) {
  constexpr std::string_view kRetains = " retains ";
  constexpr std::string_view kBytes = " bytes";
  const auto at = text.rfind(kRetains);
  if (at == std::string::npos || !text.ends_with(kBytes)) {
    return std::nullopt;
  }
  const auto start = at + kRetains.size();
  const auto [retained, share] =
      read_size(page, text.substr(start, text.size() - kBytes.size() - start));
  const auto label = text.substr(0, at);
  return MatLocal{label, address_in(label), retained, share};
}

/// Items of the lists under "Significant stack frames …" and "Keywords".
std::size_t read_lists(const MatPage& page, const HtmlSection& section, MatSuspect& suspect) {
  std::size_t used = 0;
  std::string title;
  for (const auto& prose : section.prose) {
    const auto text = trimmed(prose.text);
    if (!prose.list_item) {
      title = prose.bold.size() == 1 && text.size() == 1 ? prose.bold.front()
              : text.empty()                             ? title
                                                         : text;
      used += title == "Keywords" && !prose.bold.empty() ? 1 : 0;
    } else if (title == "Keywords" && !text.empty()) {
      suspect.keywords.push_back(text);
      ++used;
    } else if (title.starts_with("Significant stack frames") && !text.empty()) {
      auto local = read_local(page, text);
      if (local && !suspect.frames.empty()) {
        suspect.frames.back().locals.push_back(std::move(*local));
      } else {
        suspect.frames.push_back({text, {}});
      }
      ++used;
    }
  }
  return used;
}

}  // namespace

std::size_t read_suspect_text(const MatPage& page, const HtmlSection& section, const Story& story,
                              MatSuspect& suspect) {
  return read_consumers(story, suspect) + read_threads(page, story, suspect) +
         read_named(story, kOnPath, "tnp", suspect.on_path) +
         read_named(story, kReferrer, "n", suspect.referrers) + read_lists(page, section, suspect);
}

}  // namespace hprof
