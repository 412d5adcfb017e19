#include "tools/hprof-report/paths/reference_names.h"

#include "formats/hprof_tags.h"
#include "formats/report/readable_text.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint8_t kJavaFrame = 0x03;  // ROOT_JAVA_FRAME

/// Fields of which a path tells only when there is no other: they do not keep an object alive.
bool is_weak(const NamedReference& reference) {
  return reference.declared_by == "java.lang.ref.Reference" && reference.name == "referent";
}

}  // namespace

void ReferenceNames::add_statics(ClassIndex class_index, const HeapObject& to,
                                 std::vector<NamedReference>& out) {
  const auto& info = heap_.index().classes[class_index.value()];
  const std::uint64_t target = heap_.address(to.index).value;
  for (const auto& field : info.statics) {
    if (field.type == kTypeObject && field.value == target && target != 0) {
      out.push_back({.via = Via::static_field,
                     .name = readable_text(heap_.index().names[field.name]),
                     .declared_by = heap_.class_name(class_index)});
    }
  }
  if (!info.super_class.is_none() &&
      heap_.index().classes[info.super_class.value()].object.value() == to.index) {
    out.push_back({.via = Via::super_class, .name = "<super>"});
  }
  if (info.loader.value() == to.index) {
    out.push_back({.via = Via::class_loader, .name = "<class loader>"});
  }
}

void ReferenceNames::add_locals(std::uint32_t thread, std::uint32_t object,
                                std::vector<NamedReference>& out) {
  const auto& roots = heap_.index().roots;
  auto root = std::lower_bound(
      roots.begin(), roots.end(), object,
      [](const RootInfo& r, std::uint32_t wanted) { return r.object.value() < wanted; });
  const auto frames = stacks_.frames_of(thread);
  for (; root != roots.end() && root->object.value() == object; ++root) {
    if (root->is_local() && root->thread.value() == thread) {
      out.push_back({.via = Via::local,
                     .name = root->kind == kJavaFrame ? "<Java Local>"
                                                      : "<" + root_kind_name(root->kind) + ">",
                     .frame = root->frame < frames.size() ? frames[root->frame] : nullptr});
    }
  }
}

void ReferenceNames::fetch(const HeapObject& from, const HeapObject& to, RecordFetcher& fetcher,
                           FieldTable& fields) {
  const ObjectIndex source(from.index);
  const ObjectIndex target(to.index);
  auto& out = names_[{from.index, to.index}];
  const auto kind = heap_.type(from.type).kind;
  if (kind == RecordKind::object_array) {
    fetcher.want_position(source, target, [&out](std::uint64_t position) {
      out.push_back({.via = Via::element, .name = "[" + std::to_string(position) + "]"});
    });
  } else if (kind == RecordKind::instance) {
    fetcher.want(source, [this, &out, &fields, target](const ObjectRecord& record) {
      for (const auto& field : fields.of(record.class_index())) {
        if (record.reference(field) == target) {
          out.push_back({.via = Via::field,
                         .name = readable_text(heap_.index().names[field.name]),
                         .declared_by = heap_.class_name(field.declared_by)});
        }
      }
    });
  }
}

void ReferenceNames::want(const HeapObject& from, const HeapObject& to, RecordFetcher* fetcher,
                          FieldTable* fields) {
  const auto [entry, is_new] = names_.try_emplace({from.index, to.index});
  if (!is_new) {
    return;
  }
  auto& out = entry->second;
  const auto stands_for = heap_.represented(from);
  if (!stands_for.is_none()) {
    add_statics(stands_for, to, out);
  }
  add_locals(from.index, to.index, out);
  if (heap_.type(from.type).class_object.value() == to.index) {
    out.push_back({.via = Via::own_class, .name = "<class>"});
  }
  if (fetcher != nullptr && fields != nullptr) {
    fetch(from, to, *fetcher, *fields);
  }
}

NamedReference ReferenceNames::of(std::uint32_t from, std::uint32_t to) const {
  const auto found = names_.find({from, to});
  if (found == names_.end() || found->second.empty()) {
    return {};
  }
  const auto& names = found->second;
  const auto rank = [](const NamedReference& name) {
    return name.via == Via::local ? 2 : is_weak(name) ? 3 : name.via == Via::own_class ? 1 : 0;
  };
  return *std::min_element(names.begin(), names.end(),
                           [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

}  // namespace hprof
