#include "formats/report/path_line.h"

#include "common/text.h"

namespace hprof {
namespace {

constexpr char kArrow[] = " → ";

/// A root with its kinds; a class object is left to the static field that follows.
std::string root_text(const ReferencePath& path) {
  const auto& steps = path.steps;
  const bool named_next = steps.size() > 1 && steps[1].via == Via::static_field;
  return named_next ? "" : steps[0].reference + ": " + steps[0].label;
}

}  // namespace

std::string reference_text(const PathStep& step) {
  switch (step.via) {
    case Via::field:
      return step.declared_by.value_or("?") + "." + step.reference;
    case Via::static_field:
      return "class " + step.declared_by.value_or("?") + "." + step.reference;
    case Via::local:
      return step.reference + (step.frame ? " " + *step.frame : "");
    default:
      return step.reference;
  }
}

std::string path_line(const ReferencePath& path) {
  if (path.steps.empty()) {
    return "";
  }
  std::string out = root_text(path);
  for (std::size_t i = 1; i < path.steps.size(); ++i) {
    if (path.left_out != 0 && i == path.left_out_after) {
      out += kArrow + ("… " + format_count(path.left_out, "object", "objects") + " left out …");
    }
    out += (out.empty() ? "" : kArrow) + reference_text(path.steps[i]);
  }
  return out + (path.steps.size() > 1 ? kArrow + path.steps.back().label : "");
}

}  // namespace hprof
