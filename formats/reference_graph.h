#pragma once

#include "common/big_array.h"
#include "common/bring_near.h"
#include "common/varint.h"
#include "formats/graph_file.h"
#include "formats/reference_code.h"

#include <cstdint>
#include <span>
#include <vector>

namespace hprof {

/// All references of an X.graph in memory, coded as in the file: about two bytes per reference plus
/// one per object, and two for the types until they are released. Random access to any object's
/// successors in constant time.
class ReferenceGraph {
 public:
  /// Walks one object's successors; parallel and self references occur. Cheap to copy.
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

    /// Coded bytes of the references not delivered yet.
    std::uint64_t bytes_left() const { return varints_.bytes_left(); }

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
      const std::uint32_t target = referenced_object(base_, coded, size_);
      if (chained_) {
        base_ = target;
      }
      return target;
    }

    VarintCursor varints_;
    std::uint32_t base_ = 0;
    std::uint32_t class_object_ = kNone;
    std::uint32_t size_ = 0;
    bool started_ = false;
    bool chained_ = false;
  };

  /// A cursor that has delivered something, put aside in 16 bytes.
  struct SavedCursor {
    std::uint32_t offset_low;
    std::uint32_t bytes_left_low;
    std::uint32_t base;
    std::uint8_t offset_high;
    std::uint8_t bytes_left_high;
    bool started;
    bool chained;
  };

  /// Whether the references marked as excluded (semantics: Reference.referent and the like) are
  /// followed.
  enum class Excluded { follow, skip };

  /// A reference that is not followed.
  struct ExcludedEdge {
    std::uint32_t source;
    std::uint32_t target;
  };

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
    return references_after(class_object_of(object), object);
  }

  /// `first`, then the references.
  Cursor references_after(std::uint32_t first, std::uint32_t object) const {
    return {row(object), object, first, size_};
  }

  /// The references alone.
  Cursor references(std::uint32_t object) const { return references_after(Cursor::kNone, object); }

  SavedCursor save(const Cursor& cursor) const {
    const std::uint64_t offset = offset_of(cursor);
    const std::uint64_t left = cursor.varints_.bytes_left();
    return {.offset_low = static_cast<std::uint32_t>(offset),
            .bytes_left_low = static_cast<std::uint32_t>(left),
            .base = cursor.base_,
            .offset_high = static_cast<std::uint8_t>(offset >> 32U),
            .bytes_left_high = static_cast<std::uint8_t>(left >> 32U),
            .started = cursor.started_,
            .chained = cursor.chained_};
  }

  Cursor restore(const SavedCursor& saved) const {
    const auto* const next =
        bytes_.data() + (std::uint64_t{saved.offset_high} << 32U | saved.offset_low);
    const std::uint64_t left = std::uint64_t{saved.bytes_left_high} << 32U | saved.bytes_left_low;
    Cursor cursor({next, next + left}, saved.base, Cursor::kNone, size_);
    cursor.started_ = saved.started;
    cursor.chained_ = saved.chained;
    return cursor;
  }

  /// Asks for what row lookup of `object` reads first, resp. next, to be brought near.
  void prefetch_place(std::uint32_t object) const { bring_near(&blocks_[object / kBlockRows]); }
  void prefetch_row(std::uint32_t object) const {
    bring_near(bytes_.data() + blocks_[object / kBlockRows].offset());
  }

  /// The same for type_of().
  void prefetch_type(std::uint32_t object) const {
    if (wide_types_.empty()) {
      bring_near(&narrow_types_[object]);
    } else {
      bring_near(&wide_types_[object]);
    }
  }

  /// The references left out by Excluded::skip, ascending by source.
  std::span<const ExcludedEdge> excluded() const { return excluded_; }
  std::span<const ExcludedEdge> excluded_from(std::uint32_t source) const;

  bool has_references(std::uint32_t object) const {
    return blocks_[object / kBlockRows].length(object % kBlockRows) != 0;
  }

  /// Gives the memory of what `to` has delivered since it was `from` back; no other cursor may come
  /// there again.
  void give_back(const Cursor& from, const Cursor& to) {
    bytes_.give_back(offset_of(from), offset_of(to));
  }

  /// Gives the memory of the types back: type_of(), class_object_of() and successors() are over.
  void release_types() {
    narrow_types_.release();
    wide_types_.release();
  }

 private:
  static constexpr std::uint32_t kBlockRows = 16;
  static constexpr std::uint32_t kEscape = 15;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40U;

  /// Where sixteen rows lie in bytes_: the start of the first, and half a byte of coded length for
  /// each; a row with the length kEscape starts with its length as a varint.
  struct [[gnu::packed]] Block {
    std::uint64_t lengths;
    std::uint32_t offset_low;
    std::uint8_t offset_high;

    std::uint64_t offset() const { return std::uint64_t{offset_high} << 32U | offset_low; }
    std::uint32_t length(std::uint32_t slot) const { return (lengths >> (4 * slot)) & 0xfU; }
  };

  std::uint64_t offset_of(const Cursor& cursor) const {
    return static_cast<std::uint64_t>(cursor.varints_.position() - bytes_.data());
  }
  void take_objects(schema::ObjectChunk::Reader chunk);
  void take_edges(schema::EdgeChunk::Reader chunk);
  void skip_excluded(schema::ExcludedChunk::Reader chunk);
  void take_excluded(std::uint32_t source, std::uint32_t ordinal);
  void start_row(std::uint32_t length, std::uint64_t offset);
  void copy(std::span<const std::uint8_t> coded);
  void check_complete() const;
  VarintCursor row(std::uint32_t object) const;
  std::uint64_t walk_to(const Block& block, std::uint32_t slot) const;

  std::uint32_t size_;
  std::vector<std::uint32_t> roots_;
  std::vector<GraphType> types_;
  GraphTotals totals_;
  BigArray<std::uint16_t> narrow_types_;
  BigArray<std::uint32_t> wide_types_;
  BigArray<Block> blocks_;
  BigArray<std::uint8_t> bytes_;
  std::vector<ExcludedEdge> excluded_;
  std::uint64_t bytes_used_ = 0;
  std::uint64_t object_rows_ = 0;
  std::uint64_t edge_rows_ = 0;
  std::uint64_t unfinished_ = 0;  ///< bytes of the last row that are still to come
};

}  // namespace hprof
