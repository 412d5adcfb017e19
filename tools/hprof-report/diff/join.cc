#include "tools/hprof-report/diff/join.h"

#include "tools/hprof-report/joined_names.h"

#include <algorithm>

namespace hprof {

std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b, std::uint64_t most) {
  return a >= most || b >= most - a ? most : a + b;
}

bool is_constant(const DiffSeries& series) {
  const auto flat = [](const std::vector<std::uint64_t>& values) {
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
  };
  return flat(series.values) && (!series.at_most || flat(*series.at_most));
}

Fate fate_of(bool in_first, bool in_last, const DiffSeries& size) {
  const auto& most = size.at_most ? *size.at_most : size.values;
  if (!in_last) {
    return most.back() == 0 ? Fate::gone : Fate::unlisted;
  }
  if (!in_first) {
    return most.front() == 0 ? Fate::created : Fate::newly_listed;
  }
  const SignedCount change = size.change;
  return change.amount == 0 ? Fate::same : change.negative ? Fate::shrunk : Fate::grown;
}

std::string class_key(const std::string& name, const DiffOptions& options) {
  return options.raw_names ? name : joined_class_name(name);
}

std::string loader_key(const std::string& label, const DiffOptions& options) {
  return joined_label(label, options.raw_names);
}

}  // namespace hprof
