#pragma once

#include "tests/support/hprof_builder.h"

#include <string>
#include <vector>

namespace hprof::test {

/// A rule of the triage, a heap on which it has to speak, and a sibling on which it must not.
struct RuleHeaps {
  std::string rule;
  void (*speaks)(HeapBuilder& heap);
  void (*silent)(HeapBuilder& heap);
};

/// For every rule.
const std::vector<RuleHeaps>& rule_heaps();

}  // namespace hprof::test
