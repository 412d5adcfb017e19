// The collector sees every record once. Per object it sets one bit and counts one type; everything
// else grows with classes, names, threads and distinct roots.
#include "tools/hprof-index/collector.h"

#include "common/byte_cursor.h"

#include <algorithm>
#include <numeric>

namespace hprof {
namespace {

constexpr std::size_t kMostNameBytes = 1U << 20U;

}  // namespace

std::size_t RawRootHash::operator()(const RawRoot& root) const noexcept {
  std::uint64_t hash = root.id * 0x9e3779b97f4a7c15ULL;
  hash = (hash ^ root.thread_address ^ (std::uint64_t{root.frame} << 8U) ^ root.tag) *
         0xff51afd7ed558ccdULL;
  return static_cast<std::size_t>(hash ^ (hash >> 32U));
}

void Collector::on_string(std::uint64_t id, std::span<const std::uint8_t> text) {
  const auto row = strings.add(as_text(text.first(std::min(text.size(), kMostNameBytes))));
  string_rows_.assign(id, row.value());
}

void Collector::on_load_class(const LoadClassRecord& record) {
  const auto row = static_cast<std::uint32_t>(loads_.size());
  loads_.push_back(record);
  load_rows_.assign(record.class_id, row);
  serial_rows_.assign(record.serial, row);
}

void Collector::on_heap_info(std::uint32_t heap_id, std::uint64_t name_id) {
  if (heaps.size() + 1 < kMostHeaps && heap_rows_.find(heap_id) == U64Map::kNone) {
    heap_rows_.insert(heap_id, static_cast<std::uint32_t>(heaps.size()));
    heaps.push_back({.id = heap_id, .name_id = name_id});
  }
}

void Collector::on_root(const RootRecord& record) {
  if (strict_roots &&
      (record.tag == sub::kRootVmInternal || record.tag == sub::kRootInternedString)) {
    ++roots_left_out;
    return;
  }
  RawRoot root{.id = record.id, .tag = record.tag};
  switch (record.tag) {
    case sub::kRootThreadObject:
      thread_rows_.assign(record.thread_serial, static_cast<std::uint32_t>(threads.size()));
      threads.push_back(
          {.id = record.id, .serial = record.thread_serial, .trace_serial = record.frame});
      break;
    case sub::kRootJniLocal:
    case sub::kRootJavaFrame:
    case sub::kRootNativeStack:
    case sub::kRootThreadBlock: {
      const std::uint32_t row = thread_rows_.find(record.thread_serial);
      if (row != U64Map::kNone && threads[row].id != 0) {
        root.thread_address = threads[row].id;
        root.frame = record.frame;
      }
      break;
    }
    default:
      break;
  }
  roots.insert(root);
}

void Collector::on_class(const ClassDumpRecord& record) {
  class_in_work_ =
      RawClass{.record = record, .place = {}, .owns_object = true, .statics = {}, .fields = {}};
}

void Collector::on_class_end() {
  const std::uint64_t id = class_in_work_.record.id;
  if (class_rows_.find(id) != U64Map::kNone) {
    ++shadowed_class_dumps;
    return;
  }
  if (addresses.insert(id)) {
    ++duplicate_ids;
    class_in_work_.owns_object = false;
  } else {
    measure_step(id);
  }
  class_rows_.insert(id, static_cast<std::uint32_t>(classes.size()));
  classes.push_back(std::move(class_in_work_));
}

void Collector::refine_step(std::uint64_t distance) {
  step_ = std::gcd(step_, distance);
  step_mask_ = step_ > 1 && (step_ & (step_ - 1)) == 0 ? step_ - 1 : 0;
}

void Collector::find_type(TypeTable& table, std::uint64_t class_id, std::uint32_t data_bytes) {
  table.last_class = class_id;
  table.last_row = table.by_class.find(class_id);
  if (table.last_row == U64Map::kNone) {
    table.last_row = static_cast<std::uint32_t>(table.rows.size());
    table.by_class.insert(class_id, table.last_row);
    table.rows.push_back(
        {.class_id = class_id, .records = 0, .data_bytes = data_bytes, .room = {}, .first = {}});
  }
}

void Collector::on_instance_place(const HeapPlace& place) {
  wants_place_ = false;
  RawType& type = instances.rows[instances.last_row];
  if (!is_odd_) {
    type.first = place;
    return;
  }
  ++type.others;
  if (type.records == 3 && type.others == 2 && outvote_first(type, place)) {
    return;
  }
  if (odd_instances.size() < kMostOdd) {
    odd_instances.push_back({instances.last_row, data_bytes_, place});
  }
}

bool Collector::outvote_first(RawType& type, const HeapPlace& third) {
  const auto second = std::find_if(odd_instances.rbegin(), odd_instances.rend(),
                                   [&](const auto& odd) { return odd.type == instances.last_row; });
  if (second == odd_instances.rend() || second->data_bytes != data_bytes_) {
    return false;
  }
  *second = {.type = instances.last_row, .data_bytes = type.data_bytes, .place = type.first};
  type.data_bytes = data_bytes_;
  type.first = third;
  type.others = 1;
  return true;
}

NameIndex Collector::string_row(std::uint64_t string_id) const {
  const std::uint32_t row = string_rows_.find(string_id);
  return row == U64Map::kNone ? NameIndex::none() : NameIndex(row);
}

bool Collector::loaded_name(std::uint64_t class_id, std::uint64_t& name_id) const {
  const std::uint32_t row = load_rows_.find(class_id);
  if (row == U64Map::kNone) {
    return false;
  }
  name_id = loads_[row].name_id;
  return true;
}

std::uint64_t Collector::class_of_serial(std::uint32_t serial) const {
  const std::uint32_t row = serial_rows_.find(serial);
  return row == U64Map::kNone ? 0 : loads_[row].class_id;
}

}  // namespace hprof
