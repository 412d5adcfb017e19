// A heap by decisions, damaged by more of them, through all stages to a report in every format.
// What the first stage takes, every later one takes.
#include "tests/fuzz/fuzzed_heap.h"
#include "tests/fuzz/stages.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const hprof::test::FuzzedStages stages;
  hprof::test::Decisions decisions({data, size});
  auto dump = hprof::test::fuzzed_heap(decisions);
  hprof::test::damage(dump, decisions);
  stages.write("hprof", dump);
  if (!stages.index()) {
    return 0;
  }
  stages.must(stages.graph());
  stages.must(stages.domtree());
  stages.must(stages.report());
  for (const char* format : {"md", "md-graphs", "html"}) {
    stages.must(stages.render(format));
  }
  return 0;
}
