#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// A pattern for names: alternatives separated by "|", each with "*" for any characters; a name
/// matches when one of them matches all of it. The empty pattern matches nothing.
class NamePattern {
 public:
  explicit NamePattern(std::string_view pattern);

  bool matches(std::string_view name) const;

 private:
  /// What stands between the stars; one piece where there is no star.
  using Pieces = std::vector<std::string>;

  static bool matches_pieces(const Pieces& pieces, std::string_view name);

  std::vector<Pieces> alternatives_;
};

}  // namespace hprof
