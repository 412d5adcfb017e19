// Top Components. Our report has no such section yet, but its biggest class loaders are the same
// split of the heap by top-level dominators, so a component's totals, its loader and its biggest
// objects have counterparts there.
#include "common/concat.h"
#include "common/text.h"
#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/ranking.h"
#include "tools/mat-diff/section_log.h"

#include <map>

namespace hprof {
namespace {

using nlohmann::json;
using RowsByAddress = std::map<std::uint64_t, const json*>;

RowsByAddress rows_by_address(const OurReport& report, const char* path) {
  RowsByAddress rows;
  const auto* list = report.find(path);
  if (list != nullptr && list->is_array()) {
    for (const auto& row : *list) {
      if (const auto address = address_of(row, "address")) {
        rows.emplace(*address, &row);
      }
    }
  }
  return rows;
}

const json* row_at(const RowsByAddress& rows, std::optional<std::uint64_t> address) {
  const auto found = address ? rows.find(*address) : rows.end();
  return found == rows.end() ? nullptr : found->second;
}

/// The component's row of its own loader.
void compare_loader_row(const std::string& name, const MatComponent& mat, const json& ours,
                        SectionLog& log) {
  for (const auto& row : mat.loaders ? mat.loaders->rows : std::vector<MatRow>{}) {
    if (row.address == mat.address) {
      log.figure(name + ": instances", count_of(ours, "instances"), row.objects);
      log.figure(name + ": shallow", count_of(ours, "shallow"), row.shallow);
      log.figure(name + ": retained", count_of(ours, "retained"), row.retained);
    }
  }
}

/// Objects above 1 % of the component; those above 1 % of the heap must be among ours.
void compare_objects_of(const Sides& sides, const std::string& name, const MatComponent& mat,
                        const RowsByAddress& our_objects, SectionLog& log) {
  const auto heap = sides.ours.count("overview.total_shallow").value_or(0);
  std::uint64_t below = 0;
  for (const auto& row : mat.objects ? mat.objects->rows : std::vector<MatRow>{}) {
    const auto field = concat(name, ": object ", row_key(row.address, row.label));
    const auto* ours = row_at(our_objects, row.address);
    if (ours != nullptr) {
      log.figure(field + ": shallow", count_of(*ours, "shallow"), row.shallow);
      log.figure(field + ": retained", count_of(*ours, "retained"), row.retained);
    } else if (row.retained && row.retained->low > heap / 100) {
      log.missing(field, row.label);
    } else {
      ++below;
    }
  }
  log.skip(name + ": objects", below, "below 1 % of the heap");
}

void compare_component(const Sides& sides, const MatComponent& mat, const json& ours,
                       const RowsByAddress& our_objects, SectionLog& log) {
  const auto name = concat("component ", mat.label);
  log.text(name + ": label", text_of(ours, "label"), mat.label);
  log.share(name + ": share", count_of(ours, "retained"),
            sides.ours.count("overview.total_shallow"), std::nullopt, mat.share);
  compare_loader_row(name, mat, ours, log);
  compare_objects_of(sides, name, mat, our_objects, log);
  log.skip(
      name + ": further figures", mat.figures.size() + mat.packages.size() + mat.findings,
      "of the set that the component's objects retain together, which our report does not have");
}

}  // namespace

void compare_components(const Sides& sides, Comparison& result) {
  if (!sides.mat.components) {
    return;
  }
  SectionLog log(result, "components");
  auto our_loaders = rows_by_address(sides.ours, "top.biggest_class_loaders");
  const auto our_objects = rows_by_address(sides.ours, "top.biggest_objects");
  for (const auto& component : *sides.mat.components) {
    const auto* ours = row_at(our_loaders, component.address);
    if (ours == nullptr) {
      log.missing(concat("component ", component.label), component.label);
      continue;
    }
    compare_component(sides, component, *ours, our_objects, log);
    our_loaders.erase(*component.address);
  }
  const auto threshold = sides.ours.count("overview.total_shallow").value_or(0) / 100;
  for (const auto& [address, row] : our_loaders) {
    if (count_of(*row, "retained").value_or(0) >= threshold) {
      log.extra(concat("component ", hex_address(address)),
                text_of(*row, "label").value_or("(no label)"));
    }
  }
}

}  // namespace hprof
