#pragma once

#include <string_view>

namespace hprof {

/// What the figures of a dump that was read in part are worth, as a clause. What a GC root reaches
/// in the part it reaches in the whole; `own_roots` says whether the part names system classes, as
/// other roots are a guess.
constexpr std::string_view worth_of_damaged(bool own_roots) {
  return own_roots ? "counts and bytes of reachable objects are lower bounds; retained sizes, "
                     "shares and garbage may be higher or lower"
                   : "what was read names no system class, so any figure may be higher or lower";
}

}  // namespace hprof
