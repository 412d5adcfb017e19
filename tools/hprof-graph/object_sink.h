#pragma once

#include "common/big_array.h"
#include "formats/graph_writer.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hprof {

/// A coded object on its way to the graph file.
struct CodedObject {
  std::uint32_t type = 0;
  std::uint64_t length = 0;
  std::span<const std::uint8_t> row;
};

/// Supplies the objects that have no instance or array record: class objects and the pseudo object
/// at address 0.
class RecordlessObjects {
 public:
  virtual ~RecordlessObjects() = default;
  /// The object with this index, which has no record of its own kind to come from. Error(bug) if it
  /// has none at all.
  virtual CodedObject make(std::uint32_t index) = 0;
};

/// Takes coded objects in record order and hands them to the writer in index order.
class ObjectSink {
 public:
  virtual ~ObjectSink() = default;
  virtual void put(std::uint32_t index, const CodedObject& object) = 0;
  /// After the last object: writes what is still held, recordless objects included.
  virtual void finish() = 0;
};

/// For dumps whose records ascend by address: nothing is held back.
class StreamingSink : public ObjectSink {
 public:
  StreamingSink(GraphWriter& writer, RecordlessObjects& recordless, std::uint64_t objects)
      : writer_(writer), recordless_(recordless), objects_(objects) {}

  void put(std::uint32_t index, const CodedObject& object) override;
  void finish() override;

 private:
  void catch_up(std::uint64_t index);

  GraphWriter& writer_;
  RecordlessObjects& recordless_;
  std::uint64_t objects_;
  std::uint64_t next_ = 0;
};

/// For dumps in any order: coded objects wait in memory, with a position each.
class ScatteredSink : public ObjectSink {
 public:
  ScatteredSink(GraphWriter& writer, RecordlessObjects& recordless, std::uint64_t objects,
                const std::vector<GraphType>& types);

  void put(std::uint32_t index, const CodedObject& object) override;
  void finish() override;

 private:
  static constexpr std::uint64_t kAbsent = ~std::uint64_t{0};
  static constexpr std::uint64_t kSlabBytes = 32U << 20U;

  static constexpr std::uint64_t kAhead = 32;  ///< objects are asked for so many before

  std::uint8_t* reserve(std::uint64_t bytes);
  const std::uint8_t* at(std::uint64_t position) const;
  void prefetch(std::uint64_t index) const;

  GraphWriter& writer_;
  RecordlessObjects& recordless_;
  const std::vector<GraphType>& types_;
  BigArray<std::uint64_t> positions_;  ///< slab << 40 | offset
  std::vector<BigArray<std::uint8_t>> slabs_;
  std::uint64_t used_ = 0;  ///< bytes of the last slab
};

}  // namespace hprof
