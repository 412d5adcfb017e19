// Known ways to leak through the JVM's own references, as their tables and queues show them.
#include "common/concat.h"
#include "common/text.h"
#include "formats/report/units.h"
#include "tools/hprof-report/triage/rules.h"
#include "tools/hprof-report/triage/suspect_facts.h"
#include "tools/hprof-report/wording.h"

#include <algorithm>

namespace hprof::triage {
namespace {

constexpr std::uint64_t kTwentieth = 500;
constexpr std::uint64_t kTenth = 1000;
constexpr std::uint64_t kMiB = 1ULL << 20U;
constexpr std::uint64_t kFewestStale = 10;
constexpr std::uint64_t kFewestWaiting = 100;
constexpr std::uint64_t kFewestSelfHeld = 10;
constexpr std::uint64_t kMuchOffHeap = 64 * kMiB;
constexpr std::uint64_t kMost = 8000;

/// A leak of some bytes: large enough to be worth a word, and how bad it is.
std::optional<Severity> severity_of(const Facts& facts, std::uint64_t bytes) {
  const auto share = share_bp(bytes, facts.report.overview.total_shallow);
  if (share < kTwentieth || bytes < kMiB) {
    return std::nullopt;
  }
  return share >= kTenth ? Severity::critical : Severity::warning;
}

const ThreadLocalValue* largest_stale(const ThreadLocals& locals) {
  const auto found = std::find_if(locals.largest.begin(), locals.largest.end(),
                                  [](const ThreadLocalValue& value) { return value.stale; });
  return found == locals.largest.end() ? nullptr : &*found;
}

const ThreadLocalRow* most_stale(const ThreadLocals& locals) {
  const auto found = std::max_element(locals.threads.begin(), locals.threads.end(),
                                      [](const ThreadLocalRow& a, const ThreadLocalRow& b) {
                                        return a.stale_retained < b.stale_retained;
                                      });
  return found == locals.threads.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Finding> thread_local_leak(const Facts& facts) {
  const auto& references = facts.report.references;
  if (!references || !references->thread_locals ||
      references->thread_locals->stale < kFewestStale) {
    return std::nullopt;
  }
  const auto& locals = *references->thread_locals;
  const bool complete = facts.report.complete;
  const auto severity = severity_of(facts, locals.stale_retained);
  if (!severity) {
    return std::nullopt;
  }
  Wording text;
  text.words(concat(grouped(locals.stale), " of ", grouped(locals.entries),
                    " ThreadLocal values retain, added up, ",
                    size_and_share(facts, locals.stale_retained),
                    complete ? " although their ThreadLocal is gone"
                             : " although their ThreadLocal is gone, if it was not lost"));
  if (const auto* value = largest_stale(locals); value != nullptr && value->value_class) {
    text.words("; the largest is of class ").name(*value->value_class);
  }
  if (const auto* thread = most_stale(locals); thread != nullptr && thread->stale != 0) {
    text.words("; most are in the thread ").name(thread->name);
  }
  return text.words(complete ? "; remove() was not called." : ".")
      .finding("thread-local-leak", complete ? *severity : Severity::warning,
               "Forgotten ThreadLocals", "references");
}

std::optional<Finding> finalizer_backlog(const Facts& facts) {
  const auto& references = facts.report.references;
  if (!references || !references->finalizers || references->finalizers->waiting < kFewestWaiting) {
    return std::nullopt;
  }
  const auto& finalizers = *references->finalizers;
  const auto severity = severity_of(facts, finalizers.waiting_retained);
  if (!severity) {
    return std::nullopt;
  }
  Wording text;
  text.words(concat(grouped(finalizers.waiting),
                    " objects wait in the queue of the finalizer thread and retain ",
                    size_and_share(facts, finalizers.waiting_retained)));
  if (!finalizers.waiting_classes.empty()) {
    const auto& row = finalizers.waiting_classes.front();
    text.words("; most of it by " + grouped(row.objects) + " of class ").name(row.class_name);
  }
  return text.words("; a finalizer is slow or blocked.")
      .finding("finalizer-backlog", *severity, "Finalizers that do not keep up", "references");
}

std::optional<Finding> self_held_keys(const Facts& facts) {
  const auto& references = facts.report.references;
  if (!references || !references->self_held || references->self_held->objects < kFewestSelfHeld) {
    return std::nullopt;
  }
  const auto& held = *references->self_held;
  const auto severity = severity_of(facts, held.references_retained);
  if (!severity) {
    return std::nullopt;
  }
  Wording text;
  text.words(concat(grouped(held.objects), " referents of weak references retain ",
                    size_and_share(facts, held.references_retained),
                    " and can never be cleared, because their own reference holds them"));
  if (!held.largest.empty()) {
    text.words(", for example ").name(held.largest.front().label).words(" through a ");
    text.name(held.largest.front().reference_class);
  }
  return text.words("; the values of a weak map hold their keys.")
      .finding("self-held-keys", *severity, "Weak keys that are held", "references");
}

std::optional<Finding> off_heap(const Facts& facts) {
  const auto& references = facts.report.references;
  if (!references || !references->direct_buffers ||
      references->direct_buffers->capacity < kMuchOffHeap) {
    return std::nullopt;
  }
  const auto& buffers = *references->direct_buffers;
  const auto limit = buffers.jvm_limit.value_or(0);
  const bool near_limit = limit != 0 && share_bp(std::min(buffers.capacity, limit), limit) >= kMost;
  return Wording()
      .words(concat(format_count(buffers.buffers, "direct buffer stands", "direct buffers stand"),
                    " for ", format_bytes(buffers.capacity),
                    " outside the heap, which no figure of the heap includes",
                    near_limit ? "; the JVM's limit is nearly reached." : "."))
      .finding("off-heap", near_limit ? Severity::warning : Severity::info,
               "Memory outside the heap", "references");
}

}  // namespace hprof::triage
