#pragma once

#include "formats/report/arrays.h"
#include "tools/hprof-report/array_fill.h"
#include "tools/hprof-report/collections/collection_log.h"
#include "tools/hprof-report/collections/collection_plan.h"
#include "tools/hprof-report/dump/survey.h"
#include "tools/hprof-report/heap.h"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace hprof {

/// The arrays with most bytes shown to it; ties by address.
class BiggestArrays {
 public:
  explicit BiggestArrays(std::size_t most) : most_(most) {}
  void add(const HeapObject& array);
  /// By descending bytes.
  std::vector<HeapObject> sorted() const;

 private:
  std::size_t most_;
  std::vector<HeapObject> heap_;  ///< the smallest kept one in front
};

/// Fills what the report says of arrays: lengths while the objects pass by, contents while the
/// dump does.
class ArrayFiller : public Surveyor {
 public:
  ArrayFiller(const Heap& heap, std::size_t rows);

  /// To be shown every object.
  void add(const HeapObject& object) {
    if (is_array_[object.type] && object.reachable()) {
      add_array(object);
    }
  }
  /// Also keeps the number of used slots of every object array there, and the length of the
  /// primitive arrays for which `is_storage(object)` says so.
  void log_to(ArrayLog& log, std::function<bool(std::uint32_t)> is_storage) {
    log_ = &log;
    is_storage_ = std::move(is_storage);
  }

  bool wants(std::uint32_t type) override;
  bool wants_contents(std::uint32_t type) override;
  void on_array(const ObjectRecord& record) override;
  void on_elements(std::span<const std::uint8_t> elements) override;
  void on_array_end() override;

  /// `surveyed`: the dump has passed by.
  Arrays result(bool surveyed) const;

 private:
  struct Constant {
    std::uint64_t arrays = 0;
    std::uint64_t shallow = 0;
    std::uint64_t zero_arrays = 0;
    std::uint64_t zero_shallow = 0;
  };

  void add_array(const HeapObject& object);
  void count_used(std::span<const std::uint8_t> ids);
  void compare(std::span<const std::uint8_t> elements);
  void end_object_array(std::uint64_t shallow);
  void end_primitive_array(std::uint64_t shallow);
  ArrayRow row(const HeapObject& array) const;
  std::vector<ArrayClassRow> zero_length_classes() const;
  std::vector<ConstantArrays> constants() const;

  const Heap& heap_;
  std::size_t rows_;
  std::vector<bool> is_array_;  ///< by type
  std::array<ArrayLengthRow, 65> lengths_;
  std::vector<std::uint64_t> zero_length_;  ///< arrays by type
  BiggestArrays biggest_;

  ArrayLog* log_ = nullptr;
  std::function<bool(std::uint32_t)> is_storage_;
  ArrayFill fill_;
  std::map<std::uint32_t, Constant> constant_;  ///< by type
  BiggestArrays biggest_constant_;
  ArrayLog::Row open_;         ///< the array that passes by
  bool is_primitive_ = false;  ///< it
  bool is_constant_ = false;   ///< as far as it has passed
  unsigned width_ = 0;         ///< bytes of its elements
  bool has_first_ = false;     ///< first_ is its first element
  std::array<std::uint8_t, 8> first_{};
};

}  // namespace hprof
