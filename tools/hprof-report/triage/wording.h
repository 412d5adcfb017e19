#pragma once

#include "formats/report/triage.h"

#include <string>
#include <utility>

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
    text_ += name;
    names_.push_back(name);
    return *this;
  }

  /// `rule` and `section` are ids, `title` heads the sentence.
  Finding finding(std::string rule, Severity severity, std::string title, std::string section) {
    Finding out{.rule = std::move(rule),
                .severity = severity,
                .title = std::move(title),
                .text = std::move(text_),
                .section = std::move(section)};
    if (!names_.empty()) {
      out.names = std::move(names_);
    }
    return out;
  }

 private:
  std::string text_;
  std::vector<std::string> names_;
};

}  // namespace hprof::triage
