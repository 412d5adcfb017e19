// One reading serves all wants at a time: they are sorted by object, the places in the graph file
// say which stretches of the dump can hold them, and only those are parsed.
#include "tools/hprof-report/dump/record_fetcher.h"

#include <algorithm>
#include <utility>

namespace hprof {

/// Meets the wants of one round while records pass by.
class RecordFetcher::Reading : public HprofVisitor {
 public:
  static constexpr bool kWantsReferences = true;
  static constexpr bool kWantsContents = true;

  Reading(DumpSource& dump, std::vector<Want> wants)
      : dump_(dump), wants_(std::move(wants)), met_(wants_.size()) {
    std::stable_sort(wants_.begin(), wants_.end(),
                     [](const Want& a, const Want& b) { return a.object < b.object; });
  }

  bool finished() const { return met_count_ == wants_.size(); }

  bool has_any_between(std::uint32_t lowest, std::uint32_t highest) const {
    const std::size_t first = first_want(lowest);
    return first < wants_.size() && wants_[first].object <= highest;
  }

  void on_instance(std::uint64_t id, std::uint64_t class_id, std::uint32_t trace_serial,
                   std::uint32_t data_bytes, const std::uint8_t* data) {
    if (open(
            id, [&] { return dump_.type_ids().instance_type(class_id); }, trace_serial)) {
      deliver({data, data_bytes});
    }
  }

  void on_object_array(std::uint64_t id, std::uint64_t class_id, std::uint32_t trace_serial,
                       std::uint32_t elements) {
    if (open(
            id, [&] { return dump_.type_ids().array_type(class_id); }, trace_serial)) {
      open_array(elements);
    }
  }

  void on_elements(std::span<const std::uint8_t> ids) {
    if (in_array_) {
      search_targets(ids);
      keep(ids);
    }
  }

  void on_object_array_end() { close_array(); }

  void on_primitive_array(std::uint64_t id, std::uint8_t type, std::uint32_t trace_serial,
                          std::uint32_t elements) {
    if (open(
            id, [&] { return dump_.type_ids().primitive_type(type); }, trace_serial)) {
      open_array(elements);
      if (elements == 0) {
        close_array();
      }
    }
  }

  bool wants_contents() const { return in_array_; }
  void on_contents(std::span<const std::uint8_t> elements) { keep(elements); }
  void on_contents_end() { close_array(); }

 private:
  std::size_t first_want(std::uint32_t object) const {
    return static_cast<std::size_t>(
        std::lower_bound(wants_.begin(), wants_.end(), object,
                         [](const Want& want, std::uint32_t o) { return want.object < o; }) -
        wants_.begin());
  }

  /// Whether the object is wanted, of a known type, and this is the first record with its id.
  template <typename TypeOf>
  bool open(std::uint64_t id, TypeOf&& type_of, std::uint32_t trace_serial) {
    const ObjectIndex object = dump_.index().addresses.index_of(id);
    begin_ = object.is_none() ? wants_.size() : first_want(object.value());
    end_ = begin_;
    while (end_ < wants_.size() && wants_[end_].object == object.value()) {
      ++end_;
    }
    if (begin_ == end_ || met_[begin_]) {
      return false;
    }
    head_ = {.object = object.value(), .type = type_of(), .trace_serial = trace_serial};
    return head_.type != U64Map::kNone;
  }

  void open_array(std::uint32_t elements) {
    head_.elements = elements;
    in_array_ = true;
    most_bytes_ = 0;
    for (std::size_t i = begin_; i < end_; ++i) {
      most_bytes_ = std::max(most_bytes_, wants_[i].most_bytes);
    }
    elements_.clear();
    passed_ = 0;
  }

  void keep(std::span<const std::uint8_t> bytes) {
    const auto room = static_cast<std::size_t>(
        std::min<std::uint64_t>(most_bytes_ - elements_.size(), bytes.size()));
    elements_.insert(elements_.end(), bytes.begin(),
                     bytes.begin() + static_cast<std::ptrdiff_t>(room));
  }

  void search_targets(std::span<const std::uint8_t> ids) {
    for (std::size_t i = begin_; i < end_; ++i) {
      Want& want = wants_[i];
      if (!want.target.is_none() && want.take_position) {
        search_target(ids, want);
      }
    }
    passed_ += ids.size() / dump_.index().summary.identifier_size;
  }

  void search_target(std::span<const std::uint8_t> ids, Want& want) const {
    const unsigned width = dump_.index().summary.identifier_size;
    const std::uint64_t target = dump_.index().addresses.address_at(want.target);
    for (std::size_t at = 0; at + width <= ids.size(); at += width) {
      const std::uint64_t id = width == 8 ? load_big_endian<std::uint64_t>(ids.data() + at)
                                          : load_big_endian<std::uint32_t>(ids.data() + at);
      if (id == target) {
        std::exchange(want.take_position, nullptr)(passed_ + at / width);
        return;
      }
    }
  }

  void close_array() {
    if (std::exchange(in_array_, false)) {
      deliver(elements_);
    }
  }

  void deliver(std::span<const std::uint8_t> bytes) {
    for (std::size_t i = begin_; i < end_; ++i) {
      met_[i] = true;
      if (wants_[i].take) {
        wants_[i].take(ObjectRecord(dump_.index(), dump_.fields(), head_, bytes));
      }
    }
    met_count_ += end_ - begin_;
  }

  DumpSource& dump_;
  std::vector<Want> wants_;  ///< ascending by object
  std::vector<bool> met_;
  std::size_t met_count_ = 0;
  std::size_t begin_ = 0;  ///< wants_[begin_, end_) are those of the open object
  std::size_t end_ = 0;
  ObjectRecord::Head head_;
  bool in_array_ = false;
  std::uint64_t most_bytes_ = 0;
  std::uint64_t passed_ = 0;
  std::vector<std::uint8_t> elements_;
};

void RecordFetcher::want(ObjectIndex object, Take take, std::uint64_t most_bytes) {
  if (!object.is_none()) {
    wants_.push_back({.object = object.value(),
                      .most_bytes = most_bytes,
                      .take = std::move(take),
                      .target = ObjectIndex::none(),
                      .take_position = {}});
  }
}

void RecordFetcher::want_position(ObjectIndex array, ObjectIndex target, TakePosition take) {
  if (!array.is_none() && !target.is_none()) {
    wants_.push_back({.object = array.value(),
                      .most_bytes = 0,
                      .take = {},
                      .target = target,
                      .take_position = std::move(take)});
  }
}

void RecordFetcher::want_text(ObjectIndex string, TakeText take, std::uint64_t most_characters) {
  want(string, [this, take = std::move(take), most_characters](const ObjectRecord& record) {
    take_string(record, take, most_characters);
  });
}

void RecordFetcher::take_string(const ObjectRecord& string, TakeText take,
                                std::uint64_t most_characters) {
  const auto offset = string.number("offset");
  const auto count = string.number("count");
  const auto unsigned_value = [](std::optional<std::int64_t> value) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(value.value_or(0), 0));
  };
  const StringSlice slice{.offset = unsigned_value(offset),
                          .count = unsigned_value(count),
                          .whole = !offset || !count,
                          .latin1 = string.number("coder").value_or(1) == 0};
  const std::uint64_t most_bytes = 2 * (slice.offset + most_characters);
  want(
      string.reference("value"),
      [take = std::move(take), slice](const ObjectRecord& array) {
        if (array.kind() == RecordKind::char_array || array.kind() == RecordKind::byte_array) {
          take(decode_text(array.bytes(), array.kind(), array.elements(), slice));
        }
      },
      most_bytes);
}

void RecordFetcher::read(std::vector<Want> wants) {
  Reading reading(dump_, std::move(wants));
  dump_.read_stretches(reading, [&](const RecordPlace& place) {
    return reading.has_any_between(place.lowest, place.highest);
  });
}

void RecordFetcher::run() {
  while (!wants_.empty()) {
    read(std::exchange(wants_, {}));
  }
}

}  // namespace hprof
