#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hprof {

/// The items of an option's value that lists them with commas: in lower case, without blanks around
/// them, empty ones left out.
std::vector<std::string> comma_list(std::string_view list);

}  // namespace hprof
