#include "tools/mat-diff/verdict.h"

namespace hprof {

Summary Comparison::summary() const {
  Summary sum;
  for (const auto& field : fields) {
    switch (field.verdict.tier) {
      case Tier::match:
        sum.match += field.count;
        break;
      case Tier::explainable:
        sum.explainable += field.count;
        break;
      case Tier::fail:
        sum.fail += field.count;
        break;
      case Tier::skipped:
        sum.skipped += field.count;
        break;
    }
  }
  return sum;
}

const char* tier_name(Tier tier) {
  switch (tier) {
    case Tier::match:
      return "MATCH";
    case Tier::explainable:
      return "EXPLAINABLE";
    case Tier::fail:
      return "FAIL";
    case Tier::skipped:
      return "SKIPPED";
  }
  return "";
}

const char* reason_name(Reason reason) {
  switch (reason) {
    case Reason::none:
      return "";
    case Reason::order:
      return "Order";
    case Reason::tie_break:
      return "TieBreak";
    case Reason::rounding:
      return "Rounding";
    case Reason::no_counterpart:
      return "NoCounterpart";
    case Reason::mat_class_object_rooting_gap:
      return "MatClassObjectRootingGap";
  }
  return "";
}

}  // namespace hprof
