// What lies between the first and the last dump tells whether growth goes on. A damaged dump there
// has less than the heap had and would look like a fall and a rise; a dump that is given again
// would look like an end of growth.
#include "tools/hprof-report/diff/telling_dumps.h"

#include <algorithm>
#include <type_traits>

namespace hprof {
namespace {

/// All series in a value, in those that it holds and in their fields.
template <typename T, typename Use>
void each_series(T& value, const Use& use) {
  if constexpr (std::is_same_v<T, DiffSeries>) {
    use(value);
  } else if constexpr (requires { T::kName; }) {
    T::fields(value, [&](const char*, auto& member, const auto&...) { each_series(member, use); });
  } else if constexpr (requires { value.has_value(); }) {
    if (value) {
      each_series(*value, use);
    }
  } else if constexpr (requires { requires std::is_class_v<typename T::value_type>; }) {
    for (auto& part : value) {
      each_series(part, use);
    }
  }
}

/// The dumps that tell steps, the first and the last always among them.
std::vector<std::size_t> telling_dumps(const Reports& reports) {
  const std::size_t last = reports.size() - 1;
  std::vector<std::size_t> out{0};
  for (std::size_t at = 1; at < last; ++at) {
    if (reports[at].complete && !is_same_dump(reports[out.back()], reports[at]) &&
        !is_same_dump(reports[at], reports[last])) {
      out.push_back(at);
    }
  }
  out.push_back(last);
  return out;
}

}  // namespace

bool is_same_dump(const Report& a, const Report& b) {
  const Overview& one = a.overview;
  const Overview& other = b.overview;
  const bool same_moment = one.dump_creation_ms != 0 &&
                           one.dump_creation_ms == other.dump_creation_ms &&
                           one.dump_number == other.dump_number;
  const bool same_size = one.file_size == other.file_size && one.all_objects == other.all_objects;
  return same_moment && (same_size || !a.complete || !b.complete);
}

bool is_one_dump(const Reports& reports) {
  return std::all_of(reports.begin(), reports.end(),
                     [&](const Report& report) { return is_same_dump(reports.front(), report); });
}

void take_telling_steps(HeapDiff& diff, const Reports& reports) {
  const auto dumps = telling_dumps(reports);
  if (dumps.size() < reports.size()) {
    each_series(diff, [&](DiffSeries& series) { take_steps_of(series, dumps); });
  }
}

}  // namespace hprof
