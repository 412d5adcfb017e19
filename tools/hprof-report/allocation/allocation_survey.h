#pragma once

#include "formats/report/allocation_sites.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/report_options.h"

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Sums up objects by the stack trace that the JVM recorded when it allocated them.
class AllocationSurvey : public Surveyor {
 public:
  AllocationSurvey(const Heap& heap, std::function<bool(std::uint32_t)> is_reachable);

  /// Whether the dump has any stack trace with frames that is not a thread's own: without one there
  /// is nothing to survey.
  bool has_traces() const { return has_traces_; }

  bool wants(std::uint32_t type) override;
  bool wants_garbage() override { return true; }
  void on_instance(const ObjectRecord& record) override { add(record); }
  void on_array(const ObjectRecord& record) override { add(record); }

  AllocationSites result(std::size_t most_sites) const;

 private:
  struct Sum {
    std::uint64_t objects = 0;
    std::uint64_t shallow = 0;
    std::uint64_t live_objects = 0;
    std::uint64_t live_shallow = 0;

    void add(const Sum& other);
  };
  using KeyedSum = std::pair<std::uint64_t, Sum>;

  void find_traces();
  void add(const ObjectRecord& record);
  std::vector<KeyedSum> sites() const;
  AllocationSite site(std::uint32_t serial, const Sum& sum) const;
  std::vector<std::string> frames(std::uint32_t serial) const;

  const Heap& heap_;
  std::function<bool(std::uint32_t)> is_reachable_;
  std::unordered_map<std::uint32_t, std::uint32_t> traces_;  ///< with frames, by serial
  std::unordered_map<std::uint64_t, std::uint32_t> frames_;  ///< by id
  bool has_traces_ = false;
  /// By trace serial · 2^32 + class.
  std::unordered_map<std::uint64_t, Sum> sums_;
};

}  // namespace hprof
