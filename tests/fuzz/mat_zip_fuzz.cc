// Any bytes as a zip archive: every listed page is read, or the archive is refused with a sentence.
#include "common/error.h"
#include "formats/mat/page_source.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hprof::PageLimits limits;
  limits.page_bytes = 1U << 20U;
  try {
    const auto pages = hprof::zip_pages_in_memory({data, size}, "fuzz.zip", limits);
    for (const std::string name : {"index.html", "a.html", "pages/b.html"}) {
      if (pages->has(name) && pages->read(name).size() > limits.page_bytes) {
        __builtin_trap();
      }
    }
  } catch (const hprof::Error& error) {
    if (error.code() != hprof::ExitCode::bad_data || std::string(error.what()).empty()) {
      __builtin_trap();
    }
  }
  return 0;
}
