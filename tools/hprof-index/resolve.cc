// Ids can name things that stand later in the file, or nowhere, so everything is resolved after the
// last record: first the set of classes is completed, then their objects join the address set, and
// only then do rows exist.
#include "tools/hprof-index/resolve.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/hprof_tags.h"
#include "tools/hprof-index/class_table.h"
#include "tools/hprof-index/java_names.h"

#include <algorithm>
#include <string>

namespace hprof {
namespace {

constexpr std::uint32_t kLeastAlignment = 8;
constexpr std::uint32_t kMostAlignment = 256;

IndexSummary summarize(const Collector& collected, const HprofHeader& header) {
  IndexSummary summary;
  summary.format = header.format;
  summary.identifier_size = static_cast<std::uint8_t>(header.identifier_size);
  summary.reference_size =
      collected.saw_compressed_references() ? 4 : static_cast<std::uint8_t>(header.identifier_size);
  summary.object_alignment = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(collected.address_step(), kLeastAlignment, kMostAlignment));
  summary.duplicate_ids = collected.duplicate_ids;
  summary.shadowed_class_dumps = collected.shadowed_class_dumps;
  summary.strict_roots = collected.strict_roots;
  summary.roots_left_out = collected.roots_left_out;
  summary.addresses_ascend = collected.addresses_ascend();
  return summary;
}

void add_types(const Collector& collected, const ClassTable& table, HeapIndex& index) {
  const auto add = [&](ClassIndex class_index, RecordKind kind, std::uint64_t records) {
    if (class_index.is_none()) {
      fail(ExitCode::bad_data,
           "an object names id 0 as its class; the dump is damaged, take it again");
    }
    if (records != 0) {
      index.types.push_back({.class_index = class_index, .kind = kind, .records = records});
    }
  };
  const ClassIndex loader_class = table.java_lang_class_loader();
  bool loader_has_row = false;
  for (const auto& row : collected.instances.rows) {
    const ClassIndex class_index = table.by_id(row.class_id);
    const bool is_loader = class_index == loader_class;
    loader_has_row = loader_has_row || is_loader;
    add(class_index, RecordKind::instance, row.records + (is_loader ? 1 : 0));
  }
  if (!loader_has_row) {
    add(loader_class, RecordKind::instance, 1);
  }
  for (const auto& row : collected.object_arrays.rows) {
    add(table.by_id(row.class_id), RecordKind::object_array, row.records);
  }
  for (std::uint8_t type = kTypeBoolean; type <= kTypeLong; ++type) {
    if (collected.primitive_arrays[type] != 0) {
      add(table.primitive_array(type), static_cast<RecordKind>(type),
          collected.primitive_arrays[type]);
    }
  }
  const auto owners = std::count_if(index.classes.begin(), index.classes.end(),
                                    [](const ClassInfo& info) { return info.owns_object; });
  add(table.java_lang_class(), RecordKind::class_object, static_cast<std::uint64_t>(owners));
  std::sort(index.types.begin(), index.types.end(), [](const TypeInfo& a, const TypeInfo& b) {
    return std::tuple(b.records, a.class_index, a.kind) <
           std::tuple(a.records, b.class_index, b.kind);
  });
}

void add_spacings(const Collector& collected, const ClassTable& table, HeapIndex& index) {
  const auto add = [&](RecordKind kind, ClassIndex class_index, std::uint32_t width,
                       const Room& room) {
    if (room.seen != 0) {
      index.spacings.push_back({.kind = kind,
                                .class_index = class_index,
                                .width = width,
                                .least = room.least,
                                .seen = room.seen});
    }
  };
  for (const auto& row : collected.instances.rows) {
    add(RecordKind::instance, table.by_id(row.class_id), 0, row.room);
  }
  add(RecordKind::object_array, {}, 4, collected.narrow_array_room);
  if (index.summary.identifier_size == 8) {
    add(RecordKind::object_array, {}, 8, collected.object_array_room);
  }
  for (std::uint8_t type = kTypeBoolean; type <= kTypeLong; ++type) {
    add(static_cast<RecordKind>(type), {}, primitive_width(type),
        collected.primitive_array_rooms[type]);
  }
}

void add_heaps(const Collector& collected, NameCopier& names, HeapIndex& index) {
  if (collected.heaps.empty()) {
    return;
  }
  index.heaps.push_back({.id = 0, .name = names.add("default")});
  for (const auto& heap : collected.heaps) {
    index.heaps.push_back({.id = heap.id, .name = names.copy(heap.name_id)});
  }
}

void add_roots(const Collector& collected, HeapIndex& index) {
  bool any_sticky = false;
  for (const auto& raw : collected.roots) {
    any_sticky = any_sticky || raw.tag == sub::kRootStickyClass;
    RootInfo root{.object = index.addresses.index_of(raw.id),
                  .kind = raw.tag,
                  .thread = {},
                  .frame = raw.frame};
    if (root.object.is_none()) {
      ++index.summary.dangling_roots;
      continue;
    }
    if (raw.thread_address != 0) {
      root.thread = index.addresses.index_of(raw.thread_address);
      if (root.thread.is_none()) {
        ++index.summary.lost_locals;
        continue;
      }
    }
    index.roots.push_back(root);
  }
  index.summary.root_fallback = !any_sticky;
  std::sort(index.roots.begin(), index.roots.end());
}

/// Without any system class root in the dump, the boot loader's classes are roots (semantics: §3,
/// fallback).
void add_fallback_roots(HeapIndex& index) {
  std::vector<RootInfo> added;
  for (const auto& info : index.classes) {
    const auto found = std::lower_bound(
        index.roots.begin(), index.roots.end(), info.object,
        [](const RootInfo& root, ObjectIndex object) { return root.object < object; });
    bool is_root = false;
    for (auto at = found; at != index.roots.end() && at->object == info.object; ++at) {
      is_root = is_root || !at->is_local();
    }
    const bool is_array = index.names[info.name].ends_with("[]");
    if (info.loader.value() == 0 && !is_array && !is_root) {
      added.push_back({.object = info.object,
                       .kind = sub::kRootStickyClass,
                       .thread = {},
                       .frame = 0xffffffffU});
    }
  }
  index.roots.insert(index.roots.end(), added.begin(), added.end());
  std::sort(index.roots.begin(), index.roots.end());
}

void add_threads(const Collector& collected, HeapIndex& index) {
  for (const auto& raw : collected.threads) {
    index.threads.push_back({.serial = raw.serial,
                             .object = index.addresses.index_of(raw.id),
                             .trace_serial = raw.trace_serial});
  }
}

void add_stacks(Collector& collected, const ClassTable& table, NameCopier& names,
                HeapIndex& index) {
  for (const auto& raw : collected.frames) {
    const ClassIndex of = table.by_id(collected.class_of_serial(raw.class_serial));
    index.frames.push_back(
        {.id = raw.id,
         .method = names.copy(raw.method_id),
         .signature = names.copy(raw.signature_id),
         .source_file = names.copy(raw.source_id),
         .class_name = of.is_none() ? NameIndex::none() : index.classes[of.value()].name,
         .line = raw.line});
  }
  for (auto& raw : collected.traces) {
    index.traces.push_back({.serial = raw.serial,
                            .thread_serial = raw.thread_serial,
                            .frame_ids = std::move(raw.frame_ids)});
  }
}

void add_census(const Collector& collected, HeapIndex& index) {
  for (unsigned tag = 0; tag < 256; ++tag) {
    const auto byte = static_cast<std::uint8_t>(tag);
    if (collected.record_counts[tag] != 0) {
      index.records.push_back({.tag = byte,
                               .count = collected.record_counts[tag],
                               .bytes = collected.record_bytes[tag]});
    }
    if (collected.sub_record_counts[tag] != 0) {
      index.sub_records.push_back(
          {.tag = byte, .count = collected.sub_record_counts[tag], .bytes = 0});
    }
  }
}

/// Works out where a java.lang.String keeps its content: its one own field of object type. Own
/// fields come first in an instance record, so the offset needs no other class.
void locate_string_value(HeapIndex& index) {
  for (std::uint32_t i = 0; i < index.classes.size(); ++i) {
    const ClassInfo& info = index.classes[i];
    if (info.loader.value() == 0 && index.names[info.name] == "java.lang.String") {
      index.summary.string_class = ClassIndex(i);
      break;
    }
  }
  if (index.summary.string_class.is_none()) {
    return;
  }
  std::uint32_t offset = 0;
  std::uint32_t found = 0;
  for (const auto& field : index.classes[index.summary.string_class.value()].fields) {
    if (field.type == kTypeObject) {
      index.summary.string_value_offset = offset;
      ++found;
    }
    offset +=
        field.type == kTypeObject ? index.summary.identifier_size : primitive_width(field.type);
  }
  if (found != 1) {
    index.summary.string_value_offset = 0xffffffffU;
  }
}

}  // namespace

HeapIndex resolve(Collector&& collected, const HprofHeader& header) {
  HeapIndex index;
  index.summary = summarize(collected, header);
  NameCopier names(collected, index.names);
  ClassTable table(collected, names, index);
  index.addresses = std::move(collected.addresses);
  index.addresses.freeze();
  table.finish(index);
  index.summary.java_lang_class = table.java_lang_class();
  index.summary.class_loader_class = table.java_lang_class_loader();
  add_types(collected, table, index);
  add_spacings(collected, table, index);
  add_roots(collected, index);
  if (index.summary.root_fallback) {
    add_fallback_roots(index);
  }
  add_threads(collected, index);
  add_stacks(collected, table, names, index);
  add_heaps(collected, names, index);
  add_census(collected, index);
  locate_string_value(index);
  return index;
}

}  // namespace hprof
