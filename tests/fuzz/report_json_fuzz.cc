// Any text as a JSON report: it is printed in every format, or refused with a sentence.
#include "tests/fuzz/stages.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hprof::test::FuzzedStages stages;
  stages.write("json", {data, size});
  if (stages.render("md")) {
    stages.must(stages.render("md-graphs"));
    stages.must(stages.render("html"));
  }
  return 0;
}
