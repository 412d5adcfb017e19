// What threads hold, and which of them ran out of memory.
#include "common/concat.h"
#include "common/text.h"
#include "formats/report/units.h"
#include "tools/hprof-report/triage/rules.h"
#include "tools/hprof-report/triage/suspect_facts.h"
#include "tools/hprof-report/wording.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace hprof::triage {
namespace {

constexpr std::uint64_t kFifth = 2000;

constexpr std::uint64_t kHalf = 5000;

std::string name_of(const ThreadRow& thread) {
  return thread.name.value_or(thread.class_name);
}

/// Threads that are told of together, the one that retains most first.
using Kin = std::vector<const ThreadRow*>;

std::uint64_t retained_by(const Kin& threads) {
  std::uint64_t sum = 0;
  for (const auto* thread : threads) {
    sum += thread->retained;
  }
  return sum;
}

/// Class and name with a # for each number: threads of one pool have the same.
std::string kin_of(const ThreadRow& thread) {
  std::string out = thread.class_name + " ";
  for (const char c : name_of(thread)) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit || out.back() != '#') {
      out += digit ? '#' : c;
    }
  }
  return out;
}

/// The threads alike, each of which retains at least half of what the first of them does, that
/// retain most together. A thread without a stack may hang on another one, so that both retain the
/// same; each of those stands alone.
Kin biggest_kin(const std::vector<ThreadRow>& rows) {
  std::map<std::string, Kin> kin;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[i];
    auto& threads = kin[row.depth == 0 ? std::to_string(i) : kin_of(row)];
    if (threads.empty() || share_bp(row.retained, threads.front()->retained) >= kHalf) {
      threads.push_back(&row);
    }
  }
  return std::max_element(kin.begin(), kin.end(),
                          [](const auto& a, const auto& b) {
                            return retained_by(a.second) < retained_by(b.second);
                          })
      ->second;
}

/// What the ThreadLocals of these threads hold.
ThreadLocalRow thread_locals_of(const Report& report, const Kin& threads) {
  ThreadLocalRow sum;
  if (!report.references || !report.references->thread_locals) {
    return sum;
  }
  for (const auto& row : report.references->thread_locals->threads) {
    if (std::any_of(threads.begin(), threads.end(),
                    [&](const ThreadRow* thread) { return thread->address == row.thread; })) {
      sum.entries += row.entries;
      sum.retained += row.retained;
    }
  }
  return sum;
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

void say_largest_local(const Kin& threads, Wording& text) {
  const ThreadRow& first = *threads.front();
  const auto* local = largest_own_local(first);
  if (local == nullptr) {
    return;
  }
  const bool is_one = threads.size() == 1;
  if (first.largest_local_elsewhere.value_or(false)) {
    text.words(is_one ? "; the largest local that it alone holds, "
                      : "; the largest local that the first alone holds, ");
  } else {
    text.words(is_one ? "; its largest local, " : "; the largest local of the first, ");
  }
  text.name(local->label).words(", retains " + format_bytes(local->retained));
}

void say_what_threads_hold(const Facts& facts, const Kin& threads, Wording& text) {
  const auto locals = thread_locals_of(facts.report, threads);
  if (share_bp(locals.retained, retained_by(threads)) < kHalf) {
    return say_largest_local(threads, text);
  }
  text.words(concat("; ", format_count(locals.entries, "ThreadLocal entry", "ThreadLocal entries"),
                    threads.size() == 1 ? " of it" : " of theirs",
                    locals.entries == 1 ? " retains " : " retain, added up, ",
                    size_and_share(facts, locals.retained)));
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
  const auto threads = biggest_kin(facts.report.threads->threads);
  const auto retained = retained_by(threads);
  if (share_bp(retained, facts.report.overview.total_shallow) < kFifth) {
    return std::nullopt;
  }
  Wording text;
  if (threads.size() == 1) {
    text.words("The thread ").name(name_of(*threads.front())).words(" retains ");
  } else {
    text.words(grouped(threads.size()) + " threads like ")
        .name(name_of(*threads.front()))
        .words(" retain about as much each, together ");
  }
  text.words(size_and_share(facts, retained));
  say_what_threads_hold(facts, threads, text);
  return text.words(".").finding(
      "big-thread", Severity::info,
      threads.size() == 1 ? "Thread that holds much" : "Threads that hold much", "threads");
}

}  // namespace hprof::triage
