// Leak suspects: a ranking whose rows have an accumulation point each. Loaders are not part of our
// suspects; they are looked up in our histogram, which has the loader of every class.
#include "common/concat.h"
#include "common/text.h"
#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/compare_suspect_text.h"
#include "tools/mat-diff/ranking.h"
#include "tools/mat-diff/section_log.h"

namespace hprof {
namespace {

using nlohmann::json;

/// MAT's row key: the object's address, or the retained size where the details are not at hand.
std::string mat_key(const MatSuspect& suspect) {
  const auto* kind = suspect.kind == MatSuspectKind::group ? "group " : "single ";
  return kind + row_key(suspect.address, concat("retaining ", suspect.retained.low));
}

std::string our_key(const json& suspect, bool by_address) {
  const auto kind = text_of(suspect, "kind").value_or("(no kind)");
  const auto address = address_of(suspect, kind == "group" ? "class_address" : "address");
  return concat(kind, " ",
                row_key(by_address ? address : std::nullopt,
                        concat("retaining ", count_of(suspect, "retained").value_or(0))));
}

std::vector<const json*> match(const Sides& sides, SectionLog& log) {
  std::vector<MatRanked> mat;
  bool by_address = true;
  for (const auto& suspect : *sides.mat.suspects) {
    mat.push_back({mat_key(suspect), concat(suspect.number, " ", suspect.name), suspect.retained});
    by_address = by_address && suspect.address.has_value();
  }
  std::vector<OurRanked> ours;
  const auto* list = sides.ours.find("leaks.suspects");
  if (list == nullptr || !list->is_array()) {
    log.missing("suspects", concat(mat.size(), " suspects"));
    std::vector<const json*> none(mat.size(), nullptr);
    return none;
  }
  for (const auto& suspect : *list) {
    const auto key = our_key(suspect, by_address);
    ours.push_back({key, key, count_of(suspect, "retained"), &suspect});
  }
  return match_rows(log, mat, mat.size(), ours);
}

/// Class by name, for accumulation points, whose class address our report does not give; nullptr
/// when not unique.
const json* only_class_named(const Sides& sides, const std::string& name) {
  const auto* histogram = sides.ours.find("overview.histogram");
  const json* found = nullptr;
  if (histogram == nullptr || !histogram->is_array()) {
    return nullptr;
  }
  for (const auto& row : *histogram) {
    if (text_of(row, "class") == name) {
      if (found != nullptr) {
        return nullptr;
      }
      found = &row;
    }
  }
  return found;
}

/// The name in MAT's sentence against our object's class, and against the class it represents if it
/// is one.
void compare_name(const Sides& sides, const std::string& field, MatSuspectKind kind,
                  const std::string& mat, const json& ours, SectionLog& log) {
  const auto our_class = text_of(ours, "class");
  if (kind == MatSuspectKind::class_object) {
    log.text(field + "class", our_class, "java.lang.Class");
    const auto* row = sides.ours.class_row(address_of(ours, "address"));
    log.text(field + "represents", row == nullptr ? std::nullopt : text_of(*row, "class"), mat);
  } else {
    log.text(field + "class", our_class, mat.substr(0, mat.find(" @ 0x")));
  }
}

/// The loader in MAT's sentence on an accumulation point against that of its class in our
/// histogram.
void compare_loader(const std::string& field, const std::string& mat, const json* our_class,
                    SectionLog& log) {
  const auto address = loader_address(mat);
  const auto ours = our_class == nullptr ? std::nullopt : address_of(*our_class, "loader_address");
  if (!address) {
    log.skip(field + "loader", 1, "MAT's label names no address");
  } else if (!ours) {
    log.text(field + "loader", std::nullopt, mat);
  } else {
    log.text(field + "loader", hex_address(*ours), hex_address(*address));
  }
}

void compare_point(const Sides& sides, const std::string& field, const MatAccumulation& mat,
                   const json& ours, SectionLog& log) {
  if (mat.address) {
    const auto address = address_of(ours, "address");
    log.text(field + "address", address ? std::optional(hex_address(*address)) : std::nullopt,
             hex_address(*mat.address));
  }
  compare_name(sides, field, mat.kind, mat.name, ours, log);
  if (mat.loader) {
    const bool is_class = mat.kind == MatSuspectKind::class_object;
    const auto* of_point = is_class ? sides.ours.class_row(address_of(ours, "address"))
                                    : only_class_named(sides, mat.name);
    if (of_point == nullptr && !is_class) {
      log.skip(field + "loader", 1, "several classes of this name");
    } else {
      compare_loader(field, *mat.loader, of_point, log);
    }
  }
  log.figure(field + "shallow", count_of(ours, "shallow"), mat.shallow);
  log.figure(field + "retained", count_of(ours, "retained"), mat.retained);
  log.share(field + "share", count_of(ours, "retained"), sides.ours.count("overview.total_shallow"),
            std::nullopt, mat.share);
}

void compare_accumulation(const Sides& sides, const std::string& name, const MatSuspect& mat,
                          const json& ours, SectionLog& log) {
  const auto field = name + ": accumulation point: ";
  const auto member = ours.find("accumulation_point");
  const json* our_point = member != ours.end() && member->is_object() ? &*member : nullptr;
  if (mat.kind == MatSuspectKind::group && mat.instances > kMatSampleLimit) {
    log.skip(name + ": accumulation point", mat.accumulation ? 6 : 1,
             "MAT looked at 10,000 instances by chance");
  } else if (mat.accumulation && our_point != nullptr) {
    compare_point(sides, field, *mat.accumulation, *our_point, log);
  } else if (mat.accumulation) {
    log.missing(name + ": accumulation point", mat.accumulation->name);
  } else if (our_point != nullptr) {
    log.extra(name + ": accumulation point", text_of(*our_point, "class").value_or("(no class)"));
  } else {
    log.text(name + ": accumulation point", "none", "none");
  }
}

/// The rows from a GC root to a group's accumulation point, in their order.
void compare_path(const std::string& name, const MatSuspect& mat, const json& ours,
                  SectionLog& log) {
  const auto member = ours.find("common_path");
  if (mat.common_path.empty() || mat.instances > kMatSampleLimit) {
    return;
  }
  if (member == ours.end() || !member->is_array()) {
    log.missing(name + ": common path", format_count(mat.common_path.size(), "object", "objects"));
    return;
  }
  log.figure(name + ": common path: length", member->size(), exact_figure(mat.common_path.size()));
  for (std::size_t i = 0; i < std::min(mat.common_path.size(), member->size()); ++i) {
    const auto& row = mat.common_path[i];
    const auto field = concat(name, ": common path ", i + 1, ": ");
    const auto address = address_of((*member)[i], "address");
    log.text(field + "address", address ? std::optional(hex_address(*address)) : std::nullopt,
             row_key(row.address, row.label));
    log.figure(field + "shallow", count_of((*member)[i], "shallow"), row.shallow);
    log.figure(field + "retained", count_of((*member)[i], "retained"), row.retained);
  }
}

/// The loader that MAT names for the suspect: in its sentence, or in that on the accumulation point
/// when it is one.
std::optional<std::string> loader_of(const MatSuspect& mat) {
  const bool is_point = mat.accumulation && mat.address && mat.accumulation->address == mat.address;
  return mat.loader || !is_point ? mat.loader : mat.accumulation->loader;
}

void compare_suspect(const Sides& sides, const MatSuspect& mat, const json& ours, SectionLog& log) {
  const auto name = concat("suspect ", mat.number, " ", mat.name);
  compare_name(sides, name + ": ", mat.kind, mat.name, ours, log);
  if (const auto loader = loader_of(mat)) {
    log.text(name + ": loader", text_of(ours, "loader_label"), loader_name(*loader));
  }
  log.figure(name + ": instances", count_of(ours, "instances"), exact_figure(mat.instances));
  log.figure(name + ": shallow", count_of(ours, "shallow"), mat.shallow);
  log.figure(name + ": retained", count_of(ours, "retained"), mat.retained);
  log.share(name + ": share", count_of(ours, "retained"),
            sides.ours.count("overview.total_shallow"), count_of(ours, "retained_bp"), mat.share);
  compare_accumulation(sides, name, mat, ours, log);
  compare_path(name, mat, ours, log);
  compare_suspect_text(sides, name, mat, ours, log);
}

}  // namespace

void compare_suspects(const Sides& sides, Comparison& result) {
  if (!sides.mat.suspects) {
    return;
  }
  SectionLog log(result, "suspects");
  const auto rows = match(sides, log);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i] != nullptr) {
      compare_suspect(sides, (*sides.mat.suspects)[i], *rows[i], log);
    }
  }
}

}  // namespace hprof
