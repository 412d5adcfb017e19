// The file's columns are kept as they are coded. A row is found from its block's offset plus the
// lengths of the rows before it in the block; escaped rows say their length themselves, which makes
// such a block a short walk.
#include "formats/reference_graph.h"

#include "common/text.h"

#include <cstring>

namespace hprof {
namespace {

using Frame = schema::GraphFrame;

[[noreturn]] void damaged(const char* what) {
  fail(ExitCode::bad_data, "the graph file is damaged: ", what, "; run hprof-graph again");
}

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
  std::memset(blocks_.data(), 0, blocks_.size() * sizeof(Block));
  bytes_ = BigArray<std::uint8_t>(reader.file_bytes());
  bool located = false;
  const auto locate_once = [&] {
    if (!located) {
      locate_blocks();
      located = true;
    }
  };
  reader.for_each([&](Frame::Reader frame) {
    if (frame.which() == Frame::OBJECTS) {
      take_objects(frame.getObjects());
    } else if (frame.which() == Frame::EDGES) {
      take_edges(frame.getEdges());
    } else if (frame.which() == Frame::EXCLUDED && excluded == Excluded::skip) {
      locate_once();
      skip_excluded(frame.getExcluded());
    } else if (frame.which() == Frame::TOTALS) {
      totals_ = read_totals(frame.getTotals());
    }
  });
  locate_once();
}

void ReferenceGraph::take_objects(schema::ObjectChunk::Reader chunk) {
  if (chunk.getFirstRow() != object_rows_ || chunk.getRows() > size_ - object_rows_) {
    damaged("object rows are out of order");
  }
  VarintCursor cursor(as_span(chunk.getTypes()));
  for (std::uint32_t left = chunk.getRows(); left != 0; --left) {
    const std::uint64_t type = cursor.next();
    if (type >= types_.size()) {
      damaged("a type is out of range");
    }
    if (wide_types_.empty()) {
      narrow_types_[object_rows_++] = static_cast<std::uint16_t>(type);
    } else {
      wide_types_[object_rows_++] = static_cast<std::uint32_t>(type);
    }
  }
}

void ReferenceGraph::take_edges(schema::EdgeChunk::Reader chunk) {
  const auto lengths = as_span(chunk.getLengths());
  const auto bytes = as_span(chunk.getBytes());
  if (chunk.getFirstRow() != edge_rows_ || chunk.getRows() != lengths.size() ||
      lengths.size() > size_ - edge_rows_ || bytes.size() > bytes_.size() - bytes_used_) {
    damaged("reference rows are out of order");
  }
  for (const std::uint8_t length : lengths) {
    blocks_[edge_rows_ / kBlockRows].lengths[edge_rows_ % kBlockRows] = length;
    ++edge_rows_;
  }
  if (!bytes.empty()) {
    std::memcpy(bytes_.data() + bytes_used_, bytes.data(), bytes.size());
    bytes_used_ += bytes.size();
  }
}

void ReferenceGraph::locate_blocks() {
  if (edge_rows_ != size_ || object_rows_ != size_) {
    damaged("rows are missing");
  }
  std::uint64_t offset = 0;
  const std::uint8_t* const end = bytes_.data() + bytes_used_;
  for (auto& block : blocks_) {
    block.offset = offset;
    for (const std::uint8_t length : block.lengths) {
      std::uint64_t step = length;
      if (length == kEscape) {
        VarintCursor prefix(bytes_.data() + offset, end);
        step = prefix.next();
        offset = static_cast<std::uint64_t>(prefix.position() - bytes_.data());
      }
      if (step > bytes_used_ - offset) {
        damaged("reference rows and their lengths disagree");
      }
      offset += step;
    }
  }
  if (offset != bytes_used_) {
    damaged("reference rows and their lengths disagree");
  }
}

VarintCursor ReferenceGraph::row(std::uint32_t object) const {
  const Block& block = blocks_[object / kBlockRows];
  const std::uint32_t slot = object % kBlockRows;
  std::uint64_t offset = block.offset;
  for (std::uint32_t i = 0; i < slot; ++i) {
    if (block.lengths[i] == kEscape) [[unlikely]] {
      VarintCursor prefix(bytes_.data() + offset, bytes_.data() + bytes_used_);
      const std::uint64_t length = prefix.next();
      offset = static_cast<std::uint64_t>(prefix.position() - bytes_.data()) + length;
    } else {
      offset += block.lengths[i];
    }
  }
  return row_from(offset, block.lengths[slot]);
}

VarintCursor ReferenceGraph::row_from(std::uint64_t offset, std::uint8_t length) const {
  const std::uint8_t* const start = bytes_.data() + offset;
  if (length != kEscape) [[likely]] {
    return {start, start + length};
  }
  VarintCursor prefix(start, bytes_.data() + bytes_used_);
  const std::uint64_t long_length = prefix.next();
  return {prefix.position(), prefix.position() + long_length};
}

// An excluded reference is overwritten by one of the same coded width to the object itself, which
// no search heeds. Excluded references only occur in rows whose targets are coded relative to the
// object (mode 0).
void ReferenceGraph::skip_excluded(schema::ExcludedChunk::Reader chunk) {
  const auto sources = chunk.getSources();
  const auto ordinals = chunk.getOrdinals();
  if (sources.size() != ordinals.size()) {
    damaged("uneven columns of excluded references");
  }
  for (unsigned i = 0; i < sources.size(); ++i) {
    if (sources[i] >= size_) {
      damaged("an excluded reference is out of range");
    }
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

}  // namespace hprof
