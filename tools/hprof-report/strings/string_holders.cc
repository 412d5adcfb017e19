#include "tools/hprof-report/strings/string_holders.h"

#include "common/bring_near.h"
#include "common/byte_cursor.h"
#include "common/text.h"
#include "formats/report/readable_text.h"

#include <algorithm>
#include <utility>

namespace hprof {

StringHolderTally::StringHolderTally(const Heap& heap, DumpSource& dump, const StringHeap& strings,
                                     std::unique_ptr<MarkedObjects> marked_strings,
                                     std::unique_ptr<MarkedObjects> marked_arrays)
    : heap_(heap),
      dump_(dump),
      strings_(strings),
      marked_strings_(std::move(marked_strings)),
      marked_arrays_(std::move(marked_arrays)),
      id_size_(dump.index().summary.identifier_size),
      content_(heap.objects()),
      fields_(dump.index().types.size()),
      array_sites_(dump.index().types.size(), kNothing) {
  strings.strings().for_each_set([this](std::uint64_t string) { content_.set(string); });
  marked_arrays_->for_each([this](std::uint64_t array) { content_.set(array); });
  content_.finish();
  seen_ = BitVector(content_.count());
  of_content_ = BigArray<Content>(content_.count());
  retained_ = PackedNumbers(content_.count(), heap.used_heap());
  name_arrays();
}

std::uint32_t StringHolderTally::add_site(std::string label) {
  labels_.push_back(std::move(label));
  string_sums_.emplace_back();
  return static_cast<std::uint32_t>(labels_.size() - 1);
}

void StringHolderTally::name_arrays() {
  for (std::uint32_t type = 0; type < array_sites_.size(); ++type) {
    const auto& info = dump_.index().types[type];
    if (info.kind == RecordKind::object_array && strings_.references_content(type)) {
      array_sites_[type] = add_site(heap_.class_name(info.class_index));
    }
  }
}

bool StringHolderTally::wants(std::uint32_t type) {
  const auto& info = dump_.index().types[type];
  if (info.kind != RecordKind::instance || !strings_.references_content(type) ||
      info.class_index == dump_.index().summary.string_class) {
    return false;
  }
  name_fields(type);
  return !fields_[type].empty();
}

void StringHolderTally::name_fields(std::uint32_t type) {
  const auto index = dump_.index().types[type].class_index;
  for (const auto& field : dump_.fields().of(index)) {
    if (field.type == kTypeObject) {
      const std::string name = readable_text(dump_.index().names[field.name]);
      fields_[type].push_back(
          {.offset = field.offset, .site = add_site(concat(heap_.class_name(index), "#", name))});
    }
  }
}

std::uint64_t StringHolderTally::id_at(const std::uint8_t* bytes) const {
  return id_size_ == 8 ? load_big_endian<std::uint64_t>(bytes)
                       : load_big_endian<std::uint32_t>(bytes);
}

void StringHolderTally::on_instance(const ObjectRecord& record) {
  const auto bytes = record.bytes();
  for (const auto& field : fields_[record.type()]) {
    if (bytes.size() >= id_size_ && field.offset <= bytes.size() - id_size_) {
      note_id(id_at(bytes.data() + field.offset), field.site, record.object());
    }
  }
}

void StringHolderTally::add_statics(const std::function<bool(std::uint32_t)>& is_reachable) {
  for (const auto& info : dump_.index().classes) {
    if (!info.owns_object || !is_reachable(info.object.value())) {
      continue;
    }
    for (const auto& field : info.statics) {
      if (field.type != kTypeObject || field.value == 0 ||
          !is_content(dump_.index().addresses.index_of(field.value))) {
        continue;
      }
      const auto site = add_site("class " + readable_text(dump_.index().names[info.name]) + "." +
                                 readable_text(dump_.index().names[field.name]));
      note_id(field.value, site, info.object.value());
    }
  }
  flush();
}

bool StringHolderTally::is_content(ObjectIndex target) const {
  return !target.is_none() && content_.test(target.value());
}

void StringHolderTally::add_content(const DomtreeNode& node) {
  const bool is_string = strings_.is_string(node.index);
  const auto mark = is_string ? marked_strings_->of(node.index) : marked_arrays_->of(node.index);
  of_content_[noted_++] = {.above = node.dominator, .mark = mark, .is_string = is_string};
  retained_.append(node.retained);
}

void StringHolderTally::note_id(std::uint64_t id, std::uint32_t site, std::uint32_t holder) {
  if (id != 0) {
    advance({.id = id, .site = site, .holder = holder});
  }
}

/// Where an id leads, and what is kept of the target, lie anywhere in memory. So each reference
/// waits for both to be brought near while others follow it.
void StringHolderTally::advance(const Reference& next) {
  waiting(0) = next;
  if (next.id != 0) {
    dump_.index().addresses.prefetch(next.id);
  }
  find_target(waiting(kWait));
  find_content(waiting(2 * kWait));
  note(waiting(3 * kWait));
  ++step_;
}

void StringHolderTally::find_target(Reference& reference) {
  if (reference.id != 0) {
    const ObjectIndex target = dump_.index().addresses.index_of(reference.id);
    reference.target = target.is_none() ? kNothing : target.value();
  }
  if (reference.target != kNothing) {
    content_.prefetch(reference.target);
  }
}

void StringHolderTally::find_content(Reference& reference) {
  reference.place = kNothing;
  if (reference.target != kNothing && content_.test(reference.target)) {
    reference.place = static_cast<std::uint32_t>(content_.rank(reference.target));
    bring_near(&of_content_[reference.place]);
  }
}

void StringHolderTally::flush() {
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    advance({});
  }
}

void StringHolderTally::note(const Reference& reference) {
  if (reference.place == kNothing) {
    return;
  }
  const Content& content = of_content_[reference.place];
  const bool alone = content.above == reference.holder && !seen_.test_and_set(reference.place);
  const std::uint64_t retained = alone ? retained_[reference.place] : 0;
  const auto add = [&](Sum& sum) {
    ++sum.references;
    sum.held_alone += alone ? 1 : 0;
    sum.retained += retained;
  };
  if (content.is_string) {
    add(string_sums_[reference.site]);
  }
  if (content.mark != MarkedObjects::kNone) {
    add(mark_sums_[content.mark][reference.site]);
  }
}

/// Sites of one label go together: classes of one name, fields of one name in a class and its
/// super class.
void StringHolderTally::add_to(LabelledSums& sums, std::uint32_t site, const Sum& sum) const {
  auto& total = sums[labels_[site]];
  total.references += sum.references;
  total.held_alone += sum.held_alone;
  total.retained += sum.retained;
}

std::vector<TextHolder> StringHolderTally::rows(const LabelledSums& sums) {
  std::vector<TextHolder> out;
  for (const auto& [label, sum] : sums) {
    out.push_back({.holder = label,
                   .references = sum.references,
                   .held_alone = sum.held_alone,
                   .retained = sum.retained});
  }
  return out;
}

std::vector<TextHolder> StringHolderTally::of_strings(std::size_t count) const {
  LabelledSums sums;
  for (std::uint32_t site = 0; site < string_sums_.size(); ++site) {
    if (string_sums_[site].references != 0) {
      add_to(sums, site, string_sums_[site]);
    }
  }
  auto out = rows(sums);
  std::stable_sort(out.begin(), out.end(), [](const TextHolder& a, const TextHolder& b) {
    return a.retained != b.retained ? a.retained > b.retained : a.references > b.references;
  });
  out.resize(std::min(out.size(), count));
  return out;
}

std::vector<TextHolder> StringHolderTally::of_mark(std::uint8_t mark, std::size_t count) const {
  LabelledSums sums;
  if (const auto found = mark_sums_.find(mark); found != mark_sums_.end()) {
    for (const auto& [site, sum] : found->second) {
      add_to(sums, site, sum);
    }
  }
  auto out = rows(sums);
  std::stable_sort(out.begin(), out.end(), [](const TextHolder& a, const TextHolder& b) {
    return a.references > b.references;
  });
  out.resize(std::min(out.size(), count));
  return out;
}

}  // namespace hprof
