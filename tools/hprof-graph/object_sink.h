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
  std::uint64_t hash = 0;  ///< of a primitive array's content
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
  /// Memory is taken in pieces of 2^slab_bits bytes, or more for objects that need it.
  ScatteredSink(GraphWriter& writer, RecordlessObjects& recordless, std::uint64_t objects,
                const std::vector<GraphType>& types, unsigned slab_bits = kSlabBits);

  void put(std::uint32_t index, const CodedObject& object) override;
  void finish() override;

 private:
  static constexpr unsigned kSlabBits = 25;
  static constexpr std::uint64_t kMostBytes = (std::uint64_t{1} << 40U) - 1;

  /// Of a coded object, in five bytes.
  struct [[gnu::packed]] Position {
    std::uint32_t low = 0xffffffffU;
    std::uint8_t high = 0xff;

    std::uint64_t value() const { return std::uint64_t{high} << 32U | low; }
    bool absent() const { return value() == kMostBytes; }
  };

  static constexpr std::uint64_t kAhead = 32;  ///< objects are asked for so many before

  std::uint64_t slab_bytes() const { return std::uint64_t{1} << slab_bits_; }
  void start_slab(std::uint64_t bytes);
  bool has_hash(std::uint32_t type) const {
    return writer_.has_hashes() && is_primitive_array(types_[type].kind);
  }
  /// The bytes from there to the end of their slab.
  std::span<const std::uint8_t> at(const Position& position) const;
  CodedObject decode(std::span<const std::uint8_t> coded) const;
  void prefetch(std::uint64_t index) const;

  GraphWriter& writer_;
  RecordlessObjects& recordless_;
  const std::vector<GraphType>& types_;
  BigArray<Position> positions_;
  unsigned slab_bits_;
  /// What needs more than one takes several places, of which the first holds it all.
  std::vector<BigArray<std::uint8_t>> slabs_;
  std::uint8_t* slab_ = nullptr;  ///< the last one that was started
  std::uint64_t slab_begin_ = 0;  ///< its position
  std::uint64_t used_ = 0;
};

}  // namespace hprof
