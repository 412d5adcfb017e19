// Places are compared among the rows that both sides have, so that one missing row is one FAIL and
// does not shift all others.
#include "tools/mat-diff/ranking.h"

#include "common/concat.h"
#include "common/text.h"

#include <unordered_map>

namespace hprof {
namespace {

using Positions = std::unordered_map<std::string, std::size_t>;

/// Where each of our keys stands; a key given twice is a FAIL.
Positions our_positions(SectionLog& log, const std::vector<OurRanked>& ours) {
  Positions positions;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!positions.emplace(ours[i].key, i).second) {
      log.extra(concat("row ", ours[i].label, ": given twice"), ours[i].label);
    }
  }
  return positions;
}

/// Our rows that MAT's printed rows do not have. All of MAT's are printed: FAIL. Else those among
/// our first rows must tie with MAT's last printed one.
void check_extra_rows(SectionLog& log, const std::vector<MatRanked>& mat, std::uint64_t entries,
                      const std::vector<OurRanked>& ours) {
  Positions printed;
  for (std::size_t i = 0; i < mat.size(); ++i) {
    printed.emplace(mat[i].key, i);
  }
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (printed.contains(ours[i].key)) {
      continue;
    }
    const auto name = concat("row ", ours[i].label);
    if (entries == mat.size()) {
      log.extra(name, ours[i].label);
    } else if (i < mat.size()) {
      log.add(name, ours[i].label, mat.back().label,
              judge_place(false, ours[i].retained, ours[i].retained, mat.back().retained));
    }
  }
}

void check_places(SectionLog& log, const std::vector<MatRanked>& mat,
                  const std::vector<OurRanked>& ours, const Positions& positions) {
  std::vector<std::size_t> in_mat_order;
  std::vector<std::size_t> mat_rows;
  std::vector<bool> common(ours.size(), false);
  for (std::size_t i = 0; i < mat.size(); ++i) {
    const auto found = positions.find(mat[i].key);
    if (found != positions.end() && !common[found->second]) {
      common[found->second] = true;
      in_mat_order.push_back(found->second);
      mat_rows.push_back(i);
    }
  }
  std::size_t place = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!common[i]) {
      continue;
    }
    const auto& of_mat = ours[in_mat_order[place]];
    log.add(concat("place ", place + 1), ours[i].label, mat[mat_rows[place]].label,
            judge_place(in_mat_order[place] == i, ours[i].retained, of_mat.retained,
                        mat[mat_rows[place]].retained));
    ++place;
  }
}

/// "java.lang.Object[2156]" → "java.lang.Object[]"
std::string without_length(const std::string& type) {
  const auto open = type.find('[');
  const auto close = open == std::string::npos ? open : type.find(']', open);
  return close == std::string::npos ? type : type.substr(0, open + 1) + type.substr(close);
}

}  // namespace

std::vector<const nlohmann::json*> match_rows(SectionLog& log, const std::vector<MatRanked>& mat,
                                              std::uint64_t entries,
                                              const std::vector<OurRanked>& ours) {
  const auto positions = our_positions(log, ours);
  log.figure("rows", ours.size(), exact_figure(entries));
  std::vector<const nlohmann::json*> rows;
  for (const auto& row : mat) {
    const auto found = positions.find(row.key);
    if (found == positions.end()) {
      log.missing(concat("row ", row.label), row.label);
    }
    rows.push_back(found == positions.end() ? nullptr : ours[found->second].row);
  }
  check_extra_rows(log, mat, entries, ours);
  check_places(log, mat, ours, positions);
  return rows;
}

std::string row_key(std::optional<std::uint64_t> address, const std::string& label) {
  return address ? hex_address(*address) : label;
}

std::optional<ObjectLabel> read_object_label(const std::string& label,
                                             std::optional<std::uint64_t> address) {
  constexpr std::string_view kClass = "class ";
  const auto mark = address ? concat(" @ ", hex_address(*address)) : std::string{};
  const auto at = mark.empty() ? std::string::npos : label.find(mark);
  if (at == std::string::npos) {
    return std::nullopt;
  }
  ObjectLabel result;
  result.is_class = label.starts_with(kClass);
  const auto type =
      result.is_class ? label.substr(kClass.size(), at - kClass.size()) : label.substr(0, at);
  result.type = result.is_class ? type : without_length(type);
  result.name = label.substr(0, at + mark.size());
  const auto rest = label.substr(at + mark.size());
  result.text = rest.starts_with("  ") ? rest.substr(2) : rest;
  return result;
}

std::optional<std::uint64_t> loader_address(const std::string& label) {
  if (label == "<system class loader>") {
    return 0;
  }
  const auto at = label.find(" @ ");
  if (at == std::string::npos) {
    return std::nullopt;
  }
  const auto rest = std::string_view(label).substr(at + 3);
  return parse_hex_address(rest.substr(0, rest.find(' ')));
}

std::string loader_name(const std::string& label) {
  const auto at = label.find(" @ ");
  return at == std::string::npos ? label : label.substr(0, label.find(' ', at + 3));
}

}  // namespace hprof
