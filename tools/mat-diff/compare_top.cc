// The histogram and the three ranked tables of Top Consumers: the same comparison over other
// columns.
#include "common/checked.h"
#include "common/concat.h"
#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/ranking.h"
#include "tools/mat-diff/section_log.h"

namespace hprof {
namespace {

using nlohmann::json;

/// How one of our lists is laid out.
struct Layout {
  const char* section;
  const char* path;
  const char* address_key;
  const char* label_key;
  bool
      only_above_threshold;  ///< the list also has rows below MAT's threshold, which are not marked
};

constexpr Layout kHistogram{"histogram", "overview.histogram", "class_address", "class", false};
constexpr Layout kObjects{"biggest_objects", "top.biggest_objects", "address", "label", true};
constexpr Layout kClasses{"biggest_classes", "top.biggest_classes", "class_address", "class", true};
constexpr Layout kLoaders{"biggest_class_loaders", "top.biggest_class_loaders", "address", "label",
                          true};

bool above_threshold(const json& row) {
  const auto mark = row.is_object() ? row.find("above_threshold") : row.end();
  return row.is_object() && mark != row.end() && mark->is_boolean() && mark->get<bool>();
}

/// For messages: the label with its address, unless it has one.
std::string name_with_address(const std::string& label, std::optional<std::uint64_t> address) {
  return address && label.find(" @ ") == std::string::npos
             ? concat(label, " @ ", row_key(address, label))
             : label;
}

std::vector<OurRanked> our_rows(const OurReport& report, const Layout& layout, bool by_address) {
  std::vector<OurRanked> rows;
  const auto* list = report.find(layout.path);
  if (list == nullptr || !list->is_array()) {
    return rows;
  }
  for (const auto& row : *list) {
    if (layout.only_above_threshold && !above_threshold(row)) {
      continue;
    }
    const auto label = text_of(row, layout.label_key).value_or("(no label)");
    const auto address = address_of(row, layout.address_key);
    rows.push_back({row_key(by_address ? address : std::nullopt, label),
                    name_with_address(label, address), count_of(row, "retained"), &row});
  }
  return rows;
}

/// Whether rows can be told by address: MAT's page has links.
bool has_addresses(const MatRanking& mat) {
  return !mat.rows.empty() && mat.rows.front().address.has_value();
}

std::vector<const json*> match(const Sides& sides, const MatRanking& mat, const Layout& layout,
                               SectionLog& log) {
  std::vector<MatRanked> rows;
  for (const auto& row : mat.rows) {
    rows.push_back({row_key(row.address, row.label), row.label, row.retained});
  }
  return match_rows(log, rows, mat.entries, our_rows(sides.ours, layout, has_addresses(mat)));
}

/// The figures of one row that both sides have.
void compare_figures(const Sides& sides, const std::string& name, const MatRow& mat,
                     const json& ours, SectionLog& log) {
  const bool gap = mat.label == "java.lang.Class";
  const auto proof = gap ? sides.rooting_gap : std::nullopt;
  if (mat.objects) {
    log.figure_or_gap(name + ": instances", count_of(ours, "instances"), *mat.objects, proof);
  }
  if (mat.shallow) {
    log.figure_or_gap(name + ": shallow", count_of(ours, "shallow"), *mat.shallow, proof);
  }
  log.figure(name + ": retained", count_of(ours, "retained"), mat.retained);
  log.share(name + ": share", count_of(ours, "retained"),
            sides.ours.count("overview.total_shallow"), count_of(ours, "retained_bp"), mat.share);
}

/// Sum of one member over the rows; nothing when one lacks it.
std::optional<std::uint64_t> sum_of(const std::vector<OurRanked>& rows, const char* key) {
  std::uint64_t sum = 0;
  for (const auto& row : rows) {
    const auto value = count_of(*row.row, key);
    if (!value) {
      return std::nullopt;
    }
    sum = checked_add(sum, *value);
  }
  return sum;
}

void compare_totals(const Sides& sides, const MatRanking& mat, const Layout& layout,
                    SectionLog& log) {
  if (!mat.totals) {
    return;
  }
  const auto rows = our_rows(sides.ours, layout, has_addresses(mat));
  const auto proof = layout.only_above_threshold ? std::nullopt : sides.rooting_gap;
  if (mat.totals->objects) {
    log.figure_or_gap("totals: instances", sum_of(rows, "instances"), *mat.totals->objects, proof);
  }
  if (mat.totals->shallow) {
    log.figure_or_gap("totals: shallow", sum_of(rows, "shallow"), *mat.totals->shallow, proof);
  }
  log.figure("totals: retained", sum_of(rows, "retained"), mat.totals->retained);
}

void compare_class_tables(const Sides& sides, const MatRanking& mat, const Layout& layout,
                          Comparison& result) {
  SectionLog log(result, layout.section);
  const auto rows = match(sides, mat, layout, log);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto name = concat("row ", i + 1, " ", mat.rows[i].label);
    if (rows[i] != nullptr) {
      log.text(concat(name, ": ", layout.label_key), text_of(*rows[i], layout.label_key),
               mat.rows[i].label);
      compare_figures(sides, name, mat.rows[i], *rows[i], log);
    }
  }
  compare_totals(sides, mat, layout, log);
}

/// MAT writes class, address and text of an object in one label; ours has them apart.
void compare_object_label(const Sides& sides, const std::string& name, const MatRow& mat,
                          const json& ours, SectionLog& log) {
  const auto label = read_object_label(mat.label, mat.address);
  if (!label) {
    log.skip(name + ": class", 1, "MAT's label names no address");
    return;
  }
  log.text(name + ": label", text_of(ours, "label"), label->name);
  log.text(name + ": class", text_of(ours, "class"),
           label->is_class ? "java.lang.Class" : label->type);
  if (label->is_class) {
    const auto& names = sides.whole == nullptr ? sides.ours : *sides.whole;
    const auto* row = names.class_row(mat.address);
    log.text(name + ": represents", row == nullptr ? std::nullopt : text_of(*row, "class"),
             label->type);
  }
  log.skip(name + ": text", label->text.empty() ? 0 : 1,
           "MAT's own wording of the object's content");
}

}  // namespace

void compare_histogram(const Sides& sides, Comparison& result) {
  if (sides.mat.histogram) {
    compare_class_tables(sides, *sides.mat.histogram, kHistogram, result);
  }
  if (sides.mat.histogram && sides.mat.histogram->totals) {
    SectionLog log(result, "histogram");
    const auto& totals = *sides.mat.histogram->totals;
    if (totals.shallow) {
      log.figure_or_gap("totals: total_shallow", sides.ours.count("overview.total_shallow"),
                        *totals.shallow, sides.rooting_gap);
    }
  }
}

void compare_objects(const Sides& sides, Comparison& result) {
  if (!sides.mat.objects) {
    return;
  }
  SectionLog log(result, kObjects.section);
  const auto& mat = *sides.mat.objects;
  const auto rows = match(sides, mat, kObjects, log);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto name = concat("row ", i + 1, " ", row_key(mat.rows[i].address, mat.rows[i].label));
    if (rows[i] != nullptr) {
      compare_object_label(sides, name, mat.rows[i], *rows[i], log);
      compare_figures(sides, name, mat.rows[i], *rows[i], log);
    }
  }
  compare_totals(sides, mat, kObjects, log);
}

void compare_classes(const Sides& sides, Comparison& result) {
  if (sides.mat.classes) {
    compare_class_tables(sides, *sides.mat.classes, kClasses, result);
  }
}

void compare_loaders(const Sides& sides, Comparison& result) {
  if (sides.mat.loaders) {
    compare_class_tables(sides, *sides.mat.loaders, kLoaders, result);
  }
}

}  // namespace hprof
