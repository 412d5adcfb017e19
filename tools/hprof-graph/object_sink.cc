#include "tools/hprof-graph/object_sink.h"

#include "common/bring_near.h"

#include <algorithm>
#include <cstring>

namespace hprof {

void StreamingSink::catch_up(std::uint64_t index) {
  for (; next_ < index; ++next_) {
    const CodedObject object = recordless_.make(static_cast<std::uint32_t>(next_));
    writer_.append(object.type, object.length, object.row);
  }
}

void StreamingSink::put(std::uint32_t index, const CodedObject& object) {
  check(index >= next_, "records are out of order");
  if (index != next_) {
    // make() reuses the row's memory only for recordless objects, so the caller's row stays valid.
    catch_up(index);
  }
  writer_.append(object.type, object.length, object.row);
  ++next_;
}

void StreamingSink::finish() {
  catch_up(objects_);
}

ScatteredSink::ScatteredSink(GraphWriter& writer, RecordlessObjects& recordless,
                             std::uint64_t objects, const std::vector<GraphType>& types)
    : writer_(writer), recordless_(recordless), types_(types), positions_(objects, kAbsent) {}

std::uint8_t* ScatteredSink::reserve(std::uint64_t bytes) {
  if (slabs_.empty() || slabs_.back().size() - used_ < bytes) {
    slabs_.emplace_back(std::max(bytes, kSlabBytes));
    used_ = 0;
  }
  return slabs_.back().data() + used_;
}

void ScatteredSink::put(std::uint32_t index, const CodedObject& object) {
  std::uint8_t* const start = reserve(3 * kMaxVarintBytes + object.row.size());
  positions_[index] = (slabs_.size() - 1) << 40U | used_;
  std::uint8_t* out = write_varint(start, object.type);
  if (types_[object.type].has_length()) {
    out = write_varint(out, object.length);
  }
  out = write_varint(out, object.row.size());
  if (!object.row.empty()) {
    std::memcpy(out, object.row.data(), object.row.size());
  }
  used_ += static_cast<std::uint64_t>(out - start) + object.row.size();
}

const std::uint8_t* ScatteredSink::at(std::uint64_t position) const {
  return slabs_[position >> 40U].data() + (position & ((std::uint64_t{1} << 40U) - 1));
}

void ScatteredSink::prefetch(std::uint64_t index) const {
  if (index < positions_.size() && positions_[index] != kAbsent) {
    bring_near(at(positions_[index]));
  }
}

void ScatteredSink::finish() {
  for (std::uint64_t index = 0; index < positions_.size(); ++index) {
    prefetch(index + kAhead);
    CodedObject object;
    if (positions_[index] == kAbsent) {
      object = recordless_.make(static_cast<std::uint32_t>(index));
    } else {
      const auto& slab = slabs_[positions_[index] >> 40U];
      VarintCursor cursor(at(positions_[index]), slab.data() + slab.size());
      object.type = static_cast<std::uint32_t>(cursor.next());
      object.length = types_[object.type].has_length() ? cursor.next() : 0;
      const std::uint64_t row_bytes = cursor.next();
      object.row = {cursor.position(), row_bytes};
    }
    writer_.append(object.type, object.length, object.row);
  }
}

}  // namespace hprof
