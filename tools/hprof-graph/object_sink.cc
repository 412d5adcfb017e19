#include "tools/hprof-graph/object_sink.h"

#include "common/bring_near.h"

#include <algorithm>
#include <cstring>

namespace hprof {

void StreamingSink::catch_up(std::uint64_t index) {
  for (; next_ < index; ++next_) {
    const CodedObject object = recordless_.make(static_cast<std::uint32_t>(next_));
    writer_.append(object.type, object.length, object.row, object.hash);
  }
}

void StreamingSink::put(std::uint32_t index, const CodedObject& object) {
  check(index >= next_, "records are out of order");
  if (index != next_) {
    // make() reuses the row's memory only for recordless objects, so the caller's row stays valid.
    catch_up(index);
  }
  writer_.append(object.type, object.length, object.row, object.hash);
  ++next_;
}

void StreamingSink::finish() {
  catch_up(objects_);
}

ScatteredSink::ScatteredSink(GraphWriter& writer, RecordlessObjects& recordless,
                             std::uint64_t objects, const std::vector<GraphType>& types,
                             unsigned slab_bits)
    : writer_(writer),
      recordless_(recordless),
      types_(types),
      positions_(objects, Position{}),
      slab_bits_(slab_bits) {}

void ScatteredSink::start_slab(std::uint64_t bytes) {
  const std::uint64_t places = (bytes + slab_bytes() - 1) >> slab_bits_;
  if (slabs_.size() + places > kMostBytes >> slab_bits_) {
    fail(ExitCode::limit, "the coded objects take more than 2^40 bytes");
  }
  slab_begin_ = slabs_.size() << slab_bits_;
  slab_ = slabs_.emplace_back(places << slab_bits_).data();
  slabs_.resize(slabs_.size() + places - 1);
  used_ = 0;
}

void ScatteredSink::put(std::uint32_t index, const CodedObject& object) {
  const std::uint64_t most = 3 * kMaxVarintBytes + sizeof object.hash + object.row.size();
  if (slabs_.empty() || used_ + most > slab_bytes()) {
    start_slab(most);
  }
  const std::uint64_t position = slab_begin_ + used_;
  positions_[index] = {.low = static_cast<std::uint32_t>(position),
                       .high = static_cast<std::uint8_t>(position >> 32U)};
  std::uint8_t* const start = slab_ + used_;
  std::uint8_t* out = write_varint(start, object.type);
  if (types_[object.type].has_length()) {
    out = write_varint(out, object.length);
  }
  if (has_hash(object.type)) {
    std::memcpy(out, &object.hash, sizeof object.hash);
    out += sizeof object.hash;
  }
  out = write_varint(out, object.row.size());
  if (!object.row.empty()) {
    std::memcpy(out, object.row.data(), object.row.size());
  }
  used_ += static_cast<std::uint64_t>(out - start) + object.row.size();
}

std::span<const std::uint8_t> ScatteredSink::at(const Position& position) const {
  const auto& slab = slabs_[position.value() >> slab_bits_];
  return slab.span().subspan(position.value() & (slab_bytes() - 1));
}

void ScatteredSink::prefetch(std::uint64_t index) const {
  if (index < positions_.size() && !positions_[index].absent()) {
    bring_near(at(positions_[index]).data());
  }
}

CodedObject ScatteredSink::decode(std::span<const std::uint8_t> coded) const {
  VarintCursor cursor(coded);
  CodedObject object;
  object.type = static_cast<std::uint32_t>(cursor.next());
  object.length = types_[object.type].has_length() ? cursor.next() : 0;
  if (has_hash(object.type)) {
    std::memcpy(&object.hash, cursor.position(), sizeof object.hash);
    cursor.skip_bytes(sizeof object.hash);
  }
  const std::uint64_t row_bytes = cursor.next();
  object.row = {cursor.position(), row_bytes};
  return object;
}

void ScatteredSink::finish() {
  for (std::uint64_t index = 0; index < positions_.size(); ++index) {
    prefetch(index + kAhead);
    const Position& position = positions_[index];
    const CodedObject object = position.absent()
                                   ? recordless_.make(static_cast<std::uint32_t>(index))
                                   : decode(at(position));
    writer_.append(object.type, object.length, object.row, object.hash);
  }
}

}  // namespace hprof
