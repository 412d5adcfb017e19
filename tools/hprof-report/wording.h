#pragma once

#include "formats/report/triage.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hprof::triage {

/// The sentence of a finding, piece by piece; names from the dump are noted, so that formats can
/// mark them.
class Wording {
 public:
  Wording& words(const std::string& text) {
    text_ += text;
    return *this;
  }
  Wording& name(const std::string& name) {
    names_.push_back({text_.size(), name});
    text_ += name;
    return *this;
  }

  /// `rule` and `section` are ids, `title` heads the sentence.
  Finding finding(std::string rule, Severity severity, std::string title, std::string section) {
    Finding out{.rule = std::move(rule),
                .severity = severity,
                .title = std::move(title),
                .text = std::move(text_),
                .section = std::move(section)};
    auto names = findable_names(out.text);
    if (!names.empty()) {
      out.names = std::move(names);
    }
    return out;
  }

 private:
  struct Place {
    std::size_t at;
    std::string name;
  };

  /// The names that a search in their order finds where they stand; one that the words before it
  /// hold as well stays unmarked.
  std::vector<std::string> findable_names(const std::string& text) const {
    std::vector<std::string> out;
    std::size_t from = 0;
    for (const auto& place : names_) {
      if (!place.name.empty() && text.find(place.name, from) == place.at) {
        out.push_back(place.name);
        from = place.at + place.name.size();
      }
    }
    return out;
  }

  std::string text_;
  std::vector<Place> names_;
};

}  // namespace hprof::triage
