// What is equal is known from X.graph but for collisions; the dump is read to rule those out, for
// the coders of Strings and for who holds what. Holders are counted for the groups that promise to
// save most before that reading, more than the report shows.
#include "tools/hprof-report/strings/strings_filler.h"

#include "common/text.h"
#include "formats/graph_stream.h"
#include "formats/report/units.h"
#include "tools/hprof-report/strings/best_rows.h"
#include "tools/hprof-report/strings/object_headers.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hprof {
namespace {

/// Bytes that a group saves, its first array, the group.
struct GroupSaving {
  std::uint64_t bytes = 0;
  std::uint32_t first = 0;
  std::uint32_t group = 0;
};

bool saves_more(const GroupSaving& a, const GroupSaving& b) {
  return a.bytes != b.bytes ? a.bytes > b.bytes : a.first < b.first;
}

std::string text_of(const JavaText& text) {
  return text.cut ? text.utf8 + "…" : text.utf8;
}

}  // namespace

std::uint64_t StringsFiller::strings_save(const ContentGroup& group) const {
  if (group.strings < 2) {
    return 0;
  }
  const std::uint64_t arrays = std::max<std::uint64_t>(group.under_strings, 1) - 1;
  return arrays * shallow_of(group) + (group.strings - 1) * strings_.string_shallow();
}

/// What the arrays save that no String has.
std::uint64_t StringsFiller::arrays_save(const ContentGroup& group) const {
  const std::uint64_t loose = group.members - std::min(group.members, group.under_strings);
  const std::uint64_t stays = group.under_strings == 0 ? 1 : 0;
  return loose <= stays ? 0 : (loose - stays) * shallow_of(group);
}

/// Numbers the groups that save most; by group, MarkedObjects::kNone for the others.
template <typename Saves>
std::vector<std::uint8_t> StringsFiller::mark_groups(Saves&& saves, std::uint8_t first_mark) const {
  using Row = std::pair<std::uint64_t, std::uint32_t>;
  const auto better = [](const Row& a, const Row& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  const auto& groups = strings_.groups().rows();
  std::vector<Row> best;
  for (std::uint32_t group = 0; group < groups.size(); ++group) {
    if (const std::uint64_t bytes = saves(groups[group]); bytes != 0) {
      add_bounded(best, Row(bytes, group), kMostMarks, better);
    }
  }
  keep_best(best, kMostMarks, better);
  std::vector<std::uint8_t> marks(groups.size(), MarkedObjects::kNone);
  for (std::size_t i = 0; i < best.size(); ++i) {
    marks[best[i].second] = static_cast<std::uint8_t>(first_mark + i);
  }
  return marks;
}

std::unique_ptr<MarkedObjects> StringsFiller::mark_arrays() const {
  auto marked = std::make_unique<MarkedObjects>(heap_.objects());
  std::uint64_t number = 0;
  for (std::uint32_t object = 0; number < strings_.arrays().count(); ++object) {
    if (!strings_.arrays().test(object)) {
      continue;
    }
    const std::uint32_t group = strings_.groups().of(number++);
    if (group != ContentGroups::kNone && array_marks_[group] != MarkedObjects::kNone) {
      marked->add(object, array_marks_[group]);
    }
  }
  marked->finish();
  return marked;
}

/// Marks the Strings over arrays of marked groups; the same pass over the references finds the
/// objects in the JVM's caches of boxes.
std::unique_ptr<MarkedObjects> StringsFiller::mark_strings(BoxCaches& caches) const {
  auto marked = std::make_unique<MarkedObjects>(heap_.objects());
  auto next_cache = caches.arrays.begin();
  const auto is_cache = [&](std::uint32_t row) {
    while (next_cache != caches.arrays.end() && *next_cache < row) {
      ++next_cache;
    }
    return next_cache != caches.arrays.end() && *next_cache == row;
  };
  std::uint64_t last = ~std::uint64_t{0};
  for_each_reference(
      heap_.graph(), [&](std::uint32_t row) { return strings_.is_string(row) || is_cache(row); },
      [&](std::uint32_t row, std::uint32_t target) {
        if (!strings_.is_string(row)) {
          caches.boxes.push_back(target);
        } else if (row != last && strings_.arrays().test(target)) {
          last = row;
          const std::uint32_t group = strings_.groups().of(strings_.arrays().rank(target));
          if (group != ContentGroups::kNone && string_marks_[group] != MarkedObjects::kNone) {
            marked->add(row, string_marks_[group]);
          }
        }
      });
  marked->finish();
  std::sort(caches.boxes.begin(), caches.boxes.end());
  return marked;
}

void StringsFiller::start_survey(Survey& survey, DumpSource& dump) {
  string_marks_ = mark_groups([this](const ContentGroup& group) { return strings_save(group); }, 0);
  array_marks_ =
      mark_groups([this](const ContentGroup& group) { return arrays_save(group); }, kMostMarks);
  auto caches = find_box_caches(heap_.index());
  auto marked_strings = mark_strings(caches);
  holders_ = std::make_unique<StringHolderTally>(heap_, dump, strings_, std::move(marked_strings),
                                                 mark_arrays());
  verifier_ = std::make_unique<ArrayVerifier>(heap_.index(), strings_.arrays(), strings_.groups());
  reader_ = std::make_unique<StringReader>(dump);
  boxes_ = std::make_unique<BoxTally>(heap_, dump, std::move(caches.boxes));
  survey.add(*verifier_);
  survey.add(*reader_);
  survey.add(*holders_);
  survey.add(*boxes_);
}

void StringsFiller::finish_survey(DumpSource& dump,
                                  const std::function<bool(std::uint32_t)>& is_reachable,
                                  RecordFetcher& fetcher, Progress& progress) {
  holders_->add_statics(is_reachable);
  out_.duplicates.emplace();
  count_strings();
  if (reader_->has_slices()) {
    SliceTexts texts(heap_.index(), std::move(reader_->slices()));
    Survey survey(dump, is_reachable);
    survey.add(texts);
    survey.run(progress);
    for (const auto& value : texts.values(heap_.graph().types())) {
      add_value(value);
    }
    out_.slices = texts.sliced(heap_, options_.rows);
  } else {
    add_values_of_groups();
  }
  fill_top_strings(fetcher);
  add_array_duplicates();
  out_.holders = holders_->of_strings(options_.rows);
  out_.boxes = boxes_->rows();
  forget_contents();
}

/// Gives back what only served to find out what is equal and who holds it.
void StringsFiller::forget_contents() {
  strings_.forget_contents();
  verifier_.reset();
  reader_.reset();
  holders_.reset();
  boxes_.reset();
}

/// Counts the Strings of each group anew, now that it is known which arrays are equal and how they
/// are to be read. A String whose array is like no other has a text of its own.
void StringsFiller::count_strings() {
  auto& groups = strings_.groups();
  for (auto& group : groups.rows()) {
    group.strings = 0;
    group.under_strings = 0;
  }
  BitVector counted(heap_.objects());
  strings_.for_each_string([&](std::uint32_t string, std::uint32_t array) {
    const std::uint32_t group = groups.of(strings_.arrays().rank(array));
    if (group == ContentGroups::kNone) {
      out_.duplicates->values += reader_->has_slices() ? 0 : 1;
      return;
    }
    const auto kind = heap_.type(groups.rows()[group].type).kind;
    const std::uint32_t own = groups.with_coder(group, reader_->coder_of(string, kind));
    auto& row = groups.rows()[own];
    ++row.strings;
    row.first_string = std::min(row.first_string, string);
    if (!counted.test_and_set(array)) {
      ++row.string_arrays;
      ++groups.rows()[group].under_strings;
    }
  });
}

void StringsFiller::add_value(const TextValue& value) {
  auto& sums = *out_.duplicates;
  ++sums.values;
  if (value.strings < 2) {
    return;
  }
  ++sums.duplicated_values;
  sums.surplus_strings += value.strings - 1;
  sums.surplus_string_shallow += (value.strings - 1) * strings_.string_shallow();
  sums.surplus_arrays += value.surplus_arrays;
  sums.surplus_array_shallow += value.surplus_array_shallow;
  const auto saves = [this](const TextValue& row) {
    return row.surplus_array_shallow + (row.strings - 1) * strings_.string_shallow();
  };
  add_bounded(top_strings_, value, options_.rows, [&](const TextValue& a, const TextValue& b) {
    return saves(a) != saves(b) ? saves(a) > saves(b) : a.first_string < b.first_string;
  });
}

void StringsFiller::add_values_of_groups() {
  const auto& groups = strings_.groups().rows();
  for (std::uint32_t number = 0; number < groups.size(); ++number) {
    const auto& group = groups[number];
    if (group.strings == 0) {
      continue;
    }
    const bool two_bytes =
        group.coder == TextCoder::utf16 && heap_.type(group.type).kind == RecordKind::byte_array;
    const std::uint64_t surplus = std::max<std::uint32_t>(group.string_arrays, 1) - 1;
    add_value({.hash = group.hash,
               .length = two_bytes ? group.length / 2 : group.length,
               .strings = group.strings,
               .arrays = group.string_arrays,
               .surplus_arrays = surplus,
               .surplus_array_shallow = surplus * shallow_of(group),
               .first_string = group.first_string,
               .group = number});
  }
}

std::vector<TextHolder> StringsFiller::holders_of(std::uint32_t group,
                                                  const std::vector<std::uint8_t>& marks) const {
  const bool is_marked = group < marks.size() && marks[group] != MarkedObjects::kNone &&
                         !strings_.groups().rows()[group].parted;
  return is_marked ? holders_->of_mark(marks[group], kHolders) : std::vector<TextHolder>();
}

void StringsFiller::fill_top_strings(RecordFetcher& fetcher) {
  auto& top = out_.duplicates->top;
  const auto saves = [this](const TextValue& row) {
    return row.surplus_array_shallow + (row.strings - 1) * strings_.string_shallow();
  };
  keep_best(top_strings_, options_.rows, [&](const TextValue& a, const TextValue& b) {
    return saves(a) != saves(b) ? saves(a) > saves(b) : a.first_string < b.first_string;
  });
  for (const auto& value : top_strings_) {
    top.push_back({.address = heap_.address(value.first_string),
                   .hash = value.hash == kNoContent ? "" : hex_address(value.hash),
                   .length = value.length,
                   .strings = value.strings,
                   .arrays = value.arrays,
                   .deduplication_saves = value.surplus_array_shallow,
                   .interning_saves = saves(value),
                   .text = std::nullopt,
                   .holders = holders_of(value.group, string_marks_)});
  }
  for (std::size_t i = 0; options_.show_values && i < top.size(); ++i) {
    fetcher.want_text(
        ObjectIndex(top_strings_[i].first_string),
        [this, i](const JavaText& text) { out_.duplicates->top[i].text = text_of(text); },
        kTextCharacters);
  }
}

std::vector<ArrayContentRow> StringsFiller::arrays_by_type() const {
  const auto& sums = strings_.array_sums();
  std::vector<ArrayContentRow> out(sums.size());
  for (std::uint32_t type = 0; type < sums.size(); ++type) {
    out[type].class_name = heap_.class_name(heap_.type(type).class_index);
    out[type].arrays = sums[type].arrays;
    out[type].shallow = sums[type].shallow;
    out[type].contents = sums[type].arrays - sums[type].without_content;
  }
  return out;
}

void StringsFiller::add_array_group(const ContentGroup& group, ArrayContentRow& of_class) {
  auto& out = *out_.array_duplicates;
  if (group.members < 2) {
    return;
  }
  const std::uint64_t surplus = group.members - 1;
  of_class.contents -= surplus;
  ++of_class.duplicated_contents;
  of_class.surplus_arrays += surplus;
  of_class.surplus_shallow += surplus * shallow_of(group);
  if (const std::uint64_t saves = arrays_save(group); saves != 0) {
    out.loose_surplus_arrays += group.members - group.under_strings;
    out.loose_surplus_arrays -= group.under_strings == 0 ? 1 : 0;
    out.loose_surplus_shallow += saves;
  }
}

DuplicateArrayRow StringsFiller::duplicate_row(std::uint32_t number, std::uint64_t saves) const {
  const auto& group = strings_.groups().rows()[number];
  return {.address = heap_.address(group.first_array),
          .class_name = heap_.class_name(heap_.type(group.type).class_index),
          .hash = hex_address(group.hash),
          .length = group.length,
          .arrays = group.members - group.under_strings,
          .saves = saves,
          .holders = holders_of(number, array_marks_)};
}

void StringsFiller::add_array_duplicates() {
  auto& out = out_.array_duplicates.emplace();
  auto by_type = arrays_by_type();
  const auto& groups = strings_.groups().rows();
  std::vector<GroupSaving> best;
  for (std::uint32_t number = 0; number < groups.size(); ++number) {
    const auto& group = groups[number];
    add_array_group(group, by_type[group.type]);
    if (const std::uint64_t saves = arrays_save(group); saves != 0) {
      add_bounded(best, GroupSaving{.bytes = saves, .first = group.first_array, .group = number},
                  options_.rows, saves_more);
    }
  }
  keep_best(best, options_.rows, saves_more);
  for (const auto& saving : best) {
    out.top.push_back(duplicate_row(saving.group, saving.bytes));
  }
  for (std::uint32_t type = 0; type < by_type.size(); ++type) {
    out.without_content += strings_.array_sums()[type].without_content;
    if (by_type[type].arrays != 0) {
      out.by_class.push_back(by_type[type]);
    }
  }
  std::stable_sort(
      out.by_class.begin(), out.by_class.end(),
      [](const ArrayContentRow& a, const ArrayContentRow& b) { return a.shallow > b.shallow; });
  out.compared_by_bytes = verifier_->compared_by_bytes();
  out.compared_by_digest = verifier_->compared_by_digest();
  out.hash_collisions = verifier_->collisions();
}

void StringsFiller::add_savings() {
  DuplicateSavings savings{.string_arrays = out_.duplicates->surplus_array_shallow,
                           .string_objects = out_.duplicates->surplus_string_shallow,
                           .other_arrays = out_.array_duplicates->loose_surplus_shallow};
  for (const auto& box : *out_.boxes) {
    savings.boxed_numbers += box.surplus_shallow;
  }
  savings.total =
      savings.string_arrays + savings.string_objects + savings.other_arrays + savings.boxed_numbers;
  savings.total_bp = share_bp(savings.total, heap_.used_heap());
  out_.savings = savings;
}

Strings StringsFiller::result(const Overview& overview) {
  strings_.fill(out_);
  out_.headers = object_headers(heap_, overview);
  if (out_.duplicates) {
    add_savings();
  }
  return std::move(out_);
}

}  // namespace hprof
