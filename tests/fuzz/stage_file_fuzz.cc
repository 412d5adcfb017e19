// One damaged stage file between whole ones: every stage that reads it ends with a result or a
// sentence.
#include "tests/fuzz/fuzzed_heap.h"
#include "tests/fuzz/stages.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace {

using hprof::test::Decisions;

constexpr std::array<const char*, 3> kKinds{"index", "graph", "domtree"};
constexpr std::array<std::uint8_t, 96> kHeap{
    0, 50, 0, 1, 3, 0, 0, 1, 1, 0, 2, 0, 1, 0, 0, 1, 2, 0, 3, 0, 20, 3, 1, 0,
    9, 9,  2, 5, 2, 3, 4, 5, 6, 5, 0, 2, 3, 5, 1, 3, 2, 5, 0, 4, 4,  1, 4, 5,
    1, 2,  1, 5, 1, 3, 2, 1, 0, 2, 0, 0, 1, 1, 4, 0, 1, 2, 3, 2, 7,  1, 2, 3,
    4, 5,  6, 7, 5, 0, 8, 9, 5, 1, 7, 8, 3, 0, 5, 1, 2, 5, 0, 0, 1,  5, 1, 1};

struct Whole {
  Whole() {
    Decisions decisions(kHeap);
    stages.write("hprof", hprof::test::fuzzed_heap(decisions));
    if (!stages.index() || !stages.graph() || !stages.domtree()) {
      __builtin_trap();
    }
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      files[i] = stages.read(kKinds[i]);
    }
  }

  hprof::test::FuzzedStages stages;
  std::array<std::vector<std::uint8_t>, 3> files;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Whole whole;
  Decisions decisions({data, size});
  const std::size_t kind = decisions.byte() % kKinds.size();
  auto bytes = whole.files[kind];
  hprof::test::damage(bytes, decisions);
  whole.stages.write(kKinds[kind], bytes);
  whole.stages.report();
  if (kind == 0) {
    whole.stages.graph();
  }
  if (kind <= 1) {
    whole.stages.domtree();
  }
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    whole.stages.write(kKinds[i], whole.files[i]);
  }
  return 0;
}
