#pragma once

#include "formats/report/references.h"
#include "tools/hprof-report/dump/object_teller.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hprof {

/// Collects the entries of the ThreadLocal tables and tells whose they are: thread (→ its holder) →
/// map → table → entry, each by its field. Needs both columns.
class ThreadLocalSurvey : public Surveyor {
 public:
  ThreadLocalSurvey(const Heap& heap, DumpSource& dump);

  bool wants(std::uint32_t type) override { return roles_[type] != Role::none; }
  void on_instance(const ObjectRecord& record) override;
  void on_array(const ObjectRecord& record) override { open_table_ = record.object(); }
  void on_elements(std::span<const std::uint8_t> ids) override;

  /// After the survey: adds up, and asks for the names of the `rows` largest ones.
  void sum_up(ObjectTeller& teller, std::size_t rows);
  /// Absent where there are no entries.
  std::optional<ThreadLocals> result() const;

 private:
  enum class Role : std::uint8_t { none, thread, holder, map, table, entry };
  struct Entry {
    std::uint32_t object = 0;
    ObjectIndex key;
    ObjectIndex value;
    std::uint32_t thread = kNoThread;
    bool nested = false;  ///< another entry retains it
  };
  struct ThreadSum {
    ObjectIndex name;
    ThreadLocalRow row;
  };
  static constexpr std::uint32_t kNoThread = 0xffffffffU;

  bool note_fields(const ObjectRecord& record, std::initializer_list<const char*> fields,
                   std::string_view declared_by = {});
  void note_thread(const ObjectRecord& record);
  std::uint32_t thread_of(std::uint32_t table) const;
  void find_threads();
  void find_nested();
  void add_up(std::size_t rows);
  void add(const Entry& entry, std::uint64_t retained);
  void name_threads(ObjectTeller& teller);
  void name_largest(ObjectTeller& teller, std::size_t rows);

  const Heap& heap_;
  std::vector<Role> roles_;  ///< by type
  std::vector<Entry> entries_;
  /// From tables, maps and holders to the object whose field leads to them, as far as to threads.
  std::unordered_map<std::uint32_t, std::uint32_t> owner_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> slots_;  ///< entries and their tables
  std::unordered_map<std::uint32_t, ThreadSum> threads_;
  std::uint32_t open_table_ = 0;
  std::vector<ObjectIndex> names_;  ///< of the threads that are shown
  ThreadLocals result_;
};

}  // namespace hprof
