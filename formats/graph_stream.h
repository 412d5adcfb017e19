#pragma once

#include "formats/graph_file.h"
#include "formats/reference_code.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace hprof {

/// Decodes one object's references, in one piece or piece by piece, wherever the pieces are cut.
class ReferenceDecoder {
 public:
  explicit ReferenceDecoder(std::uint64_t objects) : objects_(objects) {}

  /// Calls `visit(target)` for each reference of `self`, of which `bytes` are all.
  template <typename Visit>
  void decode(std::uint32_t self, std::span<const std::uint8_t> bytes, Visit&& visit) const {
    VarintCursor cursor(bytes);
    const std::uint64_t first = cursor.next();
    std::uint32_t target = referenced_object(self, first >> 1U, objects_);
    visit(target);
    if ((first & 1U) != 0) {
      while (!cursor.at_end()) {
        target = referenced_object(target, cursor.next(), objects_);
        visit(target);
      }
    } else {
      while (!cursor.at_end()) {
        visit(referenced_object(self, cursor.next(), objects_));
      }
    }
  }

  void begin(std::uint32_t self) {
    base_ = self;
    started_ = false;
    chained_ = false;
    value_ = 0;
    shift_ = 0;
  }

  /// Calls `visit(target)` for each reference that ends in these bytes.
  template <typename Visit>
  void feed(std::span<const std::uint8_t> bytes, Visit&& visit) {
    for (const std::uint8_t byte : bytes) {
      value_ |= static_cast<std::uint64_t>(byte & 0x7fU) << shift_;
      if (byte < 0x80U) {
        visit(take());
      } else if ((shift_ += 7) > 63) [[unlikely]] {
        throw_unplaced("a reference is too long");
      }
    }
  }

 private:
  std::uint32_t take() {
    std::uint64_t coded = value_;
    value_ = 0;
    shift_ = 0;
    if (!started_) {
      started_ = true;
      chained_ = (coded & 1U) != 0;
      coded >>= 1U;
    }
    const std::uint32_t target = referenced_object(base_, coded, objects_);
    if (chained_) {
      base_ = target;
    }
    return target;
  }

  std::uint64_t objects_;
  std::uint64_t value_ = 0;
  unsigned shift_ = 0;
  std::uint32_t base_ = 0;
  bool started_ = false;
  bool chained_ = false;
};

/// Cuts the chunks of the edge table into rows and shows them to a visitor:
///   bool wants_row(object)   whether to decode the object's references
///   void on_reference(target)   in the order of the record; the class reference is not among them
///   void on_row_end()   after the last one of a row that was wanted
template <typename Visitor>
class EdgeStream {
 public:
  EdgeStream(std::uint64_t objects, Visitor& visitor)
      : objects_(objects), decoder_(objects), visitor_(visitor) {}

  void take(schema::EdgeChunk::Reader chunk) {
    const auto lengths = as_span(chunk.getLengths());
    bytes_ = as_span(chunk.getBytes());
    if (chunk.getFirstRow() != rows_ || lengths.size() > objects_ - rows_) {
      damaged();
    }
    continue_row();
    for (const std::uint8_t length : lengths) {
      if (left_ != 0) {
        damaged();
      }
      start_row(length);
      if (left_ <= bytes_.size()) [[likely]] {
        whole_row();
      } else {
        decoder_.begin(static_cast<std::uint32_t>(rows_ - 1));
        continue_row();
      }
    }
    if (!bytes_.empty()) {
      damaged();
    }
  }

  void finish() const {
    if (rows_ != objects_ || left_ != 0) {
      damaged();
    }
  }

 private:
  static constexpr std::uint8_t kEscape = 255;

  [[noreturn]] static void damaged() {
    throw_unplaced("reference rows and their lengths disagree");
  }

  void start_row(std::uint8_t length) {
    left_ = length;
    if (length == kEscape) {
      VarintCursor prefix(bytes_);
      left_ = prefix.next();
      bytes_ = bytes_.last(prefix.bytes_left());
    }
    const auto object = static_cast<std::uint32_t>(rows_++);
    wanted_ = left_ != 0 && visitor_.wants_row(object);
  }

  void whole_row() {
    const auto row = bytes_.first(left_);
    bytes_ = bytes_.subspan(left_);
    left_ = 0;
    if (wanted_) {
      decoder_.decode(static_cast<std::uint32_t>(rows_ - 1), row,
                      [&](std::uint32_t target) { visitor_.on_reference(target); });
      visitor_.on_row_end();
    }
  }

  void continue_row() {
    if (left_ == 0) {
      return;
    }
    const auto part = bytes_.first(std::min<std::uint64_t>(left_, bytes_.size()));
    bytes_ = bytes_.subspan(part.size());
    left_ -= part.size();
    if (wanted_) {
      decoder_.feed(part, [&](std::uint32_t target) { visitor_.on_reference(target); });
      if (left_ == 0) {
        visitor_.on_row_end();
      }
    }
  }

  std::uint64_t objects_;
  ReferenceDecoder decoder_;
  Visitor& visitor_;
  std::span<const std::uint8_t> bytes_;
  std::uint64_t rows_ = 0;
  std::uint64_t left_ = 0;
  bool wanted_ = false;
};

/// Reads the graph front to back without holding it: rows of references for `visitor` as EdgeStream
/// says, and, where `visitor.wants_objects()`, `visitor.on_object(const ObjectRow&)` for every
/// object; an object may come before or after its row.
template <typename Visitor>
void stream_graph(const GraphFile& file, Visitor& visitor) {
  FrameReader<schema::GraphFrame> reader(file.path(), kGraphFile);
  EdgeStream<Visitor> edge_stream(file.summary().objects, visitor);
  const bool wants_objects = visitor.wants_objects();
  reader.for_each([&](schema::GraphFrame::Reader frame) {
    if (frame.which() == schema::GraphFrame::EDGES) {
      edge_stream.take(frame.getEdges());
    } else if (wants_objects && frame.which() == schema::GraphFrame::OBJECTS) {
      for_each_row(frame.getObjects(), file.types(),
                   [&](const ObjectRow& row) { visitor.on_object(row); });
    }
  });
  edge_stream.finish();
}

/// Calls `take(object, target)` for each reference of the objects for which `wanted(object)` says
/// so, in index order; nothing stays in memory.
template <typename Wanted, typename Take>
void for_each_reference(const GraphFile& file, Wanted&& wanted, Take&& take) {
  struct Rows {
    Wanted& wanted;
    Take& take;
    std::uint32_t row = 0;

    bool wants_row(std::uint32_t object) {
      row = object;
      return wanted(object);
    }
    void on_reference(std::uint32_t target) { take(row, target); }
    void on_row_end() {}
  };
  Rows rows{wanted, take};
  FrameReader<schema::GraphFrame> reader(file.path(), kGraphFile);
  EdgeStream<Rows> edge_stream(file.summary().objects, rows);
  reader.for_each([&](schema::GraphFrame::Reader frame) {
    if (frame.which() == schema::GraphFrame::EDGES) {
      edge_stream.take(frame.getEdges());
    }
  });
  edge_stream.finish();
}

}  // namespace hprof
