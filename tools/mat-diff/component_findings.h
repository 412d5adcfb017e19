#pragma once

#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/our_report.h"
#include "tools/mat-diff/section_log.h"

#include <nlohmann/json.hpp>

#include <string>

namespace hprof {

/// Compares the classes that MAT lists, by address, with rows of ours; `prefix` begins the names of
/// the fields.
void compare_class_rows(const std::string& prefix, const MatRanking& mat, const RowsByAddress& rows,
                        SectionLog& log);

/// Compares what MAT's pages on possible waste, references and finalizers of a component list with
/// our retained set of it, and says why of what it does not.
void compare_findings(const Sides& sides, const std::string& name, const MatComponent& mat,
                      const nlohmann::json& set, SectionLog& log);

}  // namespace hprof
