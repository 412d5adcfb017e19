#include "tools/hprof-report/threads/thread_reader.h"

#include <array>
#include <utility>

namespace hprof {
namespace {

constexpr std::string_view kThread = "java.lang.Thread";
constexpr std::string_view kVirtualThread = "java.lang.VirtualThread";

constexpr std::uint64_t kAlive = 0x1;
constexpr std::uint64_t kTerminated = 0x2;
constexpr std::uint64_t kRunnable = 0x4;
constexpr std::uint64_t kWaitingIndefinitely = 0x10;
constexpr std::uint64_t kWaitingWithTimeout = 0x20;
constexpr std::uint64_t kBlocked = 0x400;

struct BitWord {
  std::uint64_t bit;
  const char* word;
};
constexpr std::array kDetails{
    BitWord{0x40, "sleeping"},         BitWord{0x100, "in Object.wait"},
    BitWord{0x200, "parked"},          BitWord{kBlocked, "entering a monitor"},
    BitWord{0x10'0000, "suspended"},   BitWord{0x20'0000, "interrupted"},
    BitWord{0x40'0000, "native code"},
};

/// States of java.lang.VirtualThread by the names of its constants, of which each JDK has some.
struct VirtualState {
  std::string_view constant;
  const char* state;
};
constexpr std::array kVirtualStates{
    VirtualState{"NEW", "NEW"},
    VirtualState{"STARTED", "RUNNABLE"},
    VirtualState{"RUNNABLE", "RUNNABLE"},
    VirtualState{"RUNNING", "RUNNABLE"},
    VirtualState{"PARKING", "RUNNABLE"},
    VirtualState{"PARKED", "WAITING"},
    VirtualState{"PINNED", "WAITING"},
    VirtualState{"TIMED_PARKING", "RUNNABLE"},
    VirtualState{"TIMED_PARKED", "TIMED_WAITING"},
    VirtualState{"TIMED_PINNED", "TIMED_WAITING"},
    VirtualState{"UNPARKED", "RUNNABLE"},
    VirtualState{"YIELDING", "RUNNABLE"},
    VirtualState{"YIELDED", "RUNNABLE"},
    VirtualState{"BLOCKING", "RUNNABLE"},
    VirtualState{"BLOCKED", "BLOCKED"},
    VirtualState{"UNBLOCKED", "RUNNABLE"},
    VirtualState{"WAITING", "RUNNABLE"},
    VirtualState{"WAIT", "WAITING"},
    VirtualState{"TIMED_WAITING", "RUNNABLE"},
    VirtualState{"TIMED_WAIT", "TIMED_WAITING"},
    VirtualState{"TERMINATED", "TERMINATED"},
};
/// Set on top of a state while a debugger keeps the thread from being scheduled.
constexpr std::int64_t kSuspended = 0x100;

const char* state_of(std::string_view constant) {
  for (const auto& known : kVirtualStates) {
    if (known.constant == constant) {
      return known.state;
    }
  }
  return nullptr;
}

std::string lower_case(std::string word) {
  for (char& c : word) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '_' ? ' ' : c;
  }
  return word;
}

std::optional<std::uint64_t> whole(std::optional<std::int64_t> value) {
  return value && *value >= 0 ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

/// Fields that JDK 19 moved from Thread to Thread$FieldHolder.
void take_moved_fields(ThreadRow& row, const ObjectRecord& from) {
  const auto daemon = from.has_field("daemon") ? from.number("daemon") : from.number("isDaemon");
  if (daemon) {
    row.daemon = *daemon != 0;
  }
  if (const auto priority = whole(from.number("priority"))) {
    row.priority = *priority;
  }
  if (const auto bits = whole(from.number("threadStatus"))) {
    row.state_value = *bits;
    row.state = platform_state(*bits);
    if (const auto detail = state_detail(*bits); !detail.empty()) {
      row.state_detail = detail;
    }
  }
}

}  // namespace

std::string platform_state(std::uint64_t bits) {
  if ((bits & kRunnable) != 0) {
    return "RUNNABLE";
  }
  if ((bits & kBlocked) != 0) {
    return "BLOCKED";
  }
  if ((bits & kWaitingIndefinitely) != 0) {
    return "WAITING";
  }
  if ((bits & kWaitingWithTimeout) != 0) {
    return "TIMED_WAITING";
  }
  if ((bits & kTerminated) != 0) {
    return "TERMINATED";
  }
  return (bits & kAlive) != 0 ? "RUNNABLE" : "NEW";
}

std::string state_detail(std::uint64_t bits) {
  std::string words;
  for (const auto& detail : kDetails) {
    if ((bits & detail.bit) != 0) {
      words += (words.empty() ? "" : ", ") + std::string(detail.word);
    }
  }
  return words;
}

ThreadReader::ThreadReader(const Heap& heap) : heap_(heap), unmounted_(heap) {
  const auto& index = heap.index();
  const auto virtual_thread = find_class(index, kVirtualThread);
  if (virtual_thread.is_none()) {
    return;
  }
  for (const auto& constant : index.classes[virtual_thread.value()].statics) {
    if (constant.type == kTypeInt && state_of(index.names[constant.name]) != nullptr) {
      virtual_states_.emplace(static_cast<std::int32_t>(constant.value),
                              index.names[constant.name]);
    }
  }
}

void ThreadReader::want(RecordFetcher& fetcher, Threads& out) {
  for (auto& row : out.threads) {
    want_thread(fetcher, out, row);
  }
}

void ThreadReader::want_thread(RecordFetcher& fetcher, Threads& out, ThreadRow& row) {
  fetcher.want(heap_.index().addresses.index_of(row.address.value),
               [this, &fetcher, &out, &row](const ObjectRecord& thread) {
                 take_thread(fetcher, out, row, thread);
               });
}

void ThreadReader::take_thread(RecordFetcher& fetcher, Threads& out, ThreadRow& row,
                               const ObjectRecord& thread) {
  want_name(fetcher, row, thread.reference("name", kThread));
  const auto loader = thread.reference("contextClassLoader", kThread);
  if (!loader.is_none()) {
    row.context_class_loader = heap_.loader_label(loader);
  }
  if (row.kind == ThreadKind::virtual_thread) {
    take_virtual(fetcher, out, row, thread);
  } else {
    take_moved_fields(row, thread);
  }
  fetcher.want(thread.reference("holder", kThread),
               [&row](const ObjectRecord& holder) { take_moved_fields(row, holder); });
}

/// Virtual threads are daemons of normal priority by definition.
void ThreadReader::take_virtual(RecordFetcher& fetcher, Threads& out, ThreadRow& row,
                                const ObjectRecord& thread) {
  row.daemon = true;
  row.priority = 5;
  const auto carrier = thread.reference("carrierThread", kVirtualThread);
  if (!carrier.is_none()) {
    row.carrier = heap_.address(carrier.value());
    ++out.mounted;
  }
  const auto state = thread.number("state", kVirtualThread);
  if (!state) {
    return;
  }
  row.state_value = whole(state);
  const auto constant = virtual_states_.find(*state & ~kSuspended);
  if (constant != virtual_states_.end()) {
    row.state = state_of(constant->second);
    row.state_detail =
        lower_case(constant->second) + ((*state & kSuspended) != 0 ? ", suspended" : "");
  }
  if (carrier.is_none() && row.state && row.state != "NEW" && row.state != "TERMINATED") {
    unmounted_.add(fetcher, thread);
  }
}

/// A String, or a char[] up to JDK 8; whichever it is, the other want comes to nothing.
void ThreadReader::want_name(RecordFetcher& fetcher, ThreadRow& row, ObjectIndex name) {
  fetcher.want_text(name, [&row](const JavaText& text) { row.name = text.utf8; });
  fetcher.want(name, [&row](const ObjectRecord& record) {
    if (record.kind() == RecordKind::char_array) {
      row.name = decode_text(record.bytes(), RecordKind::char_array, record.elements(), {}).utf8;
    }
  });
}

}  // namespace hprof
