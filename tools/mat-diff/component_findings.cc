// MAT counts per component what its own rules call waste. Compared is what follows from the object
// graph in one way only.
#include "tools/mat-diff/component_findings.h"

#include "common/concat.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace hprof {
namespace {

using nlohmann::json;
using RowsByName = std::multimap<std::string, const json*>;

constexpr std::uint64_t kFull = 10'000;
constexpr std::uint64_t kFifth = 2'000;

/// Why other findings of MAT are not compared, by their headings.
constexpr std::array<std::pair<std::string_view, const char*>, 5> kReasons{{
    {"Duplicate Strings", "the report looks for equal Strings in the whole heap"},
    {"Empty Collections", "the report measures collections of the whole heap"},
    {"Collection Fill Ratios", "the report measures collections of the whole heap"},
    {"Map Collision Ratios", "the report measures collections of the whole heap"},
    {"Primitive Arrays with a Constant Value",
     "the report looks for constant arrays in the whole heap"},
}};

const char* reason_of(std::string_view heading) {
  const auto* const known = std::find_if(kReasons.begin(), kReasons.end(),
                                         [&](const auto& pair) { return pair.first == heading; });
  return known == kReasons.end() ? "not understood" : known->second;
}

/// What MAT lists of the arrays of a class: their sums, and where it lists all lengths or that one
/// those without elements.
void compare_array_class(const std::string& field, const MatRanking& table, const json& ours,
                         SectionLog& log) {
  if (!table.totals && table.rows.size() != 1) {
    log.skip(field, 1, "not understood");
    return;
  }
  const auto& sums = table.totals ? *table.totals : table.rows.front();
  log.figure(field + ": arrays", count_of(ours, "arrays"), sums.objects);
  log.figure(field + ": shallow", count_of(ours, "shallow"), sums.shallow);
  const auto zero = std::find_if(table.rows.begin(), table.rows.end(),
                                 [](const MatRow& row) { return row.label == "0"; });
  const bool none = zero == table.rows.end();
  if (none && table.rows.size() != table.entries) {
    return;
  }
  log.figure(field + ": without elements", count_of(ours, "zero_length"),
             none ? std::optional(exact_figure(0)) : zero->objects);
  log.figure(field + ": bytes without elements", count_of(ours, "zero_length_shallow"),
             none ? std::optional(exact_figure(0)) : zero->shallow);
}

/// The arrays of the set. MAT names their classes without an address, so those of which there are
/// several of one name are left out.
template <typename Compare>
void compare_array_classes(const std::string& name, const RowsByName& rows,
                           const std::optional<std::vector<MatArrayClass>>& mat, SectionLog& log,
                           Compare&& compare_class) {
  for (const auto& theirs : mat.value_or(std::vector<MatArrayClass>{})) {
    const auto field = concat(name, theirs.name);
    const auto found = rows.find(theirs.name);
    if (rows.count(theirs.name) > 1) {
      log.skip(field, 1, "several classes have this name");
    } else if (found == rows.end()) {
      log.missing(field, theirs.name);
    } else {
      compare_class(field, theirs.rows, *found->second);
    }
  }
}

RowsByName array_rows(const json& set) {
  RowsByName rows;
  if (const auto* const list = member(set, "arrays"); list != nullptr && list->is_array()) {
    for (const auto& row : *list) {
      rows.emplace(text_of(row, "class").value_or(""), &row);
    }
  }
  return rows;
}

/// Some objects and their bytes.
struct ObjectSum {
  std::uint64_t objects = 0;
  std::uint64_t shallow = 0;

  bool operator==(const ObjectSum&) const = default;
  void move(const json* part, ObjectSum& to) {
    const ObjectSum moved{part == nullptr ? 0 : count_of(*part, "arrays").value_or(0),
                          part == nullptr ? 0 : count_of(*part, "shallow").value_or(0)};
    objects -= moved.objects;
    shallow -= moved.shallow;
    to.objects += moved.objects;
    to.shallow += moved.shallow;
  }
};

/// Our rows of a class as MAT draws them, by the largest share in use: arrays without slots count
/// as full, those that lead to their own class object only as unused, and of those with just one or
/// two fifths in use as if they had more.
std::map<std::uint64_t, ObjectSum> mat_fill(const json& ours) {
  std::map<std::uint64_t, ObjectSum> sums;
  sums[kFull] = {count_of(ours, "zero_length").value_or(0),
                 count_of(ours, "zero_length_shallow").value_or(0)};
  const auto* const fill = member(ours, "fill");
  for (const auto& row : fill == nullptr ? json::array() : *fill) {
    const auto most = (count_of(row, "most_bp").value_or(2 * kFull) + kFifth - 1) / kFifth * kFifth;
    auto& sum = sums[most];
    sum.objects += count_of(row, "arrays").value_or(0);
    sum.shallow += count_of(row, "shallow").value_or(0);
    sum.move(member(row, "own_class"), sums[0]);
    if (most == kFifth || most == 2 * kFifth) {
      sum.move(member(row, "at_end"), sums[most + kFifth]);
    }
  }
  std::erase_if(sums, [](const auto& entry) { return entry.second == ObjectSum{}; });
  return sums;
}

/// "<= 0.40" as basis points.
std::optional<std::uint64_t> fill_end(const std::string& label) {
  constexpr std::string_view kAtMost = "<= ";
  const auto share =
      label.starts_with(kAtMost) ? parse_percent(label.substr(kAtMost.size()) + "%") : std::nullopt;
  return share && share->decimals == 2 ? std::optional(share->digits * 100) : std::nullopt;
}

void compare_fill(const std::string& field, const MatRanking& table, const json& ours,
                  SectionLog& log) {
  const auto sums = mat_fill(ours);
  for (const auto& row : table.rows) {
    const auto end = fill_end(row.label);
    if (!end) {
      log.skip(field, 1, "not understood");
      continue;
    }
    const auto found = sums.find(*end);
    const auto sum = found == sums.end() ? ObjectSum{} : found->second;
    log.figure(concat(field, ": ", row.label, ": arrays"), sum.objects, row.objects);
    log.figure(concat(field, ": ", row.label, ": shallow"), sum.shallow, row.shallow);
  }
  log.figure(field + ": rows", sums.size(), exact_figure(table.entries));
  log.skip(field + ": wasted heap", table.rows.size(), "MAT rounds the waste of each array");
}

/// Objects by class: all rows that MAT prints, and how many there are.
void compare_objects_by_class(const std::string& name, const std::optional<MatRanking>& mat,
                              const json* list, SectionLog& log) {
  if (!mat) {
    return;
  }
  const auto rows = rows_by_address(list, "class_address");
  ObjectSum all;
  for (const auto& [address, row] : rows) {
    all.objects += count_of(*row, "instances").value_or(0);
    all.shallow += count_of(*row, "shallow").value_or(0);
  }
  compare_class_rows(name + ": ", *mat, rows, log);
  log.figure(name + ": classes", list == nullptr ? std::nullopt : std::optional(rows.size()),
             exact_figure(mat->entries));
  if (mat->totals) {
    log.figure(name + ": totals: instances", all.objects, mat->totals->objects);
    log.figure(name + ": totals: shallow", all.shallow, mat->totals->shallow);
  }
}

void compare_references(const std::string& name, const MatComponent& mat, const json& set,
                        SectionLog& log) {
  const auto compare = [&](const char* title, const std::optional<MatRanking>& theirs,
                           const char* key) {
    compare_objects_by_class(concat(name, ": ", title), theirs, member(set, key), log);
  };
  compare("soft references", mat.soft_references, "soft_references");
  compare("softly referenced", mat.softly_referenced, "softly_referenced");
  compare("weak references", mat.weak_references, "weak_references");
  compare("weakly referenced", mat.weakly_referenced, "weakly_referenced");
  compare("with finalizer", mat.with_finalizer, "with_finalizer");
  for (const auto& [title, theirs] :
       {std::pair("softly", &mat.softly_referenced), std::pair("weakly", &mat.weakly_referenced)}) {
    if (*theirs && (*theirs)->entries != 0) {
      log.skip(concat(name, ": only ", title, " retained"), 1,
               "what references of one component alone keep alive takes a walk through the graph "
               "for each");
    }
  }
}

}  // namespace

void compare_class_rows(const std::string& prefix, const MatRanking& mat, const RowsByAddress& rows,
                        SectionLog& log) {
  for (const auto& row : mat.rows) {
    const auto field = prefix + row.label;
    const auto* const ours = row_at(rows, row.address);
    if (ours == nullptr) {
      log.missing(field, row.label);
      continue;
    }
    log.text(field + ": class", text_of(*ours, "class"), row.label);
    log.figure(field + ": instances", count_of(*ours, "instances"), row.objects);
    log.figure(field + ": shallow", count_of(*ours, "shallow"), row.shallow);
  }
}

void compare_findings(const Sides& sides, const std::string& name, const MatComponent& mat,
                      const json& set, SectionLog& log) {
  const auto rows = array_rows(set);
  compare_array_classes(name + ": arrays ", rows, mat.arrays, log,
                        [&](const std::string& field, const MatRanking& table, const json& ours) {
                          compare_array_class(field, table, ours, log);
                        });
  const bool is_whole = sides.ours.count("overview.dangling_references").value_or(0) == 0;
  compare_array_classes(name + ": fill of ", rows, mat.array_fill, log,
                        [&](const std::string& field, const MatRanking& table, const json& ours) {
                          if (is_whole) {
                            compare_fill(field, table, ours, log);
                          } else {
                            log.skip(
                                field, table.rows.size(),
                                "MAT counts references to missing objects, which the dump has, "
                                "as slots in use");
                          }
                        });
  compare_references(name, mat, set, log);
  for (const auto& heading : mat.findings) {
    log.skip(concat(name, ": ", heading), 1, reason_of(heading));
  }
}

}  // namespace hprof
