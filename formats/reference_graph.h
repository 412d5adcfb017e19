#pragma once

#include "common/big_array.h"
#include "common/varint.h"
#include "formats/graph_file.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hprof {

/// All references of an X.graph in memory, as the file codes them: about two bytes per reference
/// plus four per object. Random access to any object's successors in constant time.
class ReferenceGraph {
 public:
  /// Walks one object's successors; parallel and self references occur. Two or three words, cheap
  /// to copy.
  class Cursor {
   public:
    Cursor() = default;

    /// Puts the next successor into `target`; false when there is none left. Error(bad_data) for a
    /// garbled row.
    bool next(std::uint32_t& target) {
      if (class_object_ != kNone) {
        target = class_object_;
        class_object_ = kNone;
        return true;
      }
      if (varints_.at_end()) {
        return false;
      }
      target = decode();
      return true;
    }

   private:
    friend class ReferenceGraph;
    static constexpr std::uint32_t kNone = 0xffffffffU;

    Cursor(VarintCursor varints, std::uint32_t self, std::uint32_t class_object, std::uint32_t size)
        : varints_(varints), base_(self), class_object_(class_object), size_(size) {}

    std::uint32_t decode() {
      std::uint64_t coded = varints_.next();
      if (!started_) {
        started_ = true;
        chained_ = (coded & 1U) != 0;
        coded >>= 1U;
      }
      const auto target =
          static_cast<std::uint64_t>(static_cast<std::int64_t>(base_) + unzigzag(coded));
      if (target >= size_) [[unlikely]] {
        throw_error(ExitCode::bad_data, "a reference is out of range; run hprof-graph again");
      }
      if (chained_) {
        base_ = static_cast<std::uint32_t>(target);
      }
      return static_cast<std::uint32_t>(target);
    }

    VarintCursor varints_;
    std::uint32_t base_ = 0;
    std::uint32_t class_object_ = kNone;
    std::uint32_t size_ = 0;
    bool started_ = false;
    bool chained_ = false;
  };

  /// Whether the references marked as excluded (semantics: Reference.referent and the like) are
  /// followed.
  enum class Excluded { follow, skip };

  /// Loads the whole graph. Error(bad_data) when the file is damaged.
  ReferenceGraph(const GraphFile& file, Excluded excluded);

  std::uint32_t size() const { return size_; }
  std::span<const std::uint32_t> roots() const { return roots_; }
  const std::vector<GraphType>& types() const { return types_; }
  const GraphTotals& totals() const { return totals_; }

  std::uint32_t type_of(std::uint32_t object) const {
    return wide_types_.empty() ? narrow_types_[object] : wide_types_[object];
  }
  std::uint32_t class_object_of(std::uint32_t object) const {
    return types_[type_of(object)].class_object.value();
  }

  /// The object's class object, then its references in the order of its record.
  Cursor successors(std::uint32_t object) const {
    return {row(object), object, class_object_of(object), size_};
  }

  /// The references alone.
  Cursor references(std::uint32_t object) const {
    return {row(object), object, Cursor::kNone, size_};
  }

  bool has_references(std::uint32_t object) const {
    return blocks_[object / kBlockRows].lengths[object % kBlockRows] != 0;
  }

 private:
  static constexpr std::uint32_t kBlockRows = 16;
  static constexpr std::uint8_t kEscape = 255;

  /// Where sixteen rows lie in bytes_: the start of the first and the coded length of each.
  struct Block {
    std::uint64_t offset;
    std::uint8_t lengths[kBlockRows];
  };

  void take_objects(schema::ObjectChunk::Reader chunk);
  void take_edges(schema::EdgeChunk::Reader chunk);
  void skip_excluded(schema::ExcludedChunk::Reader chunk);
  void locate_blocks();
  VarintCursor row(std::uint32_t object) const;
  VarintCursor row_from(std::uint64_t offset, std::uint8_t length) const;

  std::uint32_t size_;
  std::vector<std::uint32_t> roots_;
  std::vector<GraphType> types_;
  GraphTotals totals_;
  BigArray<std::uint16_t> narrow_types_;
  BigArray<std::uint32_t> wide_types_;
  BigArray<Block> blocks_;
  BigArray<std::uint8_t> bytes_;
  std::uint64_t bytes_used_ = 0;
  std::uint64_t object_rows_ = 0;
  std::uint64_t edge_rows_ = 0;
};

}  // namespace hprof
