#include "tools/hprof-report/triage/suspect_facts.h"

#include "formats/report/units.h"

namespace hprof::triage {

const Holder* static_anchor_of(const Suspect& suspect) {
  for (const auto* holder : {&suspect.holder, &suspect.anchor}) {
    if (*holder && (*holder)->kind == HolderKind::static_field) {
      return &**holder;
    }
  }
  return nullptr;
}

std::uint64_t gathered(const Suspect& suspect) {
  return suspect.accumulation_point ? suspect.accumulation_point->retained : suspect.retained;
}

std::string size_and_share(const Facts& facts, std::uint64_t bytes) {
  return format_bytes(bytes) + " (" +
         format_share(share_bp(bytes, facts.report.overview.total_shallow)) + ")";
}

}  // namespace hprof::triage
