#pragma once

#include "tools/hprof-report/heap.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Objects counted together.
struct GroupSum {
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t retained = 0;

  void add(const HeapObject& object) {
    ++instances;
    shallow += object.shallow;
    retained += object.retained;
  }
  void remove(const HeapObject& object) {
    --instances;
    shallow -= object.shallow;
    retained -= object.retained;
  }
};

/// The largest objects shown to it: by descending retained size, then by address.
class LargestObjects {
 public:
  explicit LargestObjects(std::size_t most) : most_(most) {}
  void add(const HeapObject& object);
  std::vector<HeapObject> sorted() const;

 private:
  std::size_t most_;
  std::vector<HeapObject> heap_;  // the smallest kept one in front
};

/// Collects the objects that no other object dominates, once, for all who work with them: leak
/// suspects, top consumers, triage.
class TopLevel {
 public:
  /// Keeps the `most` largest ones.
  TopLevel(const Heap& heap, std::size_t most);

  void add(const HeapObject& object);

  std::uint64_t count() const { return count_; }
  std::vector<HeapObject> largest() const { return largest_.sorted(); }
  /// By class; class objects are instances of java.lang.Class.
  const std::vector<GroupSum>& by_class() const { return by_class_; }
  /// By the class whose name says where in the package tree the object belongs: class objects under
  /// the class they stand for.
  const std::vector<GroupSum>& by_name_class() const { return by_name_class_; }
  /// By the bits that the retained size needs: sizes from 2^(bits - 1) to 2^bits - 1.
  const std::array<GroupSum, 65>& by_size_bits() const { return by_size_bits_; }
  /// By class loader object.
  const std::unordered_map<std::uint32_t, GroupSum>& by_loader() const { return by_loader_; }

 private:
  const Heap& heap_;
  std::uint64_t count_ = 0;
  LargestObjects largest_;
  std::vector<GroupSum> by_class_;
  std::vector<GroupSum> by_name_class_;
  std::array<GroupSum, 65> by_size_bits_{};
  std::unordered_map<std::uint32_t, GroupSum> by_loader_;
};

}  // namespace hprof
