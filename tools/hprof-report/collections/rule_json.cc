#include "tools/hprof-report/collections/rule_json.h"

#include "common/error.h"
#include "common/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

namespace hprof {
namespace {

constexpr std::size_t kMostNameBytes = 500;
constexpr std::size_t kMostSteps = 6;
constexpr std::size_t kMostNames = 200;
constexpr std::uint64_t kMostSlots = 1U << 20U;

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) {
    text.remove_prefix(1);
  }
  while (text.ends_with(' ')) {
    text.remove_suffix(1);
  }
  return text;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 9 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

CollectionRule RuleParser::parse(const nlohmann::json& rule) {
  if (!rule.is_object()) {
    refuse("is no object");
  }
  for (const auto& [key, value] : rule.items()) {
    key_ = key;
    take(key, value);
  }
  key_.clear();
  check_whole();
  return std::move(rule_);
}

void RuleParser::take(const std::string& key, const nlohmann::json& value) {
  if (key == "class") {
    rule_.classes = names(value);
  } else if (key == "kind") {
    take_kind(value);
  } else if (key == "has") {
    rule_.has = names(value);
  } else if (key == "size") {
    take_size(value);
  } else if (key == "chain") {
    take_chain(value);
  } else if (key == "array") {
    take_arrays(value);
  } else if (key == "owns") {
    rule_.owns = name(value);
  } else if (key == "views") {
    rule_.views = name(value);
  } else if (key == "slots") {
    rule_.slots_per_entry = number(value, 1, 16);
  } else if (key == "buckets") {
    rule_.buckets = truth(value);
  } else if (key == "fit") {
    take_fit(value);
  } else if (key == "entries") {
    rule_.entries = names(value);
  } else {
    refuse("is not known");
  }
}

void RuleParser::take_kind(const nlohmann::json& value) {
  const std::string word = name(value);
  const auto* const found =
      std::find(std::begin(kCollectionKindWords), std::end(kCollectionKindWords), word);
  if (found == std::end(kCollectionKindWords)) {
    refuse("is none of list, queue, deque, map, set, bag, multimap, part");
  }
  rule_.kind = static_cast<CollectionKind>(found - std::begin(kCollectionKindWords));
}

void RuleParser::take_size(const nlohmann::json& value) {
  if (value.is_number_unsigned()) {
    rule_.size.form = SizeForm::sum;
    rule_.size.terms = {{.number = number(value, 0, kMostSlots)}};
  } else if (value.is_string()) {
    rule_.size = sum(name(value));
  } else if (value.is_object() && value.contains("ring") && value.size() == 1) {
    rule_.size = {.form = SizeForm::ring, .fields = names(value["ring"])};
    if (rule_.size.fields.size() != 2) {
      refuse("needs the fields with the first and the last index in \"ring\"");
    }
  } else if (value.is_object() && value.contains("bits") && value.size() == 1) {
    rule_.size = {.form = SizeForm::bits, .fields = {name(value["bits"])}};
  } else if (value.is_object() && value.contains("set") && value.size() <= 2) {
    rule_.size = {.form = SizeForm::fields_set, .fields = names(value["set"])};
    if (value.size() == 2) {
      const auto except =
          value.contains("except") ? names(value["except"]) : std::vector<std::string>();
      if (except.size() != 2) {
        refuse("needs a class and its static field in \"except\"");
      }
      rule_.size.except_class = except[0];
      rule_.size.except_field = except[1];
    }
  } else {
    refuse("is no number, no sum of fields, and none of {ring}, {bits}, {set, except}");
  }
}

void RuleParser::take_chain(const nlohmann::json& value) {
  const auto fields = names(value);
  if (fields.size() != 3) {
    refuse("needs three fields: of the first node, the next node, the value");
  }
  rule_.chain = {.first = path(fields[0]), .next = fields[1], .value = fields[2]};
}

void RuleParser::take_arrays(const nlohmann::json& value) {
  auto fields = names(value);
  rule_.array = path(fields.front());
  rule_.more_arrays.assign(std::next(fields.begin()), fields.end());
}

void RuleParser::take_fit(const nlohmann::json& value) {
  if (value.is_string()) {
    const std::string word = name(value);
    if (word != "exact" && word != "fixed" && word != "bounded") {
      refuse("is none of exact, fixed, bounded");
    }
    rule_.fit.kind = word == "exact"   ? FitRule::Kind::exact
                     : word == "fixed" ? FitRule::Kind::fixed
                                       : FitRule::Kind::bounded;
    return;
  }
  if (!value.is_object()) {
    refuse("is no word and no object");
  }
  for (const auto& [key, member] : value.items()) {
    take_fit_member(key, member);
  }
}

void RuleParser::take_fit_member(const std::string& key, const nlohmann::json& value) {
  auto& fit = rule_.fit;
  if (key == "spare") {
    fit.spare = number(value, 0, kMostSlots);
  } else if (key == "least") {
    fit.least = number(value, 0, kMostSlots);
  } else if (key == "power_of_two") {
    fit.power_of_two = truth(value);
  } else if (key == "strict") {
    fit.strict = truth(value);
  } else if (key == "load" && value.is_array() && value.size() == 2) {
    fit.load_part = number(value[0], 1, 1000);
    fit.load_whole = number(value[1], 1, 1000);
  } else {
    refuse("knows spare, least, power_of_two, strict and load [part, whole], not \"" +
           printable(key) + "\"");
  }
}

void RuleParser::check_whole() const {
  if (rule_.classes.empty()) {
    refuse("has no \"class\"");
  }
  const bool other = !rule_.owns.empty() || !rule_.views.empty();
  const bool chain = !rule_.chain.first.steps.empty();
  const bool sized = rule_.size.form != SizeForm::none;
  if (!rule_.owns.empty() && !rule_.views.empty()) {
    refuse("has both \"owns\" and \"views\"");
  }
  if (other && (!rule_.array.steps.empty() || chain)) {
    refuse("has an array or a chain beside \"owns\" or \"views\"");
  }
  if (chain && (sized || rule_.entries.empty())) {
    refuse("has a chain, which needs \"entries\" and no \"size\"");
  }
  if (!chain && !sized && !other) {
    refuse("has no \"size\", \"chain\", \"owns\" or \"views\"");
  }
  const bool of_array = rule_.size.form == SizeForm::slots || rule_.size.form == SizeForm::used ||
                        rule_.size.form == SizeForm::ring;
  if (of_array && rule_.array.steps.empty()) {
    refuse("has a size that needs an \"array\"");
  }
  if (rule_.size.form == SizeForm::ring && rule_.array.steps.size() != 1) {
    refuse("has a ring whose array is no field of its own");
  }
}

/// "baseCount + counterCells[].value", "end - start", "@slots".
SizeRule RuleParser::sum(std::string_view text) const {
  if (text == "@slots" || text == "@used") {
    return {.form = text == "@slots" ? SizeForm::slots : SizeForm::used};
  }
  SizeRule size{.form = SizeForm::sum};
  bool negative = false;
  while (true) {
    const auto end = text.find_first_of("+-");
    size.terms.push_back(term(trimmed(text.substr(0, end))));
    size.terms.back().negative = negative;
    if (end == std::string_view::npos) {
      return size;
    }
    negative = text[end] == '-';
    text.remove_prefix(end + 1);
  }
}

SizeTerm RuleParser::term(std::string_view text) const {
  if (is_number(text)) {
    return {.number = std::stoull(std::string(text))};
  }
  return {.path = path(text)};
}

FieldPath RuleParser::path(std::string_view text) const {
  FieldPath out;
  while (true) {
    const auto dot = text.find('.');
    std::string_view step = text.substr(0, dot);
    const bool each = step.ends_with("[]");
    step.remove_suffix(each ? 2 : 0);
    if (step.empty() || step.find_first_of(" []@") != std::string_view::npos) {
      refuse("has a path with an empty or impossible field name");
    }
    out.steps.push_back({.name = std::string(step), .each = each});
    if (out.steps.size() > kMostSteps) {
      refuse("has a path of more than " + std::to_string(kMostSteps) + " fields");
    }
    if (dot == std::string_view::npos) {
      break;
    }
    text.remove_prefix(dot + 1);
  }
  if (out.steps.back().each) {
    refuse("has a path that ends in an array's elements");
  }
  return out;
}

std::string RuleParser::name(const nlohmann::json& value) const {
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
    refuse("is no text");
  }
  if (value.get_ref<const std::string&>().size() > kMostNameBytes) {
    refuse("is longer than " + std::to_string(kMostNameBytes) + " bytes");
  }
  return value.get<std::string>();
}

std::vector<std::string> RuleParser::names(const nlohmann::json& value) const {
  if (!value.is_array()) {
    return {name(value)};
  }
  if (value.empty() || value.size() > kMostNames) {
    refuse("is a list of none or of more than " + std::to_string(kMostNames));
  }
  std::vector<std::string> out;
  for (const auto& element : value) {
    out.push_back(name(element));
  }
  return out;
}

std::uint64_t RuleParser::number(const nlohmann::json& value, std::uint64_t least,
                                 std::uint64_t most) const {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least ||
      value.get<std::uint64_t>() > most) {
    refuse("is no number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return value.get<std::uint64_t>();
}

bool RuleParser::truth(const nlohmann::json& value) const {
  if (!value.is_boolean()) {
    refuse("is neither true nor false");
  }
  return value.get<bool>();
}

void RuleParser::refuse(const std::string& what) const {
  const std::string owner =
      rule_.classes.empty() ? "" : " (" + printable(rule_.classes.front()) + ")";
  fail(ExitCode::bad_data, place_, owner, key_.empty() ? "" : ": \"" + printable(key_) + "\"", " ",
       what, "; share/hprof-stages/README.md describes the format");
}

}  // namespace hprof
