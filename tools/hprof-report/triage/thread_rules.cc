// What threads hold, and which of them ran out of memory.
#include "common/concat.h"
#include "common/text.h"
#include "formats/report/units.h"
#include "tools/hprof-report/triage/rules.h"
#include "tools/hprof-report/triage/suspect_facts.h"
#include "tools/hprof-report/wording.h"

#include <algorithm>

namespace hprof::triage {
namespace {

constexpr std::uint64_t kFifth = 2000;

std::string name_of(const ThreadRow& thread) {
  return thread.name.value_or(thread.class_name);
}

/// The largest of those whose bytes are among the thread's.
const ObjectRef* largest_own_local(const ThreadRow& thread) {
  if (thread.largest_local && !thread.largest_local_elsewhere.value_or(false)) {
    return &*thread.largest_local;
  }
  if (thread.largest_locals) {
    for (const auto& local : *thread.largest_locals) {
      if (!local.held_elsewhere) {
        return &local.object;
      }
    }
  }
  return nullptr;
}

}  // namespace

std::optional<Finding> out_of_memory(const Facts& facts) {
  if (!facts.report.threads) {
    return std::nullopt;
  }
  const auto& threads = facts.report.threads->threads;
  const auto found = std::find_if(threads.begin(), threads.end(), [](const ThreadRow& thread) {
    return thread.out_of_memory == OutOfMemorySign::thrown;
  });
  if (found == threads.end()) {
    return std::nullopt;
  }
  return Wording()
      .words("The thread ")
      .name(name_of(*found))
      .words(concat(" was throwing OutOfMemoryError when the heap was dumped; it retains ",
                    size_and_share(facts, found->retained),
                    " itself and need not be the one that filled the heap."))
      .finding("out-of-memory", Severity::warning, "Out of memory", "threads");
}

std::optional<Finding> big_thread(const Facts& facts) {
  if (!facts.report.threads || facts.report.threads->threads.empty()) {
    return std::nullopt;
  }
  const auto& thread = facts.report.threads->threads.front();
  if (thread.retained_bp < kFifth) {
    return std::nullopt;
  }
  Wording text;
  text.words("The thread ")
      .name(name_of(thread))
      .words(" retains ")
      .words(size_and_share(facts, thread.retained));
  if (const auto* local = largest_own_local(thread)) {
    text.words(thread.largest_local_elsewhere.value_or(false)
                   ? "; the largest local that it alone holds, "
                   : "; its largest local, ")
        .name(local->label)
        .words(", retains " + format_bytes(local->retained));
  }
  return text.words(".").finding("big-thread", Severity::info, "Thread that holds much", "threads");
}

}  // namespace hprof::triage
