// Dumps leave classes out: those of other VMs name no java.lang.Class, damaged and concurrent ones
// miss records that instances refer to. Each gap is filled with a faked class, so that every object
// has a class with an object of its own.
#include "tools/hprof-index/class_table.h"

#include "common/text.h"
#include "formats/record_kind.h"
#include "tools/hprof-index/java_names.h"

#include <algorithm>

namespace hprof {

NameIndex NameCopier::copy(std::uint64_t string_id) {
  if (string_id == 0) {
    return NameIndex::none();
  }
  const std::uint32_t known = copied_.find(string_id);
  if (known != U64Map::kNone) {
    return NameIndex(known);
  }
  const NameIndex row = collected_.string_row(string_id);
  const NameIndex copied = row.is_none()
                               ? names_.add(concat(kUnresolvedName, hex_address(string_id)))
                               : names_.add(collected_.strings[row]);
  copied_.insert(string_id, copied.value());
  return copied;
}

ClassTable::ClassTable(Collector& collected, NameCopier& names, HeapIndex& index)
    : collected_(collected),
      names_(names),
      step_(index.summary.object_alignment),
      next_free_(index.summary.object_alignment) {
  take_dumped_classes(index);
  object_class_id_ = find_by_name(index, "java.lang.Object");  // NOLINT: once the classes are there
  fake_unknown_classes(index);
  fake_required_classes(index);
}

std::string ClassTable::class_name(std::uint64_t class_id) const {
  std::uint64_t name_id = 0;
  if (!collected_.loaded_name(class_id, name_id)) {
    return concat(kUnknownName, hex_address(class_id));
  }
  const NameIndex row = collected_.string_row(name_id);
  return row.is_none() ? concat(kUnresolvedName, hex_address(name_id))
                       : java_class_name(collected_.strings[row]);
}

void ClassTable::take_dumped_classes(HeapIndex& index) {
  for (const auto& raw : collected_.classes) {
    const auto& record = raw.record;
    ClassInfo info{.address = record.id,
                   .name = names_.add(class_name(record.id)),
                   .super_class = {},
                   .loader_address = record.loader_id,
                   .loader = {},
                   .object = {},
                   .instance_size = record.instance_size,
                   .stack_trace = record.trace_serial,
                   .faked = false,
                   .owns_object = raw.owns_object,
                   .signers = record.signers_id,
                   .protection_domain = record.domain_id,
                   .fields = {},
                   .statics = {}};
    for (const auto& member : raw.fields) {
      info.fields.push_back({.name = names_.copy(member.name_id), .type = member.type});
    }
    for (const auto& member : raw.statics) {
      info.statics.push_back(
          {.name = names_.copy(member.name_id), .type = member.type, .value = member.bits});
    }
    rows_.insert(record.id, static_cast<std::uint32_t>(index.classes.size()));
    super_ids_.push_back(record.super_id);
    index.classes.push_back(std::move(info));
  }
}

void ClassTable::add_faked(HeapIndex& index, ClassInfo info, const std::string& name) {
  info.name = names_.add(name);
  info.faked = true;
  info.owns_object = !collected_.addresses.insert(info.address);
  rows_.insert(info.address, static_cast<std::uint32_t>(index.classes.size()));
  super_ids_.push_back(info.address == object_class_id_ ? 0 : object_class_id_);
  index.classes.push_back(std::move(info));
  ++index.summary.fake_classes;
}

/// Fields of int, short and byte width that together are as long as the record.
static std::vector<Field> filling_fields(std::uint32_t data_bytes) {
  std::vector<Field> fields(data_bytes / 4, Field{.name = {}, .type = kTypeInt});
  if ((data_bytes & 2U) != 0) {
    fields.push_back({.name = {}, .type = kTypeShort});
  }
  if ((data_bytes & 1U) != 0) {
    fields.push_back({.name = {}, .type = kTypeByte});
  }
  return fields;
}

void ClassTable::fake_unknown(HeapIndex& index, std::uint64_t id, bool is_array,
                              std::uint32_t data_bytes) {
  if (id == 0 || rows_.find(id) != U64Map::kNone) {
    return;
  }
  ClassInfo info;
  info.address = id;
  info.instance_size = data_bytes;
  info.fields = filling_fields(data_bytes);
  add_faked(index, std::move(info),
            concat(kUnknownClass, unknown_classes_++, is_array ? "[]" : ""));
}

void ClassTable::fake_unknown_classes(HeapIndex& index) {
  for (const auto& row : collected_.instances.rows) {
    fake_unknown(index, row.class_id, false, row.data_bytes);
  }
  for (const auto& row : collected_.object_arrays.rows) {
    fake_unknown(index, row.class_id, true, 0);
  }
  for (const auto& raw : collected_.classes) {
    fake_unknown(index, raw.record.super_id, false, 0);
  }
}

std::uint64_t ClassTable::free_address() {
  while (collected_.addresses.contains(next_free_)) {
    next_free_ += step_;
  }
  return next_free_;
}

std::uint64_t ClassTable::require(HeapIndex& index, const std::string& name) {
  const std::uint64_t found = find_by_name(index, name);
  if (found != 0) {
    return found;
  }
  ClassInfo info;
  info.address = free_address();
  add_faked(index, info, name);
  return info.address;
}

void ClassTable::fake_required_classes(HeapIndex& index) {
  java_lang_class_id_ = require(index, "java.lang.Class");
  class_loader_id_ = require(index, "java.lang.ClassLoader");
  for (std::uint8_t type = kTypeBoolean; type <= kTypeLong; ++type) {
    if (collected_.primitive_arrays[type] != 0) {
      primitive_array_ids_[type] = require(index, primitive_array_name(type));
    }
  }
}

/// The class of that name, the boot loader's before others, the first one read before later ones; 0
/// if there is none.
std::uint64_t ClassTable::find_by_name(const HeapIndex& index, std::string_view name) const {
  std::uint64_t found = 0;
  for (const auto& info : index.classes) {
    if (index.names[info.name] == name) {
      if (info.loader_address == 0) {
        return info.address;
      }
      found = found == 0 ? info.address : found;
    }
  }
  return found;
}

ClassIndex ClassTable::by_id(std::uint64_t class_id) const {
  const std::uint32_t row = rows_.find(class_id);
  return row == U64Map::kNone ? ClassIndex::none() : ClassIndex(row);
}

void ClassTable::finish(HeapIndex& index) {
  std::vector<std::uint32_t> order(index.classes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return index.classes[a].address < index.classes[b].address;
  });
  std::vector<ClassInfo> sorted;
  sorted.reserve(order.size());
  for (std::uint32_t row = 0; row < order.size(); ++row) {
    sorted.push_back(std::move(index.classes[order[row]]));
    rows_.assign(sorted.back().address, row);
  }
  for (std::uint32_t row = 0; row < order.size(); ++row) {
    ClassInfo& info = sorted[row];
    info.object = index.addresses.index_of(info.address);
    info.super_class =
        super_ids_[order[row]] == 0 ? ClassIndex::none() : by_id(super_ids_[order[row]]);
    const ObjectIndex loader = index.addresses.index_of(info.loader_address);
    info.loader = loader.is_none() ? ObjectIndex(0) : loader;
  }
  index.classes = std::move(sorted);
}

}  // namespace hprof
