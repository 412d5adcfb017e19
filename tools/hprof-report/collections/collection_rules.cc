#include "tools/hprof-report/collections/collection_rules.h"

#include "common/checked.h"
#include "common/error.h"
#include "common/input_file.h"
#include "common/text.h"
#include "common/text_input.h"
#include "tools/hprof-report/collections/rule_json.h"

#include <nlohmann/json.hpp>

#include <bit>
#include <filesystem>
#include <span>
#include <sys/auxv.h>

namespace hprof {
namespace {

constexpr std::uint64_t kMostFileBytes = 4U << 20U;
constexpr std::size_t kMostRules = 10'000;
constexpr std::uint64_t kFormat = 1;
constexpr std::uint64_t kMostSlots = std::uint64_t{1} << 62U;
constexpr unsigned kFoldersAbove = 3;

nlohmann::json parse_document(std::string_view text, const std::string& file) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    const std::string what = error.what();
    const auto detail = what.find("] ");
    fail(ExitCode::bad_data, file,
         ": is no JSON: ", printable(detail == std::string::npos ? what : what.substr(detail + 2)));
  }
}

const nlohmann::json& rules_of(const nlohmann::json& document, const std::string& file) {
  if (!document.is_object() || !document.contains("format") || !document.contains("rules")) {
    fail(ExitCode::bad_data, file, R"(: is no rule file: "format" or "rules" is missing)");
  }
  if (document["format"] != kFormat) {
    fail(ExitCode::limit, file, ": \"format\" is not ", kFormat,
         ", the only one that this program reads");
  }
  const auto& rules = document["rules"];
  if (!rules.is_array() || rules.size() > kMostRules) {
    fail(ExitCode::bad_data, file, R"(: "rules" is no list of at most )", kMostRules);
  }
  return rules;
}

/// Where there is no /proc, the name by which the program was started.
std::filesystem::path path_of_executable() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error
             ? std::filesystem::absolute(std::bit_cast<const char*>(::getauxval(AT_EXECFN)), error)
             : path;
}

}  // namespace

std::uint64_t FitRule::needed(std::uint64_t elements, std::uint64_t slots_per_entry) const {
  const std::uint64_t loaded = checked_mul(elements, load_whole);
  std::uint64_t places = strict ? loaded / load_part + 1 : (loaded + load_part - 1) / load_part;
  places = std::max(places, least);
  if (power_of_two) {
    places = places > kMostSlots ? kMostSlots : std::bit_ceil(places);
  }
  return std::min(
      checked_add(checked_mul(std::min(places, kMostSlots / 16), slots_per_entry), spare),
      kMostSlots);
}

std::vector<CollectionRule> read_collection_rules(const std::string& path) {
  const auto file = open_text_input(path);
  const auto bytes = file_size(file, path);
  if (bytes > kMostFileBytes) {
    fail(ExitCode::bad_data, printable(path), ": is larger than ", kMostFileBytes,
         " bytes, so it is no rule file");
  }
  std::string text(bytes, '\0');
  text.resize(read_at(file, path, 0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()}));
  return parse_collection_rules(text, path);
}

std::vector<CollectionRule> parse_collection_rules(std::string_view text, const std::string& file) {
  const std::string shown = printable(file);
  const auto document = parse_document(text, shown);
  std::vector<CollectionRule> rules;
  for (const auto& rule : rules_of(document, shown)) {
    rules.push_back(RuleParser(concat(shown, ": rule ", rules.size() + 1)).parse(rule));
  }
  return rules;
}

std::string installed_collection_rules() {
  std::error_code error;
  auto folder = path_of_executable().parent_path();
  for (unsigned above = 0; above < kFoldersAbove && !error; ++above) {
    folder = folder.parent_path();
    const auto file = folder / "share" / "hprof-stages" / "collections.json";
    if (std::filesystem::is_regular_file(file, error)) {
      return file.string();
    }
    error.clear();
  }
  return {};
}

bool matches_class(std::string_view pattern, std::string_view name) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) {
    return pattern == name;
  }
  const auto head = pattern.substr(0, star);
  const auto tail = pattern.substr(star + 1);
  return name.size() >= head.size() + tail.size() && name.starts_with(head) && name.ends_with(tail);
}

}  // namespace hprof
