// The file's rows are kept as they are coded, but for a length in front of more of them. A row is
// found from its block's offset plus the lengths of the rows before it in the block, half a byte
// each; escaped rows say their length themselves, which makes such a block a short walk.
#include "formats/reference_graph.h"

#include "common/text.h"

#include <algorithm>
#include <cstring>

namespace hprof {
namespace {

using Frame = schema::GraphFrame;

constexpr std::uint8_t kFileEscape = 255;

}  // namespace

ReferenceGraph::ReferenceGraph(const GraphFile& file, Excluded excluded)
    : size_(static_cast<std::uint32_t>(file.summary().objects)),
      roots_(file.roots()),
      types_(file.types()) {
  FrameReader<Frame> reader(file.path(), kGraphFile);
  if (types_.size() <= 0x10000) {
    narrow_types_ = BigArray<std::uint16_t>(size_);
  } else {
    wide_types_ = BigArray<std::uint32_t>(size_);
  }
  blocks_ = BigArray<Block>((size_ + std::uint64_t{kBlockRows} - 1) / kBlockRows);
  // A length in front of a row takes no more than the row's type and length do in the file.
  bytes_ = BigArray<std::uint8_t>(reader.file_bytes());
  if (bytes_.size() > kMostBytes) {
    fail(ExitCode::limit, printable(file.path()), ": has more than 2^40 bytes");
  }
  reader.for_each([&](Frame::Reader frame) {
    if (frame.which() == Frame::OBJECTS) {
      take_objects(frame.getObjects());
    } else if (frame.which() == Frame::EDGES) {
      take_edges(frame.getEdges());
    } else if (frame.which() == Frame::EXCLUDED && excluded == Excluded::skip) {
      check_complete();
      skip_excluded(frame.getExcluded());
    } else if (frame.which() == Frame::TOTALS) {
      totals_ = read_totals(frame.getTotals());
    }
  });
  check_complete();
}

void ReferenceGraph::take_objects(schema::ObjectChunk::Reader chunk) {
  if (chunk.getFirstRow() != object_rows_ || chunk.getRows() > size_ - object_rows_) {
    throw_unplaced("object rows are out of order");
  }
  VarintCursor cursor(as_span(chunk.getTypes()));
  for (std::uint32_t left = chunk.getRows(); left != 0; --left) {
    const std::uint64_t type = cursor.next();
    if (type >= types_.size()) {
      throw_unplaced("a type is out of range");
    }
    if (wide_types_.empty()) {
      narrow_types_[object_rows_++] = static_cast<std::uint16_t>(type);
    } else {
      wide_types_[object_rows_++] = static_cast<std::uint32_t>(type);
    }
  }
}

// Rows are copied in runs, as long as nothing is to be put between them.
void ReferenceGraph::take_edges(schema::EdgeChunk::Reader chunk) {
  const auto lengths = as_span(chunk.getLengths());
  const auto coded = as_span(chunk.getBytes());
  if (chunk.getFirstRow() != edge_rows_ || chunk.getRows() != lengths.size() ||
      lengths.size() > size_ - edge_rows_) {
    throw_unplaced("reference rows are out of order");
  }
  std::uint64_t begin = 0;
  std::uint64_t end = std::min<std::uint64_t>(unfinished_, coded.size());
  unfinished_ -= end;
  for (const std::uint8_t length : lengths) {
    if (unfinished_ != 0 || end > coded.size()) {
      throw_unplaced("reference rows and their lengths disagree");
    }
    start_row(std::min<std::uint32_t>(length, kEscape), bytes_used_ + end - begin);
    std::uint64_t row_bytes = length;
    if (length == kFileEscape) {
      VarintCursor prefix(coded.subspan(end));
      row_bytes = prefix.next();
      end = coded.size() - prefix.bytes_left();
    } else if (length >= kEscape) {
      copy(coded.subspan(begin, end - begin));
      std::uint8_t prefix[kMaxVarintBytes];
      copy({prefix, write_varint(prefix, length)});
      begin = end;
    }
    if (row_bytes > coded.size() - end) {
      unfinished_ = row_bytes - (coded.size() - end);
      row_bytes = coded.size() - end;
    }
    end += row_bytes;
  }
  if (end != coded.size()) {
    throw_unplaced("reference rows and their lengths disagree");
  }
  copy(coded.subspan(begin, end - begin));
}

void ReferenceGraph::start_row(std::uint32_t length, std::uint64_t offset) {
  Block& block = blocks_[edge_rows_ / kBlockRows];
  const std::uint32_t slot = edge_rows_ % kBlockRows;
  if (slot == 0) {
    block = {.lengths = 0,
             .offset_low = static_cast<std::uint32_t>(offset),
             .offset_high = static_cast<std::uint8_t>(offset >> 32U)};
  }
  block.lengths |= std::uint64_t{length} << (4 * slot);
  ++edge_rows_;
}

void ReferenceGraph::copy(std::span<const std::uint8_t> coded) {
  if (coded.size() > bytes_.size() - bytes_used_) {
    throw_unplaced("reference rows and their lengths disagree");
  }
  if (!coded.empty()) {
    std::memcpy(bytes_.data() + bytes_used_, coded.data(), coded.size());
    bytes_used_ += coded.size();
  }
}

void ReferenceGraph::check_complete() const {
  if (edge_rows_ != size_ || object_rows_ != size_ || unfinished_ != 0) {
    throw_unplaced("rows are missing");
  }
}

// Adds up the lengths before the slot all at once unless one of them is escaped.
VarintCursor ReferenceGraph::row(std::uint32_t object) const {
  constexpr std::uint64_t kLowHalves = 0x0f0f0f0f0f0f0f0fULL;
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  const Block& block = blocks_[object / kBlockRows];
  const std::uint32_t slot = object % kBlockRows;
  const std::uint64_t before = block.lengths & ((std::uint64_t{1} << (4 * slot)) - 1);
  const std::uint64_t pairs = before & (before >> 1U);
  std::uint64_t offset = 0;
  if ((pairs & (pairs >> 2U) & 0x1111111111111111ULL) == 0) [[likely]] {
    const std::uint64_t sums = (before & kLowHalves) + ((before >> 4U) & kLowHalves);
    offset = block.offset() + ((sums * kOnes) >> 56U);
  } else {
    offset = walk_to(block, slot);
  }
  const std::uint8_t* const start = bytes_.data() + offset;
  const std::uint32_t length = block.length(slot);
  if (length != kEscape) [[likely]] {
    return {start, start + length};
  }
  VarintCursor prefix(start, bytes_.data() + bytes_used_);
  const std::uint64_t long_length = prefix.next();
  return {prefix.position(), prefix.position() + long_length};
}

std::uint64_t ReferenceGraph::walk_to(const Block& block, std::uint32_t slot) const {
  std::uint64_t offset = block.offset();
  for (std::uint32_t i = 0; i < slot; ++i) {
    const std::uint32_t length = block.length(i);
    if (length == kEscape) {
      VarintCursor prefix(bytes_.data() + offset, bytes_.data() + bytes_used_);
      const std::uint64_t long_length = prefix.next();
      offset = static_cast<std::uint64_t>(prefix.position() - bytes_.data()) + long_length;
    } else {
      offset += length;
    }
  }
  return offset;
}

// An excluded reference is overwritten by one of the same coded width to the object itself, which
// no search heeds. Excluded references only occur in rows whose targets are coded relative to the
// object (mode 0).
void ReferenceGraph::skip_excluded(schema::ExcludedChunk::Reader chunk) {
  const auto sources = chunk.getSources();
  const auto ordinals = chunk.getOrdinals();
  if (sources.size() != ordinals.size()) {
    throw_unplaced("uneven columns of excluded references");
  }
  for (unsigned i = 0; i < sources.size(); ++i) {
    if (sources[i] >= size_) {
      throw_unplaced("an excluded reference is out of range");
    }
    take_excluded(sources[i], ordinals[i]);
    VarintCursor cursor = row(sources[i]);
    for (std::uint32_t skip = ordinals[i]; skip != 0; --skip) {
      cursor.next();
    }
    const std::uint64_t first = cursor.position() - bytes_.data();
    cursor.next();
    const std::uint64_t last = static_cast<std::uint64_t>(cursor.position() - bytes_.data()) - 1;
    for (std::uint64_t at = first; at < last; ++at) {
      bytes_[at] = 0x80;
    }
    bytes_[last] = 0;
  }
}

/// Rows with excluded references are not chained, so what was overwritten before changes nothing.
void ReferenceGraph::take_excluded(std::uint32_t source, std::uint32_t ordinal) {
  auto cursor = references(source);
  std::uint32_t target = 0;
  for (std::uint64_t left = std::uint64_t{ordinal} + 1; left != 0; --left) {
    if (!cursor.next(target)) {
      throw_unplaced("an excluded reference is out of range");
    }
  }
  if (!excluded_.empty() && excluded_.back().source > source) {
    throw_unplaced("excluded references are out of order");
  }
  excluded_.push_back({source, target});
}

std::span<const ReferenceGraph::ExcludedEdge> ReferenceGraph::excluded_from(
    std::uint32_t source) const {
  const auto [first, last] = std::equal_range(
      excluded_.begin(), excluded_.end(), ExcludedEdge{source, 0},
      [](const ExcludedEdge& a, const ExcludedEdge& b) { return a.source < b.source; });
  return {first, last};
}

}  // namespace hprof
