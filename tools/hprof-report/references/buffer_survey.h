#pragma once

#include "formats/report/references.h"
#include "tools/hprof-report/dump/record_fetcher.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace hprof {

/// Adds up the memory outside the heap that direct and mapped buffers own.
class BufferSurvey : public Surveyor {
 public:
  explicit BufferSurvey(const Heap& heap);

  bool wants(std::uint32_t type) override;
  void on_instance(const ObjectRecord& record) override;

  /// Asks java.nio.Bits for its own figures.
  void want_totals(RecordFetcher& fetcher);
  /// Absent where the heap knows no such buffers.
  std::optional<DirectBuffers> result(std::size_t rows);

 private:
  struct Allocation {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
  };

  void add_buffer(const ObjectRecord& record);
  void want_total(RecordFetcher& fetcher, ClassIndex bits, std::string_view name,
                  std::string_view old_name, std::optional<std::uint64_t>& out);
  bool is_freed(const BufferRow& buffer) const;

  const Heap& heap_;
  std::vector<bool> is_buffer_;       ///< by type
  std::vector<bool> is_deallocator_;  ///< by type
  std::vector<Allocation> allocations_;
  std::vector<BufferRow> owners_;
  DirectBuffers result_;
};

}  // namespace hprof
