// A step counts as a rise only where it is certain: the least that the later dump can hold is above
// the most that the earlier one can.
#include "formats/diff/series.h"

#include <algorithm>
#include <limits>

namespace hprof {
namespace {

__extension__ using Wide = unsigned __int128;

/// What moves later by no more than this part of the first step leaves that a warm-up.
constexpr std::uint64_t kWarmUpPart = 100;

SignedCount certain_change(const Bounds& last, const Bounds& first) {
  if (last.least > first.most) {
    return difference(last.least, first.most);
  }
  return last.most < first.least ? difference(last.most, first.least) : SignedCount();
}

bool names(const std::optional<std::vector<std::uint64_t>>& dumps, std::size_t dump) {
  return dumps && std::find(dumps->begin(), dumps->end(), dump + 1) != dumps->end();
}

/// What is certain of the steps from dump to dump.
struct Steps {
  std::size_t up = 0;
  std::size_t down = 0;
};

Steps count_steps(const std::vector<Bounds>& values) {
  Steps out;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const auto change = certain_change(values[i], values[i - 1]);
    out.up += change > SignedCount() ? 1 : 0;
    out.down += change < SignedCount() ? 1 : 0;
  }
  return out;
}

/// The first step rose, and all later dumps are about where the second one is.
bool warms_up(const std::vector<Bounds>& values) {
  const std::uint64_t first = rise(certain_change(values[1], values[0]));
  const auto stays = [&](const Bounds& value) {
    return certain_change(value, values[1]).amount <= first / kWarmUpPart;
  };
  return values.size() > 2 && first != 0 && std::all_of(values.begin() + 2, values.end(), stays);
}

Trend trend_of(const std::vector<Bounds>& values) {
  const Steps steps = count_steps(values);
  if (steps.up == 0) {
    return steps.down == 0 ? Trend::same : Trend::shrunk;
  }
  if (warms_up(values)) {
    return Trend::warm_up;
  }
  if (steps.down != 0) {
    return Trend::irregular;
  }
  return values.size() > 2 && steps.up + 1 == values.size() ? Trend::monotonic : Trend::grown;
}

void set_steps(DiffSeries& series, const std::vector<Bounds>& values) {
  series.trend = trend_of(values);
  series.lasting = rise(certain_change(values.back(), values[values.size() > 2 ? 1 : 0]));
}

}  // namespace

void mark_damage(DiffSeries& series, const DamagedDumps& dumps) {
  const auto some = [](const std::vector<std::uint64_t>& all) {
    return all.empty() ? std::nullopt : std::optional(all);
  };
  series.at_least_in = some(dumps.at_least);
  series.unsure_in = some(dumps.unsure);
  const Worth first = worth_at(series, 0);
  const Worth last = worth_at(series, series.values.size() - 1);
  if (first == Worth::told && last == Worth::told) {
    return;
  }
  const auto least = series.change_least.value_or(series.change);
  const auto most = series.change_most.value_or(series.change);
  series.change_least.reset();
  series.change_most.reset();
  series.change_bp.reset();
  if (first == Worth::told && last == Worth::at_least) {
    series.change_least = least;
  } else if (first == Worth::at_least && last == Worth::told) {
    series.change_most = most;
  }
}

void take_steps_of(DiffSeries& series, const std::vector<std::size_t>& dumps) {
  std::vector<Bounds> values;
  values.reserve(dumps.size());
  for (const auto dump : dumps) {
    const std::uint64_t least = series.values[dump];
    values.push_back({least, series.at_most ? (*series.at_most)[dump] : least});
  }
  set_steps(series, values);
}

Fate told_fate(Fate as_read, const DiffSeries& size) {
  const bool first = worth_at(size, 0) != Worth::told;
  const bool last = worth_at(size, size.values.size() - 1) != Worth::told;
  if (!first && !last) {
    return as_read;
  }
  const SignedCount none;
  switch (as_read) {
    case Fate::created:
      return first ? Fate::newly_listed : as_read;
    case Fate::gone:
      return last ? Fate::unlisted : as_read;
    case Fate::grown:
      return size.change_least.value_or(none) > none ? as_read : Fate::unknown;
    case Fate::shrunk:
      return size.change_most.value_or(none) < none ? as_read : Fate::unknown;
    case Fate::same:
      return Fate::unknown;
    default:
      return as_read;
  }
}

SignedCount change_in_bp(SignedCount change, std::uint64_t base) {
  const Wide share = Wide{change.amount} * 10000 / base;
  const Wide most = std::numeric_limits<std::uint64_t>::max();
  const auto amount = static_cast<std::uint64_t>(std::min(share, most));
  return {change.negative && amount != 0, amount};
}

Worth worth_at(const DiffSeries& series, std::size_t dump) {
  return names(series.unsure_in, dump)     ? Worth::unsure
         : names(series.at_least_in, dump) ? Worth::at_least
                                           : Worth::told;
}

ChangeRange range_of(const DiffSeries& series) {
  const Worth first = worth_at(series, 0);
  const Worth last = worth_at(series, series.values.size() - 1);
  const bool both = first != Worth::told && last != Worth::told;
  return {series.change, series.change_least, series.change_most,
          both || first == Worth::unsure || last == Worth::unsure};
}

ChangeRange range_between(SignedCount least, SignedCount most) {
  if (least == most) {
    return {least, std::nullopt, std::nullopt};
  }
  const SignedCount none;
  return {least > none ? least : most < none ? most : none, least, most};
}

DiffSeries make_series(const std::vector<Bounds>& values) {
  DiffSeries out;
  std::vector<std::uint64_t> most;
  for (const auto& value : values) {
    out.values.push_back(value.least);
    most.push_back(value.most);
  }
  if (most != out.values) {
    out.at_most = most;
  }
  const Bounds& first = values.front();
  const Bounds& last = values.back();
  out.change = certain_change(last, first);
  if (!first.is_exact() || !last.is_exact()) {
    out.change_least = difference(last.least, first.most);
    out.change_most = difference(last.most, first.least);
  }
  if (first.most != 0 && range_of(out).is_exact()) {
    out.change_bp = change_in_bp(out.change, first.most);
  }
  set_steps(out, values);
  return out;
}

DiffSeries exact_series(const std::vector<std::uint64_t>& values) {
  std::vector<Bounds> bounds(values.size());
  std::transform(values.begin(), values.end(), bounds.begin(), exactly);
  return make_series(bounds);
}

}  // namespace hprof
