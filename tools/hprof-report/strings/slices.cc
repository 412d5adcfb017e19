#include "tools/hprof-report/strings/slices.h"

#include "common/byte_cursor.h"
#include "tools/hprof-report/strings/best_rows.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::uint64_t kModulus = (std::uint64_t{1} << 61U) - 1;
constexpr std::uint64_t kFirstBase = 0x1d3c5a7f9b2e4681ULL % kModulus;
constexpr std::uint64_t kSecondBase = 0x0b7e151628aed2a6ULL % kModulus;

std::uint64_t reduced(std::uint64_t value) {
  return value >= kModulus ? value - kModulus : value;
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide wide = static_cast<Wide>(a) * b;
  return reduced((static_cast<std::uint64_t>(wide) & kModulus) +
                 static_cast<std::uint64_t>(wide >> 61U));
}

std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1U) {
    result = (exponent & 1U) != 0 ? product(result, base) : result;
    base = product(base, base);
  }
  return result;
}

std::uint64_t difference(std::uint64_t a, std::uint64_t b) {
  return reduced(a + kModulus - b);
}

bool wastes_more(const SlicedArrayRow& a, const SlicedArrayRow& b) {
  return a.wasted != b.wasted ? a.wasted > b.wasted : a.address < b.address;
}

}  // namespace

SliceTexts::SliceTexts(const HeapIndex& index, std::vector<TextSlice> slices)
    : index_(index), slices_(std::move(slices)) {
  std::sort(slices_.begin(), slices_.end());
}

bool SliceTexts::wants(std::uint32_t type) {
  const auto kind = index_.types[type].kind;
  return kind == RecordKind::char_array || kind == RecordKind::byte_array;
}

void SliceTexts::on_array(const ObjectRecord& record) {
  const auto first = std::lower_bound(
      slices_.begin(), slices_.end(), record.object(),
      [](const TextSlice& slice, std::uint32_t array) { return slice.array < array; });
  open_ = first != slices_.end() && first->array == record.object();
  if (!open_) {
    return;
  }
  Run run{.type = record.type(),
          .length = record.elements(),
          .first = static_cast<std::uint32_t>(first - slices_.begin())};
  edges_.clear();
  for (run.end = run.first; run.end < slices_.size() && slices_[run.end].array == first->array;
       ++run.end) {
    TextSlice& slice = slices_[run.end];
    slice.offset = static_cast<std::uint32_t>(std::min<std::uint64_t>(slice.offset, run.length));
    slice.count =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(slice.count, run.length - slice.offset));
    edges_.push_back({.position = slice.offset, .is_end = false, .slice = run.end - run.first});
    edges_.push_back({.position = std::uint64_t{slice.offset} + slice.count,
                      .is_end = true,
                      .slice = run.end - run.first});
  }
  std::sort(edges_.begin(), edges_.end());
  starts_.assign(run.end - run.first, Prefix());
  runs_.push_back(run);
  width_ = primitive_width(static_cast<std::uint8_t>(record.kind()));
  position_ = 0;
  prefix_ = Prefix();
  next_edge_ = 0;
}

void SliceTexts::on_elements(std::span<const std::uint8_t> elements) {
  if (!open_) {
    return;
  }
  for (std::size_t at = 0; at < elements.size(); at += width_) {
    pass_edges();
    const std::uint64_t unit =
        1 + (width_ == 1 ? elements[at] : load_big_endian<std::uint16_t>(elements.data() + at));
    prefix_.first = reduced(product(prefix_.first, kFirstBase) + unit);
    prefix_.second = reduced(product(prefix_.second, kSecondBase) + unit);
    ++position_;
  }
}

void SliceTexts::on_array_end() {
  if (!open_) {
    return;
  }
  pass_edges();
  open_ = false;
  const Run& run = runs_.back();
  const auto texts = std::span(texts_).last(run.end - run.first);
  runs_.back().one_text = std::all_of(texts.begin(), texts.end(),
                                      [&](const Text& text) { return text.same_as(texts[0]); });
}

/// What begins or ends before the next element.
void SliceTexts::pass_edges() {
  for (; next_edge_ < edges_.size() && edges_[next_edge_].position == position_; ++next_edge_) {
    const Edge& edge = edges_[next_edge_];
    if (!edge.is_end) {
      starts_[edge.slice] = prefix_;
      continue;
    }
    const TextSlice& slice = slices_[runs_.back().first + edge.slice];
    texts_.push_back({.hash = part(starts_[edge.slice], prefix_, slice.count),
                      .count = slice.count,
                      .run = static_cast<std::uint32_t>(runs_.size() - 1),
                      .string = slice.string});
  }
}

SliceTexts::Prefix SliceTexts::part(const Prefix& start, const Prefix& end, std::uint64_t count) {
  return {.first = difference(end.first, product(start.first, power(kFirstBase, count))),
          .second = difference(end.second, product(start.second, power(kSecondBase, count)))};
}

std::vector<TextValue> SliceTexts::values(const std::vector<GraphType>& types) {
  std::sort(texts_.begin(), texts_.end());
  std::vector<TextValue> out;
  for (std::size_t first = 0; first < texts_.size();) {
    std::size_t end = first;
    while (end < texts_.size() && texts_[end].same_as(texts_[first])) {
      ++end;
    }
    out.push_back(value(std::span(texts_).subspan(first, end - first), types));
    first = end;
  }
  return out;
}

TextValue SliceTexts::value(std::span<const Text> texts,
                            const std::vector<GraphType>& types) const {
  TextValue out{.hash = texts[0].hash.first ^ texts[0].hash.second << 3U,
                .length = texts[0].count,
                .strings = texts.size()};
  std::uint64_t smallest = ~std::uint64_t{0};
  bool one_stays = false;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    out.first_string = std::min(out.first_string, texts[i].string);
    if (i != 0 && texts[i].run == texts[i - 1].run) {
      continue;
    }
    ++out.arrays;
    const Run& run = runs_[texts[i].run];
    const std::uint64_t shallow = types[run.type].shallow(run.length);
    if (run.one_text) {
      ++out.surplus_arrays;
      out.surplus_array_shallow += shallow;
      smallest = std::min(smallest, shallow);
    } else {
      one_stays = true;
    }
  }
  if (!one_stays) {
    --out.surplus_arrays;
    out.surplus_array_shallow -= smallest;
  }
  return out;
}

/// Elements that some String uses; the slices ascend by offset.
std::uint64_t SliceTexts::used(const Run& run) const {
  std::uint64_t used = 0;
  std::uint64_t reached = 0;
  for (std::uint32_t i = run.first; i < run.end; ++i) {
    const std::uint64_t begin = std::max<std::uint64_t>(slices_[i].offset, reached);
    const std::uint64_t end = std::uint64_t{slices_[i].offset} + slices_[i].count;
    used += end > begin ? end - begin : 0;
    reached = std::max(reached, end);
  }
  return used;
}

SlicedArrayRow SliceTexts::row(const Heap& heap, const Run& run) const {
  SlicedArrayRow out{.address = heap.address(slices_[run.first].array),
                     .length = run.length,
                     .strings = run.end - run.first};
  for (std::uint32_t i = run.first; i < run.end; ++i) {
    out.longest = std::max<std::uint64_t>(out.longest, slices_[i].count);
  }
  out.wasted = (run.length - used(run)) *
               primitive_width(static_cast<std::uint8_t>(index_.types[run.type].kind));
  return out;
}

SlicedArrays SliceTexts::sliced(const Heap& heap, std::size_t rows) const {
  SlicedArrays out;
  for (const Run& run : runs_) {
    const SlicedArrayRow array = row(heap, run);
    if (array.wasted != 0) {
      ++out.arrays;
      out.wasted += array.wasted;
      add_bounded(out.top, array, rows, wastes_more);
    }
  }
  keep_best(out.top, rows, wastes_more);
  return out;
}

}  // namespace hprof
