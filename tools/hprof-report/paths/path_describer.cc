#include "tools/hprof-report/paths/path_describer.h"

#include "common/text.h"
#include "formats/report/path_line.h"
#include "formats/report/readable_text.h"

namespace hprof {
namespace {

constexpr std::string_view kThreadLocalEntry = "java.lang.ThreadLocal$ThreadLocalMap$Entry";

/// The object that references number `i` of a path.
std::uint32_t referrer(const ObjectPath& path, std::size_t i) {
  return path.left_out != 0 && i == path.left_out_after ? path.last_left_out : path.objects[i - 1];
}

}  // namespace

PathDescriber::PathDescriber(const Heap& heap, const RootKinds& roots, DumpSource* dump)
    : heap_(heap), roots_(roots), dump_(dump), stacks_(heap.index()), names_(heap, stacks_) {}

void PathDescriber::want(const ObjectPath& path) {
  objects_.want(path.objects);
  if (path.left_out != 0) {
    objects_.want(path.last_left_out);
  }
  wanted_.push_back(path);
}

void PathDescriber::look_up() {
  std::optional<RecordFetcher> fetcher;
  if (dump_ != nullptr) {
    fetcher.emplace(*dump_);
  }
  for (const auto& path : wanted_) {
    want_names(path, fetcher ? &*fetcher : nullptr, dump_ == nullptr ? nullptr : &dump_->fields());
  }
  if (fetcher) {
    fetcher->run();
  }
}

void PathDescriber::want_names(const ObjectPath& path, RecordFetcher* fetcher, FieldTable* fields) {
  for (std::size_t i = 0; i < path.objects.size(); ++i) {
    const auto& object = objects_.at(path.objects[i]);
    if (i != 0) {
      names_.want(objects_.at(referrer(path, i)), object, fetcher, fields);
    }
    if (fetcher != nullptr && stacks_.is_thread(object.index)) {
      want_thread_name(object.index, *fetcher);
    }
    if (fetcher != nullptr && heap_.class_name(heap_.class_of(object)) == kThreadLocalEntry) {
      want_key(object, *fetcher);
    }
  }
}

/// The name is a string, before JDK 9 a char array in some versions.
void PathDescriber::want_thread_name(std::uint32_t thread, RecordFetcher& fetcher) {
  const auto [entry, is_new] = thread_names_.try_emplace(thread);
  if (!is_new) {
    return;
  }
  auto& name = entry->second;
  fetcher.want(ObjectIndex(thread), [&name, &fetcher](const ObjectRecord& record) {
    const ObjectIndex text = record.reference("name", "java.lang.Thread");
    fetcher.want_text(text, [&name](const JavaText& value) { name = value.utf8; });
    fetcher.want(text, [&name](const ObjectRecord& array) {
      if (array.kind() == RecordKind::char_array) {
        name = decode_text(array.bytes(), array.kind(), array.elements(), StringSlice()).utf8;
      }
    });
  });
}

void PathDescriber::want_key(const HeapObject& entry, RecordFetcher& fetcher) {
  const std::uint64_t address = heap_.address(entry.index).value;
  fetcher.want(ObjectIndex(entry.index), [this, address](const ObjectRecord& record) {
    note_key(address, record.reference("referent"));
  });
}

/// A ThreadLocal is known by the static field that holds it; most are in one.
void PathDescriber::note_key(std::uint64_t entry, ObjectIndex key) {
  if (key.is_none()) {
    return;
  }
  const std::uint64_t address = heap_.index().addresses.address_at(key);
  const auto& classes = heap_.index().classes;
  for (std::uint32_t row = 0; row < classes.size(); ++row) {
    for (const auto& field : classes[row].statics) {
      if (field.type == kTypeObject && field.value == address) {
        keys_[entry] = {heap_.class_name(ClassIndex(row)),
                        readable_text(heap_.index().names[field.name])};
        return;
      }
    }
  }
}

PathStep PathDescriber::step(std::uint32_t object) const {
  const auto reference = heap_.reference(objects_.at(object));
  const auto name = thread_name(object);
  return {.via = Via::unknown,
          .reference = "?",
          .address = reference.address,
          .class_name = reference.class_name,
          .label = reference.label + (name ? " " + *name : ""),
          .shallow = reference.shallow,
          .retained = reference.retained};
}

void PathDescriber::add_reference(PathStep& step, std::uint32_t from, std::uint32_t to) const {
  const auto name = names_.of(from, to);
  step.via = name.via;
  step.reference = name.name;
  if (!name.declared_by.empty()) {
    step.declared_by = name.declared_by;
  }
  if (name.frame != nullptr) {
    step.declared_by = stacks_.class_of(*name.frame);
    step.frame = stacks_.frame_text(*name.frame);
  }
}

ReferencePath PathDescriber::describe(const ObjectPath& path) const {
  ReferencePath out;
  for (std::size_t i = 0; i < path.objects.size(); ++i) {
    auto next = step(path.objects[i]);
    if (i == 0) {
      next.via = Via::root;
      next.reference = roots_.joined(path.objects[i]);
    } else {
      add_reference(next, referrer(path, i), path.objects[i]);
    }
    out.steps.push_back(std::move(next));
  }
  out.left_out = path.left_out;
  out.left_out_after = path.left_out_after;
  out.only_weak = path.only_weak;
  out.line = path_line(out);
  return out;
}

std::optional<Holder> PathDescriber::static_holder(const HeapObject& from, const HeapObject& to) {
  names_.want(from, to, nullptr, nullptr);
  const auto name = names_.of(from.index, to.index);
  if (name.via != Via::static_field) {
    return std::nullopt;
  }
  return Holder{.kind = HolderKind::static_field,
                .class_name = name.declared_by,
                .member = name.name,
                .name = name.declared_by + "." + name.name,
                .address = heap_.address(from.index)};
}

std::optional<std::string> PathDescriber::thread_name(std::uint32_t thread) const {
  const auto found = thread_names_.find(thread);
  return found == thread_names_.end() ? std::nullopt : found->second;
}

}  // namespace hprof
