// First and last piece are bound to the ends of the name; each one between is taken at its first
// place behind the one before, which leaves most room for the rest, so nothing is tried twice.
#include "tools/hprof-report/dominators/name_pattern.h"

namespace hprof {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

}  // namespace

NamePattern::NamePattern(std::string_view pattern) {
  for (const auto& alternative : split(pattern, '|')) {
    if (!alternative.empty()) {
      alternatives_.push_back(split(alternative, '*'));
    }
  }
}

bool NamePattern::matches(std::string_view name) const {
  for (const auto& pieces : alternatives_) {
    if (matches_pieces(pieces, name)) {
      return true;
    }
  }
  return false;
}

bool NamePattern::matches_pieces(const Pieces& pieces, std::string_view name) {
  if (pieces.size() == 1) {
    return name == pieces.front();
  }
  const auto& first = pieces.front();
  const auto& last = pieces.back();
  if (name.size() < first.size() + last.size() || !name.starts_with(first) ||
      !name.ends_with(last)) {
    return false;
  }
  name = name.substr(first.size(), name.size() - first.size() - last.size());
  for (std::size_t i = 1; i + 1 < pieces.size(); ++i) {
    const auto found = name.find(pieces[i]);
    if (found == std::string_view::npos) {
      return false;
    }
    name.remove_prefix(found + pieces[i].size());
  }
  return true;
}

}  // namespace hprof
