#pragma once

namespace hprof {

/// Asks the processor to fetch a place in memory that will be looked at soon; any address will do.
inline void bring_near(const void* place) {
  __builtin_prefetch(place);
  // Compilers take a function that does nothing else for one without effect and drop its calls.
  asm volatile("");
}

}  // namespace hprof
