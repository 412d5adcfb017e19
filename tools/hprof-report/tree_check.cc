// What an object retains is more than what any object below it does, and nothing for unreachable
// ones. So links between objects of which the upper one retains more can neither form a cycle nor
// lead to an unreachable object. Whoever compares the two anyway has done nearly all of the check:
// only objects of no size can retain as much as one below them, and what is left are the ways from
// such to such.
#include "tools/hprof-report/tree_check.h"

#include "common/text.h"

namespace hprof {

void TreeCheck::doubt(std::uint32_t object, std::uint64_t retained, std::uint64_t above_retained) {
  const auto& dominators = heap_.dominators();
  if (above_retained < retained || dominators[dominators[object]] == kUnreachable) {
    refuse();
  }
  level_.set(object);
}

void TreeCheck::finish() {
  level_.for_each_set([this](std::uint64_t object) { settle(static_cast<std::uint32_t>(object)); });
}

/// A way that is longer than there are objects goes round.
void TreeCheck::settle(std::uint32_t object) {
  const auto& dominators = heap_.dominators();
  auto top = object;
  for (std::uint64_t steps = 0; top != kVirtualRoot && level_.test(top); ++steps) {
    if (steps > dominators.size()) {
      refuse();
    }
    top = dominators[top];
  }
  for (; object != top; object = dominators[object]) {
    level_.clear(object);
  }
}

void TreeCheck::all(const Heap& heap) {
  TreeCheck check(heap);
  const auto& dominators = heap.dominators();
  for (std::uint32_t object = 0; object < dominators.size(); ++object) {
    if (dominators[object] < kVirtualRoot) {
      check.note(object, heap.retained()[object], heap.retained()[dominators[object]]);
    }
  }
  check.finish();
}

void TreeCheck::refuse() const {
  fail(ExitCode::bad_data, printable(heap_.domtree().path()),
       ": the dominators are no tree; run hprof-domtree with --force again");
}

}  // namespace hprof
