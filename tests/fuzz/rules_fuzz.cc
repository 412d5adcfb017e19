// Any text as a file of collection rules: it is read, or refused with a sentence.
#include "common/error.h"
#include "tools/hprof-report/collections/collection_rules.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    hprof::parse_collection_rules({reinterpret_cast<const char*>(data), size}, "fuzz.json");
  } catch (const hprof::Error& error) {
    if (error.code() == hprof::ExitCode::bug || *error.what() == '\0') {
      __builtin_trap();
    }
  }
  return 0;
}
