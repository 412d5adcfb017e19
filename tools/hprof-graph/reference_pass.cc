// Each record is coded while it lies in the read buffer: the compiled layout of its class says
// where references are, the rank bitmap turns ids into rows. Class objects need no record again,
// the index has all that is in them.
#include "tools/hprof-graph/reference_pass.h"

#include <algorithm>

namespace hprof {

LocalsOfThreads::LocalsOfThreads(const HeapIndex& index) {
  for (const auto& root : index.roots) {
    if (!root.is_local()) {
      continue;
    }
    const std::uint32_t row =
        threads_.insert(root.thread.value(), static_cast<std::uint32_t>(locals_.size()));
    if (row == locals_.size()) {
      locals_.emplace_back();
    }
    if (locals_[row].empty() || locals_[row].back() != root.object.value()) {
      locals_[row].push_back(root.object.value());
    }
  }
}

ReferencePass::ReferencePass(const HeapIndex& index, const Layouts& layouts,
                             const ShallowSizes& sizes, const std::vector<GraphType>& types)
    : index_(index),
      layouts_(layouts),
      sizes_(sizes),
      types_(types),
      locals_(index),
      wide_ids_(index.summary.identifier_size == 8) {
  if (index.summary.duplicate_ids != 0) {
    seen_ = BitVector(index.addresses.size());
    seen_.set(0);
    for (const auto& info : index.classes) {
      if (info.owns_object) {
        seen_.set(info.object.value());
      }
    }
  }
  if (!index.heaps.empty()) {
    object_heaps_ = BigArray<std::uint8_t>(index.addresses.size(), 0);
  }
  if (!index.summary.string_class.is_none()) {
    string_type_ = layouts.instance_type(index.classes[index.summary.string_class.value()].address);
  }
}

/// Begins an object; false when an earlier record has its id.
bool ReferencePass::start(std::uint64_t id, std::uint32_t type, bool chained) {
  const ObjectIndex object = index_.addresses.index_of(id);
  const bool is_known = !object.is_none();
  const bool is_first = is_known && (seen_.size() == 0 || !seen_.test_and_set(object.value()));
  if (!is_known || (is_first && type == U64Map::kNone)) {
    fail(ExitCode::stale, dump_,
         ": holds an object that its index does not know; run hprof-index on it again");
  }
  object_ = object.value();
  type_ = type;
  lowest_ = std::min(lowest_, object_);
  highest_ = std::max(highest_, object_);
  row_.begin(object_, chained);
  note_heap(object_);
  return is_first;
}

void ReferencePass::close_place() {
  auto& rows = result_.totals.places.rows;
  if (!rows.empty()) {
    rows.back().lowest = lowest_;
    rows.back().highest = highest_;
  }
  lowest_ = 0xffffffffU;
  highest_ = 0;
}

void ReferencePass::on_place(std::uint64_t position, std::uint64_t left) {
  close_place();
  result_.totals.places.rows.push_back({.position = position, .left = left});
}

void ReferencePass::on_heap_info(std::uint32_t heap_id, std::uint64_t /*name_id*/) {
  const auto& heaps = index_.heaps;
  const auto found = heaps.empty()
                         ? heaps.end()
                         : std::find_if(heaps.begin() + 1, heaps.end(),
                                        [&](const HeapInfo& h) { return h.id == heap_id; });
  heap_ = found == heaps.end() ? 0 : static_cast<std::uint8_t>(found - heaps.begin());
}

void ReferencePass::on_class(const ClassDumpRecord& record) {
  const ObjectIndex object = index_.addresses.index_of(record.id);
  if (!object.is_none()) {
    note_heap(object.value());
  }
}

std::vector<HeapRun> ReferencePass::heap_runs() const {
  std::vector<HeapRun> runs;
  for (std::uint64_t object = 0; object < object_heaps_.size(); ++object) {
    if (runs.empty() || runs.back().heap != object_heaps_[object]) {
      runs.push_back({.first = static_cast<std::uint32_t>(object), .heap = object_heaps_[object]});
    }
  }
  return runs;
}

bool ReferencePass::add_reference(std::uint64_t id, std::uint64_t& dangling) {
  if (id == 0) {
    return false;
  }
  const ObjectIndex target = index_.addresses.index_of(id);
  if (target.is_none()) {
    ++dangling;
    return false;
  }
  row_.add(target.value());
  return true;
}

void ReferencePass::mark_excluded(const RowEncoder& row, std::uint32_t object) {
  result_.excluded.push_back({.source = object, .ordinal = row.count() - 1});
}

void ReferencePass::add_locals(RowEncoder& row, std::uint32_t object) {
  for (const std::uint32_t local : locals_.of(object)) {
    row.add(local);
  }
}

void ReferencePass::expect_fields(std::uint64_t class_id,
                                  std::span<const std::uint8_t> data) const {
  const std::uint32_t type = layouts_.instance_type(class_id);
  if (type == U64Map::kNone) {
    return;
  }
  const std::uint32_t width = wide_ids_ ? 8 : 4;
  for (const std::uint64_t offset : layouts_.layout(type).offsets) {
    if (offset + width <= data.size()) {
      index_.addresses.prefetch(id_at(data.data() + offset));
    }
  }
}

void ReferencePass::expect_elements(std::span<const std::uint8_t> ids) const {
  const std::size_t width = wide_ids_ ? 8 : 4;
  for (std::size_t at = 0; at < ids.size(); at += width) {
    index_.addresses.prefetch(id_at(ids.data() + at));
  }
}

void ReferencePass::on_instance(std::uint64_t id, std::uint64_t class_id,
                                std::uint32_t /*trace_serial*/, std::uint32_t data_bytes,
                                const std::uint8_t* data) {
  if (class_id != last_class_ || last_type_ == U64Map::kNone) {
    last_class_ = class_id;
    last_type_ = layouts_.instance_type(class_id);
  }
  if (!start(id, last_type_, false)) {
    return;
  }
  const InstanceLayout& layout = layouts_.layout(type_);
  const std::uint32_t width = wide_ids_ ? 8 : 4;
  result_.totals.short_instances += data_bytes < layout.data_bytes ? 1 : 0;
  auto next_excluded = layout.excluded.begin();
  for (std::uint32_t i = 0; i < layout.offsets.size(); ++i) {
    const std::uint64_t offset = layout.offsets[i];
    const bool excluded = next_excluded != layout.excluded.end() && *next_excluded == i;
    if (excluded) {
      ++next_excluded;
    }
    if (offset + width <= data_bytes &&
        add_reference(id_at(data + offset), result_.totals.dangling_instance) && excluded) {
      mark_excluded(row_, object_);
    }
  }
  if (type_ == string_type_) {
    harvest_string(data_bytes);
  }
  emit(0);
}

/// The content array of a string is its one reference, which has just been coded; where the layout
/// was not to be had from the class dump, readers must look at the record instead.
void ReferencePass::harvest_string(std::uint32_t data_bytes) {
  const std::uint32_t offset = index_.summary.string_value_offset;
  const std::uint64_t width = wide_ids_ ? 8 : 4;
  if (offset != 0xffffffffU && offset + width <= data_bytes) {
    ++result_.totals.strings_harvested;
  } else {
    ++result_.totals.strings_fallback;
  }
}

void ReferencePass::on_object_array(std::uint64_t id, std::uint64_t class_id,
                                    std::uint32_t /*trace_serial*/, std::uint32_t elements) {
  skipping_ = !start(id, layouts_.array_type(class_id), true);
  length_ = elements;
}

void ReferencePass::on_elements(std::span<const std::uint8_t> ids) {
  if (skipping_) {
    return;
  }
  const std::size_t width = wide_ids_ ? 8 : 4;
  const std::size_t ahead = kElementsAhead * width;
  for (std::size_t at = 0; at < ids.size(); at += width) {
    if (at + ahead < ids.size()) {
      index_.addresses.prefetch(id_at(ids.data() + at + ahead));
    }
    add_reference(id_at(ids.data() + at), result_.totals.dangling_array);
  }
}

void ReferencePass::on_object_array_end() {
  if (!skipping_) {
    emit(length_);
  }
}

void ReferencePass::on_primitive_array(std::uint64_t id, std::uint8_t type,
                                       std::uint32_t /*trace_serial*/, std::uint32_t elements) {
  const bool is_new = start(id, layouts_.primitive_type(type), false);
  hashing_ = is_new && hash_mask_ != 0;
  if (hashing_) {
    length_ = elements;
    content_ = ContentHash(0, static_cast<RecordKind>(type), elements);
    content_bytes_ = std::uint64_t{elements} * primitive_width(type);
  } else if (is_new) {
    emit(elements);
  }
}

void ReferencePass::on_contents(std::span<const std::uint8_t> elements) {
  content_.add(elements);
  content_bytes_ -= elements.size();
}

void ReferencePass::on_contents_end() {
  const bool complete = content_bytes_ == 0;
  emit(length_, complete ? std::max<std::uint64_t>(content_.value() & hash_mask_, kNoContent + 1)
                         : kNoContent);
}

std::uint64_t ReferencePass::count(const RowEncoder& row, std::uint32_t type,
                                   std::uint64_t length) {
  result_.totals.edges += row.count();
  result_.totals.all_shallow =
      checked_add(result_.totals.all_shallow, types_[type].shallow(length));
  return length;
}

void ReferencePass::emit(std::uint64_t length, std::uint64_t hash) {
  add_locals(row_, object_);
  count(row_, type_, length);
  sink_->put(object_, {.type = type_, .length = length, .row = row_.bytes(), .hash = hash});
}

void ReferencePass::add_class_references(const ClassInfo& info) {
  RowEncoder& row = recordless_row_;
  if (!info.super_class.is_none()) {
    row.add(index_.classes[info.super_class.value()].object.value());
  }
  row.add(info.loader.value());
  for (const auto& field : info.statics) {
    if (field.type != kTypeObject || field.value == 0) {
      continue;
    }
    const ObjectIndex target = index_.addresses.index_of(field.value);
    if (target.is_none()) {
      ++result_.totals.dangling_class;
      continue;
    }
    row.add(target.value());
    if (is_excluded_field(index_.names[info.name], index_.names[field.name])) {
      mark_excluded(row, info.object.value());
    }
  }
}

CodedObject ReferencePass::make(std::uint32_t index) {
  RowEncoder& row = recordless_row_;
  row.begin(index, false);
  CodedObject object;
  if (index == 0) {
    object.type = layouts_.class_loader_type();
  } else {
    const auto found = std::lower_bound(
        index_.classes.begin(), index_.classes.end(), index,
        [](const ClassInfo& info, std::uint32_t value) { return info.object.value() < value; });
    if (found == index_.classes.end() || found->object.value() != index || !found->owns_object) {
      fail(ExitCode::stale, dump_,
           ": lacks an object that its index knows; run hprof-index on it again");
    }
    object.type = layouts_.class_object_type();
    object.length = sizes_.static_bytes(*found);
    add_class_references(*found);
  }
  add_locals(row, index);
  count(row, object.type, object.length);
  object.row = row.bytes();
  return object;
}

PassResult ReferencePass::result(std::uint64_t heap_end) {
  close_place();
  result_.totals.places.end = heap_end;
  auto& totals = result_.totals;
  totals.dangling_references =
      totals.dangling_instance + totals.dangling_array + totals.dangling_class;
  totals.excluded_edges = result_.excluded.size();
  totals.heap_runs = heap_runs();
  std::sort(result_.excluded.begin(), result_.excluded.end());
  return std::move(result_);
}

}  // namespace hprof
