#pragma once

#include "formats/report/report.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hprof::triage {

/// What rules look at: the report, every other section of which is filled, and the figures of the
/// triage itself.
struct Facts {
  const Report& report;
  const Triage& figures;
};

/// A rule says one sentence or nothing. One that is more than a fact must keep silent on a healthy
/// heap.
using Rule = std::optional<Finding> (*)(const Facts& facts);

/// All of them, in the order in which a report shows findings of the same severity.
const std::vector<Rule>& rules();

// How the memory lies (shape_rules.cc).
std::optional<Finding> damaged(const Facts& facts);
std::optional<Finding> shape(const Facts& facts);
std::optional<Finding> one_or_many(const Facts& facts);
std::optional<Finding> big_array(const Facts& facts);
std::optional<Finding> garbage(const Facts& facts);

// Who holds it (holder_rules.cc).
std::optional<Finding> static_anchor(const Facts& facts);
std::optional<Finding> big_collection(const Facts& facts);
std::optional<Finding> root_kind(const Facts& facts);

// What threads have to do with it (thread_rules.cc).
std::optional<Finding> out_of_memory(const Facts& facts);
std::optional<Finding> big_thread(const Facts& facts);

// What need not be there (waste_rules.cc).
std::optional<Finding> over_capacity(const Facts& facts);
std::optional<Finding> boxed_numbers(const Facts& facts);

// Known ways to leak (leak_rules.cc).
std::optional<Finding> loader_leak(const Facts& facts);
std::optional<Finding> listener_leak(const Facts& facts);
std::optional<Finding> hoard(const Facts& facts);

// The same by what the JVM's own tables and queues hold (reference_rules.cc).
std::optional<Finding> thread_local_leak(const Facts& facts);
std::optional<Finding> finalizer_backlog(const Facts& facts);
std::optional<Finding> self_held_keys(const Facts& facts);
std::optional<Finding> off_heap(const Facts& facts);

}  // namespace hprof::triage
