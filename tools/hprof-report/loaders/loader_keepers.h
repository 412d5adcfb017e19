#pragma once

#include "formats/report/report.h"
#include "tools/hprof-report/wording.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace hprof {

/// By the class of loaders, one of `loader_classes` as joined_label() names it: what keeps big
/// objects of such loaders alive, fields, locals or "thread " and a name, the most frequent first.
std::map<std::string, std::vector<std::string>> loader_keepers(
    const Report& report, const std::set<std::string>& loader_classes, bool raw_names);

/// Says `before` and the keepers, where there are any.
void say_keepers(triage::Wording& wording, const std::string& before,
                 const std::vector<std::string>& keepers);

}  // namespace hprof
