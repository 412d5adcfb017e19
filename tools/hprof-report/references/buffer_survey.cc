// A buffer that owns its memory has a cleaner; slices, duplicates and typed views have the buffer
// they are made from attached instead. The cleaner's Deallocator forgets the address when it has
// freed the memory, so a buffer of whose memory no Deallocator knows has been freed by hand.
#include "tools/hprof-report/references/buffer_survey.h"

#include <algorithm>
#include <tuple>

namespace hprof {
namespace {

constexpr std::string_view kDeallocator = "java.nio.DirectByteBuffer$Deallocator";

bool is_direct_buffer(const HeapIndex& index, ClassIndex class_index) {
  const auto name = index.class_name(class_index);
  const FieldTable fields(index);
  return name.starts_with("java.nio.Direct") && fields.is_a(class_index, "java.nio.Buffer");
}

std::uint64_t unsigned_number(const ObjectRecord& record, std::string_view field) {
  return static_cast<std::uint64_t>(record.number(field).value_or(0));
}

}  // namespace

BufferSurvey::BufferSurvey(const Heap& heap) : heap_(heap) {
  const auto& index = heap.index();
  for (const auto& type : index.types) {
    const bool instance = type.kind == RecordKind::instance;
    is_buffer_.push_back(instance && is_direct_buffer(index, type.class_index));
    is_deallocator_.push_back(instance && index.class_name(type.class_index) == kDeallocator);
  }
}

bool BufferSurvey::wants(std::uint32_t type) {
  return is_buffer_[type] || is_deallocator_[type];
}

void BufferSurvey::on_instance(const ObjectRecord& record) {
  if (is_buffer_[record.type()]) {
    add_buffer(record);
  } else if (const auto address = unsigned_number(record, "address"); address != 0) {
    allocations_.push_back({.address = address, .bytes = unsigned_number(record, "size")});
  }
}

void BufferSurvey::add_buffer(const ObjectRecord& record) {
  const auto capacity = std::max<std::int64_t>(record.number("capacity").value_or(0), 0);
  const auto has = [&](std::string_view field) { return !record.reference(field).is_none(); };
  if (has("cleaner")) {
    owners_.push_back({.address = heap_.address(record.object()),
                       .class_name = heap_.class_name(record.class_index()),
                       .capacity = static_cast<std::uint64_t>(capacity),
                       .memory = {unsigned_number(record, "address")},
                       .mapped = has("fd")});
  } else if (has("att") || has("viewedBuffer") || has("memoryRef")) {
    ++result_.views;
  } else {
    ++result_.foreign;
    result_.foreign_capacity += static_cast<std::uint64_t>(capacity);
  }
}

void BufferSurvey::want_totals(RecordFetcher& fetcher) {
  const auto bits = find_class(heap_.index(), "java.nio.Bits");
  if (!bits.is_none()) {
    want_total(fetcher, bits, "COUNT", "count", result_.jvm_count);
    want_total(fetcher, bits, "TOTAL_CAPACITY", "totalCapacity", result_.jvm_capacity);
    want_total(fetcher, bits, "RESERVED_MEMORY", "reservedMemory", result_.jvm_reserved);
    want_total(fetcher, bits, "MAX_MEMORY", "maxMemory", result_.jvm_limit);
  }
}

void BufferSurvey::want_total(RecordFetcher& fetcher, ClassIndex bits, std::string_view name,
                              std::string_view old_name, std::optional<std::uint64_t>& out) {
  const auto& index = heap_.index();
  const auto* field = find_static(index, bits, name);
  field = field == nullptr ? find_static(index, bits, old_name) : field;
  if (field == nullptr) {
    return;
  }
  if (field->type != kTypeObject) {
    out = field->value;
    return;
  }
  fetcher.want(index.addresses.index_of(field->value), [&out](const ObjectRecord& counter) {
    if (const auto value = counter.number("value"); value && *value >= 0) {
      out = static_cast<std::uint64_t>(*value);
    }
  });
}

/// `allocations_` ascend by address.
bool BufferSurvey::is_freed(const BufferRow& buffer) const {
  if (buffer.mapped || allocations_.empty()) {
    return false;
  }
  const auto after = std::upper_bound(
      allocations_.begin(), allocations_.end(), buffer.memory.value,
      [](std::uint64_t address, const Allocation& a) { return address < a.address; });
  return after == allocations_.begin() || buffer.memory.value - std::prev(after)->address >=
                                              std::max<std::uint64_t>(std::prev(after)->bytes, 1);
}

std::optional<DirectBuffers> BufferSurvey::result(std::size_t rows) {
  std::sort(allocations_.begin(), allocations_.end(),
            [](const Allocation& a, const Allocation& b) { return a.address < b.address; });
  auto out = result_;
  for (const auto& buffer : owners_) {
    if (is_freed(buffer)) {
      ++out.freed;
      continue;
    }
    ++(buffer.mapped ? out.mapped_buffers : out.buffers);
    (buffer.mapped ? out.mapped_capacity : out.capacity) += buffer.capacity;
    out.largest.push_back(buffer);
  }
  std::sort(out.largest.begin(), out.largest.end(), [](const BufferRow& a, const BufferRow& b) {
    return std::tuple(b.capacity, a.address) < std::tuple(a.capacity, b.address);
  });
  out.largest.resize(std::min(out.largest.size(), rows));
  const bool any = !owners_.empty() || out.views != 0 || out.foreign != 0 || out.jvm_capacity;
  return any ? std::optional(out) : std::nullopt;
}

}  // namespace hprof
