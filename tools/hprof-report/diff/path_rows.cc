// Of the objects with one path the largest is compared: a report lists only so many of them, and a
// sum would grow with the length of the list. An accumulation point lies under its suspect, so its
// share of the suspect's growth is told apart.
#include "tools/hprof-report/diff/joined_names.h"
#include "tools/hprof-report/diff/owner_diffs.h"

#include <algorithm>
#include <tuple>

namespace hprof {
namespace {

struct PathEnd {
  bool listed = false;
  std::uint64_t retained = 0;
};

/// What a path leads to, as of the newest report that lists it.
struct PathFacts {
  std::string class_name;
  std::optional<Holder> holder;
  std::optional<Holder> anchor;
  std::string
      parent;  ///< path of the suspect that the object lies under; empty: a top-level object
};

struct PathJoin {
  explicit PathJoin(std::size_t reports) : ends(reports) {}

  void add(const std::string& path, std::size_t at, std::uint64_t retained, PathFacts of) {
    if (path.empty()) {
      return;
    }
    auto& end = ends.at(path, at);
    end.retained = end.listed ? std::max(end.retained, retained) : retained;
    end.listed = true;
    facts[path] = std::move(of);
  }

  Join<std::string, PathEnd> ends;
  std::map<std::string, PathFacts> facts;
};

void add_biggest(PathJoin& join, const Report& report, std::size_t at, const DiffOptions& options) {
  for (const auto& object : report.top.biggest_objects) {
    if (object.why_alive) {
      join.add(joined_path(object.why_alive->steps, options.raw_names), at, object.retained,
               {joined_object(object.label, object.class_name, options.raw_names), object.holder,
                std::nullopt, ""});
    }
  }
}

/// The path to the suspect itself: the beginning of that to its accumulation point, where it lies
/// on it.
std::string parent_path(const Suspect& suspect, const DiffOptions& options) {
  std::vector<PathStep> steps;
  for (const auto& step : suspect.why_alive->steps) {
    steps.push_back(step);
    if (step.address == suspect.address) {
      return joined_path(steps, options.raw_names);
    }
  }
  return "";
}

void add_accumulation_points(PathJoin& join, const Report& report, std::size_t at,
                             const DiffOptions& options) {
  for (const auto& suspect : report.leaks.suspects) {
    if (suspect.kind != SuspectKind::single || !suspect.why_alive) {
      continue;
    }
    const auto path = joined_path(suspect.why_alive->steps, options.raw_names);
    const auto& point = suspect.accumulation_point;
    const bool apart = point && point->address != suspect.address;
    const auto parent = apart ? parent_path(suspect, options) : "";
    join.add(path, at, apart ? point->retained : suspect.retained,
             {apart ? joined_object(point->label, point->class_name, options.raw_names)
                    : joined_object(suspect.label, suspect.class_name, options.raw_names),
              suspect.holder, suspect.anchor, parent == path ? "" : parent});
  }
}

/// What the object may retain in a report that does not list it: no more than what it lies under.
std::uint64_t most_unlisted(const PathJoin& join, const PathFacts& facts, const Report& report,
                            std::size_t at) {
  const auto parent = join.ends.rows().find(facts.parent);
  if (parent != join.ends.rows().end() && parent->second[at].listed) {
    return parent->second[at].retained;
  }
  return unlisted_object(report);
}

std::optional<std::string> held_name(const std::optional<Holder>& holder) {
  return holder ? std::optional(holder->name) : std::nullopt;
}

DiffPath path_row(const PathJoin& join, const std::string& path, const std::vector<PathEnd>& ends,
                  const Reports& reports) {
  const auto& facts = join.facts.at(path);
  DiffPath out;
  out.path = path;
  out.class_name = facts.class_name;
  out.holder = held_name(facts.holder);
  out.holder_kind = facts.holder ? std::optional(facts.holder->kind) : std::nullopt;
  out.anchor = held_name(facts.anchor);
  std::vector<Bounds> retained;
  for (std::size_t at = 0; at < ends.size(); ++at) {
    retained.push_back(ends[at].listed ? exactly(ends[at].retained)
                                       : Bounds{0, most_unlisted(join, facts, reports[at], at)});
  }
  out.retained = make_series(retained);
  out.fate = fate_of(ends.front().listed, ends.back().listed, out.retained);
  out.unshared = out.retained.change;
  return out;
}

/// Takes the growth of accumulation points off that of what they lie under.
void take_off_nested(std::vector<DiffPath>& rows, const PathJoin& join) {
  for (const auto& row : rows) {
    const auto& parent = join.facts.at(row.path).parent;
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const DiffPath& other) {
      return !parent.empty() && other.path == parent;
    });
    if (found != rows.end() && row.retained.change > SignedCount()) {
      found->unshared = difference(rise(found->unshared),
                                   std::min(rise(found->unshared), row.retained.change.amount));
    }
  }
}

}  // namespace

std::vector<DiffPath> diff_paths(const Reports& reports, const DiffOptions& options) {
  PathJoin join(reports.size());
  for (std::size_t at = 0; at < reports.size(); ++at) {
    add_biggest(join, reports[at], at, options);
    add_accumulation_points(join, reports[at], at, options);
  }
  std::vector<DiffPath> out;
  for (const auto& [path, ends] : join.ends.rows()) {
    out.push_back(path_row(join, path, ends, reports));
  }
  take_off_nested(out, join);
  std::erase_if(out, [](const DiffPath& row) {
    return row.retained.change.amount == 0 && row.retained.trend == Trend::same;
  });
  std::stable_sort(out.begin(), out.end(), [](const DiffPath& a, const DiffPath& b) {
    return a.retained.change > b.retained.change;
  });
  return out;
}

}  // namespace hprof
