#pragma once

#include "tools/hprof-report/collections/collection_rules.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace hprof {

/// Turns the JSON of one rule into the rule; Error(bad_data) names what does not fit.
class RuleParser {
 public:
  /// `place` stands in front of messages: the file and the rule's number.
  explicit RuleParser(std::string place) : place_(std::move(place)) {}

  CollectionRule parse(const nlohmann::json& rule);

 private:
  void take(const std::string& key, const nlohmann::json& value);
  void take_size(const nlohmann::json& value);
  void take_chain(const nlohmann::json& value);
  void take_arrays(const nlohmann::json& value);
  void take_fit(const nlohmann::json& value);
  void take_fit_member(const std::string& key, const nlohmann::json& value);
  void take_kind(const nlohmann::json& value);
  void check_whole() const;

  SizeRule sum(std::string_view text) const;
  SizeTerm term(std::string_view text) const;
  FieldPath path(std::string_view text) const;
  std::string name(const nlohmann::json& value) const;
  std::vector<std::string> names(const nlohmann::json& value) const;
  std::uint64_t number(const nlohmann::json& value, std::uint64_t least, std::uint64_t most) const;
  bool truth(const nlohmann::json& value) const;
  [[noreturn]] void refuse(const std::string& what) const;

  std::string place_;
  std::string key_;
  CollectionRule rule_;
};

}  // namespace hprof
