#include "formats/report/report_words.h"

#include "common/text.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {

std::string root_policy_text(const Overview& overview) {
  if (overview.roots_left_out) {
    return "without " + format_count(*overview.roots_left_out, "root", "roots") +
           " of interned strings and inside the VM";
  }
  return overview.root_policy == "fallback"
             ? "the dump's, and the classes of the boot loader, since it names none"
             : "the dump's own";
}

std::string size_model_text(const Overview& overview) {
  return overview.size_model == "dumped"    ? "as the dump states them"
         : overview.size_model == "hotspot" ? "the JVM's own"
                                            : overview.size_model + " rules";
}

std::string components_note(const Components& components) {
  return "Every object counts once, with the class loader that the top-level object above it "
         "belongs to. Those of " +
         format_share(components.threshold_bp) + " of the used heap (" +
         format_bytes(components.threshold) + ") and more are described one by one.";
}

std::string masked_note(const Overview& overview) {
  const auto& all = *overview.system_properties;
  const auto masked = static_cast<std::uint64_t>(
      std::count_if(all.begin(), all.end(), [](const SystemProperty& row) { return row.masked; }));
  return masked == 0 ? ""
                     : format_count(masked, "value holds", "values hold") +
                           " what looks like a secret and is masked; --show-secrets shows it.";
}

std::string unnamed_note(const Overview& overview) {
  const auto unnamed = overview.unnamed_properties.value_or(0);
  return unnamed == 0 ? ""
                      : format_count(unnamed, "property is", "properties are") +
                            " left out, since the dump lacks the text of the key.";
}

}  // namespace hprof
