#include "formats/report/derived.h"

#include "common/concat.h"
#include "common/text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <string_view>

namespace hprof {
namespace {

bool is_counted(const CollectionClass& row) {
  return row.kind != "view" && row.kind != "part";
}

constexpr std::uint64_t kSingleLevels = 8;

/// Adds the numbers of `rows` to those of the same range, in ascending order of ranges.
template <typename Row, typename Key>
void merge(std::vector<Row>& sum, const std::vector<Row>& rows, Key key) {
  for (const auto& row : rows) {
    const auto at = std::lower_bound(sum.begin(), sum.end(), row,
                                     [&](const Row& a, const Row& b) { return key(a) < key(b); });
    if (at != sum.end() && key(*at) == key(row)) {
      at->collections += row.collections;
    } else {
      sum.insert(at, row);
    }
  }
}

std::string place_of(const StackFrameRow& frame) {
  if (frame.native) {
    return "native method";
  }
  const auto source = frame.source.empty() ? std::string("unknown source") : frame.source;
  return frame.line ? source + ":" + std::to_string(*frame.line) : source;
}

std::string call_of(const StackFrameRow& frame) {
  return (frame.class_name.empty() ? "(unknown class)" : frame.class_name) + "." +
         (frame.method.empty() ? "(unknown method)" : frame.method);
}

}  // namespace

std::string uptime_text(std::uint64_t milliseconds) {
  const std::uint64_t seconds = milliseconds / 1000;
  const std::uint64_t minutes = seconds / 60;
  const std::uint64_t hours = minutes / 60;
  if (hours >= 24) {
    return grouped(hours / 24) + " d " + std::to_string(hours % 24) + " h";
  }
  if (hours != 0) {
    return std::to_string(hours) + " h " + std::to_string(minutes % 60) + " min";
  }
  return minutes != 0
             ? std::to_string(minutes) + " min " + std::to_string(seconds % 60) + " s"
             : std::to_string(seconds) + "." + std::to_string(milliseconds % 1000 / 100) + " s";
}

std::string range_text(std::uint64_t least, std::uint64_t most) {
  if (least == most) {
    return grouped(least);
  }
  return most >= std::numeric_limits<std::uint32_t>::max() ? grouped(least) + " or more"
                                                           : grouped(least) + " – " + grouped(most);
}

std::string fill_text(std::uint64_t most_bp, bool full_is_apart) {
  if (most_bp == 0) {
    return "nothing";
  }
  if (most_bp >= 9999) {
    return most_bp == 9999 || !full_is_apart ? "more than 80 %" : "100 %";
  }
  return "up to " + std::to_string(most_bp / 100) + " %";
}

std::vector<DepthRow> merged_levels(const std::vector<DepthRow>& rows) {
  std::vector<DepthRow> out;
  for (const auto& row : rows) {
    if (out.empty() || row.from <= kSingleLevels || std::has_single_bit(row.from - 1)) {
      out.push_back(row);
    } else {
      out.back().to = row.to;
      out.back().objects += row.objects;
      out.back().shallow += row.shallow;
    }
  }
  return out;
}

std::string uncounted_text(const std::vector<CollectionClass>& classes) {
  return std::all_of(classes.begin(), classes.end(), is_counted)
             ? ""
             : "Views show what another collection holds, and parts belong to one: neither are "
               "among the collections counted above.";
}

std::vector<CollectionSizeRow> sizes_of_all(const std::vector<CollectionClass>& classes) {
  std::vector<CollectionSizeRow> out;
  for (const auto& row : classes) {
    if (is_counted(row)) {
      merge(out, row.sizes, [](const CollectionSizeRow& r) { return r.least; });
    }
  }
  return out;
}

std::vector<CollectionFillRow> fill_of_all(const std::vector<CollectionClass>& classes) {
  std::vector<CollectionFillRow> out;
  for (const auto& row : classes) {
    merge(out, row.fill, [](const CollectionFillRow& r) { return r.least_bp; });
  }
  return out;
}

std::vector<ComponentFill> fill_of_arrays(const std::vector<ComponentArrays>& arrays) {
  std::map<std::uint64_t, ComponentFill> sums;
  for (const auto& row : arrays) {
    for (const auto& part : row.fill.value_or(std::vector<ComponentFill>{})) {
      auto& sum = sums[part.most_bp];
      sum.most_bp = part.most_bp;
      sum.arrays += part.arrays;
      sum.shallow += part.shallow;
      sum.unused_bytes += part.unused_bytes;
    }
  }
  std::vector<ComponentFill> out;
  out.reserve(sums.size());
  for (const auto& [most, sum] : sums) {
    out.push_back(sum);
  }
  return out;
}

std::string thread_name(const ThreadRow& row) {
  return row.name ? *row.name : row.class_name + " @ " + hex_address(row.address.value);
}

std::string frame_text(const StackFrameRow& frame) {
  return call_of(frame) + "(" + place_of(frame) + ")";
}

const StackFrameRow& telling_frame(const StackRow& stack) {
  constexpr std::array<std::string_view, 5> kJdk{"java.", "javax.", "jdk.", "sun.", "com.sun."};
  const auto found =
      std::find_if(stack.frames.begin(), stack.frames.end(), [&](const StackFrameRow& frame) {
        return !frame.class_name.empty() &&
               std::none_of(kJdk.begin(), kJdk.end(),
                            [&](auto prefix) { return frame.class_name.starts_with(prefix); });
      });
  return found == stack.frames.end() ? stack.frames.front() : *found;
}

std::optional<std::uint64_t> largest_retained(const FrameLocals& locals) {
  return locals.locals == 1 ? locals.largest.value_or(locals.retained) : locals.largest;
}

std::string frame_locals_text(const FrameLocals& locals) {
  return largest_retained(locals)
             ? format_count(locals.locals, "object retains", "objects, the largest retains")
             : format_count(locals.locals, "object", "objects");
}

std::optional<std::string> sizes_in_doubt(const Overview& overview) {
  const auto& layout = overview.heap_layout;
  const std::uint64_t reference = overview.compressed_oops ? 4 : overview.identifier_size_bits / 8;
  if (overview.size_model != "mat" || !layout || layout->given || layout->confidence != "high" ||
      layout->reference == reference) {
    return std::nullopt;
  }
  return concat("references take ", layout->reference, " bytes by how the objects lie, ", reference,
                " by the rule that MAT and this report follow, which one wrong id misleads");
}

std::string followed_text(const std::string& reference_policy) {
  return reference_policy == "strong" ? "strong ones only" : reference_policy;
}

bool follows_strong_only(const Overview& overview) {
  return overview.reference_policy == "strong";
}

const char* held_words(Strength strength) {
  switch (strength) {
    case Strength::strong:
      return "strongly";
    case Strength::soft:
      return "only softly";
    case Strength::weak:
      return "only weakly";
    case Strength::final:
      return "only by finalizers";
    default:
      return "only by phantom references";
  }
}

}  // namespace hprof
