#pragma once

#include "formats/report/report.h"

#include <string>
#include <string_view>

namespace hprof {

// What the report says in every format with the same words.

inline constexpr std::string_view kOnlyWeakPath =
    "No stronger path leads there: a soft, weak, phantom or final reference keeps it until the "
    "collector decides otherwise.";

/// What the column of that name in the table of collections by field tells.
inline constexpr std::string_view kContentsOfFields =
    "Contents are keys, values and elements that nothing but the field's collections keeps alive, "
    "by class, the most frequent first: how many there are, and what share of all reachable "
    "objects of the class that is. What something else keeps alive, too, counts among the elements "
    "only.";

/// Which GC roots were taken.
std::string root_policy_text(const Overview& overview);

/// Where shallow sizes come from.
std::string size_model_text(const Overview& overview);

/// What components are, and which are described.
std::string components_note(const Components& components);

/// How many values are masked, and how many properties lack a key; "" for none.
std::string masked_note(const Overview& overview);
std::string unnamed_note(const Overview& overview);

}  // namespace hprof
