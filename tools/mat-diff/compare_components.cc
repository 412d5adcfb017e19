// Top Components. A component's size is that of its top-level objects; everything else on its pages
// is about the set that these objects retain together, which is compared as if it were a heap of
// its own.
#include "common/concat.h"
#include "common/text.h"
#include "tools/mat-diff/class_objects_twice.h"
#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/component_findings.h"
#include "tools/mat-diff/ranking.h"
#include "tools/mat-diff/section_log.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hprof {
namespace {

using nlohmann::json;
constexpr const char* kSection = "components";

/// "Size: 64 KB Classes: 2 Objects: 11.8k Class Loader: 1"
void compare_size_line(const std::string& name, const MatComponent& mat, const json& set,
                       SectionLog& log) {
  struct Figure {
    const char* title;
    const char* key;
  };
  constexpr std::array kFigures{Figure{"Size", "shallow"}, Figure{"Classes", "classes"},
                                Figure{"Objects", "objects"},
                                Figure{"Class Loader", "class_loaders"}};
  for (const auto& property : mat.figures) {
    const auto* const known =
        std::find_if(kFigures.begin(), kFigures.end(),
                     [&](const Figure& figure) { return property.name == figure.title; });
    const auto value = parse_figure(property.value);
    const auto field = concat(name, ": ", property.name);
    if (known == kFigures.end() || !value) {
      log.skip(field, 1, "not understood");
    } else {
      log.figure(field, count_of(set, known->key), *value);
    }
  }
}

/// The component's own top-level objects are the row of its loader.
void compare_own_row(const std::string& name, const MatComponent& mat, const json& ours,
                     SectionLog& log) {
  for (const auto& row : mat.loaders ? mat.loaders->rows : std::vector<MatRow>{}) {
    if (row.address == mat.address) {
      log.figure(name + ": top-level objects", count_of(ours, "top_level_objects"), row.objects);
      log.figure(name + ": retained", count_of(ours, "retained"), row.retained);
    }
  }
}

/// The classes of the set. Both lists are ranked by bytes; ours is not cut within a tie.
void compare_set_histogram(const std::string& name, const MatComponent& mat, const json& set,
                           SectionLog& log) {
  if (!mat.histogram) {
    return;
  }
  const auto rows = rows_by_address(member(set, "histogram"), "class_address");
  compare_class_rows(name + ": class ", *mat.histogram, rows, log);
  log.figure(name + ": histogram: classes", count_of(set, "classes"),
             exact_figure(mat.histogram->entries));
  if (mat.histogram->totals) {
    log.figure(name + ": histogram: objects", count_of(set, "objects"),
               mat.histogram->totals->objects);
    log.figure(name + ": histogram: shallow", count_of(set, "shallow"),
               mat.histogram->totals->shallow);
  }
}

/// The top consumers of the set, by the comparisons that the whole heap's have.
void compare_set_consumers(const Sides& sides, const std::string& name, const MatComponent& mat,
                           const json& set, Comparison& result) {
  MatExport part;
  part.objects = mat.objects;
  part.classes = mat.classes;
  part.loaders = mat.loaders;
  if (!mat.packages.empty()) {
    part.packages = mat.packages;
  }
  const auto* const given = member(set, "top");
  json top = given == nullptr ? json::object() : *given;
  count_class_objects_twice(set, top);
  const OurReport ours(json{{"overview", {{"total_shallow", count_of(set, "shallow").value_or(0)}}},
                            {"top", std::move(top)}});
  const Sides of_part{part, ours, std::nullopt, &sides.ours};
  Comparison compared;
  for (const auto section : {compare_objects, compare_classes, compare_loaders, compare_packages}) {
    section(of_part, compared);
  }
  for (auto& field : compared.fields) {
    field.name = concat(name, ": ", field.section, ": ", field.name);
    field.section = kSection;
    result.fields.push_back(std::move(field));
  }
}

void compare_component(const Sides& sides, const MatComponent& mat, const json& ours,
                       Comparison& result) {
  const auto name = concat("component ", mat.label);
  SectionLog log(result, kSection);
  log.text(name + ": label", text_of(ours, "label"), mat.label);
  log.share(name + ": share", count_of(ours, "retained"),
            sides.ours.count("overview.total_shallow"), count_of(ours, "retained_bp"), mat.share);
  compare_own_row(name, mat, ours, log);
  const auto* const set = member(ours, "retained_set");
  const json none = json::object();
  compare_size_line(name, mat, set == nullptr ? none : *set, log);
  compare_set_histogram(name, mat, set == nullptr ? none : *set, log);
  compare_set_consumers(sides, name, mat, set == nullptr ? none : *set, result);
  compare_findings(sides, name, mat, set == nullptr ? none : *set, log);
}

}  // namespace

void compare_components(const Sides& sides, Comparison& result) {
  if (!sides.mat.components) {
    return;
  }
  SectionLog log(result, kSection);
  auto ours = rows_by_address(sides.ours.find("components.components"), "address");
  for (const auto& component : *sides.mat.components) {
    const auto* row = row_at(ours, component.address);
    if (row == nullptr) {
      log.missing(concat("component ", component.label), component.label);
      continue;
    }
    compare_component(sides, component, *row, result);
    ours.erase(*component.address);
  }
  const auto threshold = sides.ours.count("overview.total_shallow").value_or(0) / 100;
  for (const auto& [address, row] : ours) {
    if (count_of(*row, "retained").value_or(0) >= threshold) {
      log.extra(concat("component ", hex_address(address)),
                text_of(*row, "label").value_or("(no label)"));
    }
  }
}

}  // namespace hprof
