#include "tools/hprof-report/references/thread_local_survey.h"

#include "common/bit_vector.h"
#include "common/text.h"
#include "formats/hprof_reader.h"
#include "formats/report/readable_text.h"
#include "tools/hprof-report/references/referent_tally.h"

#include <algorithm>
#include <tuple>

namespace hprof {
namespace {

constexpr std::string_view kMap = "java.lang.ThreadLocal$ThreadLocalMap";
constexpr std::string_view kEntry = "java.lang.ThreadLocal$ThreadLocalMap$Entry";
constexpr std::string_view kTable = "java.lang.ThreadLocal$ThreadLocalMap$Entry[]";
constexpr std::string_view kHolder = "java.lang.Thread$FieldHolder";
constexpr std::string_view kThread = "java.lang.Thread";

}  // namespace

ThreadLocalSurvey::ThreadLocalSurvey(const Heap& heap, DumpSource& dump) : heap_(heap) {
  const auto role = [&](const TypeInfo& type) {
    const auto name = heap.index().class_name(type.class_index);
    if (type.kind == RecordKind::object_array) {
      return name == kTable ? Role::table : Role::none;
    }
    if (type.kind != RecordKind::instance) {
      return Role::none;
    }
    for (const auto& [class_name, class_role] :
         {std::pair(kMap, Role::map), std::pair(kEntry, Role::entry),
          std::pair(kHolder, Role::holder)}) {
      if (name == class_name) {
        return class_role;
      }
    }
    return dump.fields().is_a(type.class_index, kThread) ? Role::thread : Role::none;
  };
  for (const auto& type : heap.index().types) {
    roles_.push_back(role(type));
  }
}

void ThreadLocalSurvey::on_instance(const ObjectRecord& record) {
  switch (roles_[record.type()]) {
    case Role::entry:
      entries_.push_back({.object = record.object(),
                          .key = record.reference("referent"),
                          .value = record.reference("value")});
      break;
    case Role::map:
      note_fields(record, {"table"});
      break;
    case Role::holder:
      note_fields(record, {"terminatingThreadLocals"});
      break;
    default:
      note_thread(record);
  }
}

/// True where any of the fields leads anywhere.
bool ThreadLocalSurvey::note_fields(const ObjectRecord& record,
                                    std::initializer_list<const char*> fields,
                                    std::string_view declared_by) {
  bool any = false;
  for (const auto* const field : fields) {
    if (const auto target = record.reference(field, declared_by); !target.is_none()) {
      owner_.emplace(target.value(), record.object());
      any = true;
    }
  }
  return any;
}

void ThreadLocalSurvey::note_thread(const ObjectRecord& record) {
  if (note_fields(record, {"threadLocals", "inheritableThreadLocals", "holder"}, kThread)) {
    ThreadLocalRow row;
    row.thread = heap_.address(record.object());
    row.name = heap_.class_name(record.class_index());
    threads_.insert_or_assign(record.object(),
                              ThreadSum{.name = record.reference("name", kThread), .row = row});
  }
}

void ThreadLocalSurvey::on_elements(std::span<const std::uint8_t> ids) {
  const unsigned width = heap_.index().summary.identifier_size;
  for (std::size_t at = 0; at + width <= ids.size(); at += width) {
    const std::uint64_t id = width == 8 ? load_big_endian<std::uint64_t>(ids.data() + at)
                                        : load_big_endian<std::uint32_t>(ids.data() + at);
    if (const auto entry = heap_.index().addresses.index_of(id); id != 0 && !entry.is_none()) {
      slots_.emplace_back(entry.value(), open_table_);
    }
  }
}

std::uint32_t ThreadLocalSurvey::thread_of(std::uint32_t table) const {
  constexpr unsigned kMostSteps = 3;  // map, holder, thread
  auto at = owner_.find(table);
  for (unsigned steps = 0; at != owner_.end() && steps < kMostSteps; ++steps) {
    if (threads_.contains(at->second)) {
      return at->second;
    }
    at = owner_.find(at->second);
  }
  return kNoThread;
}

void ThreadLocalSurvey::find_threads() {
  std::sort(slots_.begin(), slots_.end());
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.object < b.object; });
  auto slot = slots_.begin();
  for (auto& entry : entries_) {
    slot = std::lower_bound(slot, slots_.end(), std::pair(entry.object, std::uint32_t{0}));
    if (slot != slots_.end() && slot->first == entry.object) {
      entry.thread = thread_of(slot->second);
    }
  }
  slots_ = {};
}

/// An entry whose thread is held by another thread's value is retained by that one's entry.
void ThreadLocalSurvey::find_nested() {
  BitVector members(heap_.objects());
  for (const auto& entry : entries_) {
    members.set(entry.object);
  }
  NestedObjects nested(
      heap_, [&](std::uint32_t object) { return members.test(object); },
      [&](auto&& take) {
        for (const auto& entry : entries_) {
          take(entry.object);
        }
      });
  for (auto& entry : entries_) {
    entry.nested = nested.contains(entry.object);
  }
}

void ThreadLocalSurvey::add(const Entry& entry, std::uint64_t retained) {
  const std::uint64_t bytes = entry.nested ? 0 : retained;
  const auto add_to = [&](auto& sum) {
    ++sum.entries;
    sum.retained += bytes;
    if (entry.key.is_none()) {
      ++sum.stale;
      sum.stale_retained += bytes;
    }
  };
  add_to(result_);
  add_to(threads_[entry.thread].row);
}

void ThreadLocalSurvey::add_up(std::size_t rows) {
  for (const auto& entry : entries_) {
    add(entry, heap_.retained()[entry.object]);
  }
  std::vector<ThreadSum> threads;
  for (const auto& [thread, sum] : threads_) {
    if (sum.row.entries != 0) {
      threads.push_back(sum);
    }
  }
  std::sort(threads.begin(), threads.end(), [](const ThreadSum& a, const ThreadSum& b) {
    return std::tuple(b.row.retained, a.row.thread) < std::tuple(a.row.retained, b.row.thread);
  });
  result_.thread_count = threads.size();
  threads.resize(std::min(threads.size(), rows));
  for (const auto& sum : threads) {
    result_.threads.push_back(sum.row);
    names_.push_back(sum.name);
  }
}

void ThreadLocalSurvey::name_threads(ObjectTeller& teller) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    teller.tell_text(names_[i], [&row = result_.threads[i]](const std::string& name) {
      row.name = readable_text(name);
    });
  }
}

void ThreadLocalSurvey::name_largest(ObjectTeller& teller, std::size_t rows) {
  const auto& retained = heap_.retained();
  const auto shown = static_cast<std::ptrdiff_t>(std::min(entries_.size(), rows));
  std::partial_sort(entries_.begin(), entries_.begin() + shown, entries_.end(),
                    [&](const Entry& a, const Entry& b) {
                      return std::tuple(retained[b.object], a.object) <
                             std::tuple(retained[a.object], b.object);
                    });
  entries_.resize(static_cast<std::size_t>(shown));
  result_.largest.resize(entries_.size());
  const auto class_into = [this](std::optional<std::string>& out) {
    return [this, &out](const HeapObject& object) {
      const auto stands_for = heap_.represented(object);
      out = stands_for.is_none() ? heap_.class_name(heap_.class_of(object))
                                 : "class " + heap_.class_name(stands_for);
    };
  };
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& entry = entries_[i];
    auto& row = result_.largest[i];
    row.entry = heap_.address(entry.object);
    row.thread = entry.thread == kNoThread ? Address{} : heap_.address(entry.thread);
    row.stale = entry.key.is_none();
    row.retained = retained[entry.object];
    if (!entry.value.is_none()) {
      row.value = heap_.address(entry.value.value());
    }
    teller.tell(entry.key, class_into(row.key_class));
    teller.tell(entry.value, class_into(row.value_class));
  }
}

void ThreadLocalSurvey::sum_up(ObjectTeller& teller, std::size_t rows) {
  if (entries_.empty()) {
    return;
  }
  find_threads();
  find_nested();
  add_up(rows);
  name_threads(teller);
  name_largest(teller, rows);
  entries_ = {};
}

std::optional<ThreadLocals> ThreadLocalSurvey::result() const {
  return result_.entries == 0 ? std::nullopt : std::optional(result_);
}

}  // namespace hprof
