// From the objects that a point references itself and dominates, the search goes on as long as it
// meets nothing outside of the point's tree that would come back into it: every way in leads
// through the point, which is passed over. So whatever it meets of the point's children is behind
// the reference that it began at. Large heaps are only looked into, reference by reference as deep
// and as broad as the limits allow.
#include "tools/hprof-report/paths/shared_search.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace hprof {
namespace {

constexpr std::size_t kMostReferences = 32;      ///< of a point that are followed
constexpr std::size_t kMostVisits = 1U << 17U;   ///< objects met behind one reference
constexpr std::size_t kMostBreadth = 1U << 14U;  ///< objects taken of one that references many
constexpr std::size_t kMostClasses = 12;
constexpr std::size_t kWaysPerClass = 4;

/// Those of `first` come first, in that order.
void bring_forward(std::vector<std::uint32_t>& numbers, const std::vector<std::uint32_t>& first) {
  auto next = numbers.begin();
  for (const auto number : first) {
    const auto found = std::find(next, numbers.end(), number);
    if (found != numbers.end()) {
      std::rotate(next, found, found + 1);
      ++next;
    }
  }
}

/// Those ways of each class that lead to most.
std::vector<SharedWay> best_of(std::vector<SharedWay> ways) {
  std::stable_sort(ways.begin(), ways.end(),
                   [](const SharedWay& a, const SharedWay& b) { return a.hits > b.hits; });
  std::map<std::uint32_t, std::size_t> taken;
  std::erase_if(
      ways, [&](const SharedWay& way) { return ++taken[way.class_index.value()] > kWaysPerClass; });
  return ways;
}

}  // namespace

std::vector<SharedWay> SharedSearch::ways(std::uint32_t point, const BitVector& children,
                                          const std::vector<std::uint32_t>& large) {
  ways_.clear();
  auto direct = direct_children(point, children);
  find_shared_classes(children, direct, large);
  std::erase_if(direct, [this](std::uint32_t object) { return is_shared(object); });
  bring_forward(direct, large);
  direct.resize(std::min(direct.size(), kMostReferences));
  for (const auto first : shared_.empty() ? std::vector<std::uint32_t>() : direct) {
    follow(point, first);
    take_hits(point, children);
  }
  return best_of(std::move(ways_));
}

/// Those that the point references itself, each once.
std::vector<std::uint32_t> SharedSearch::direct_children(std::uint32_t point,
                                                         const BitVector& children) const {
  std::vector<std::uint32_t> out;
  auto cursor = graph_.references(point);
  std::uint32_t target = 0;
  while (cursor.next(target)) {
    if (children.test(target)) {
      out.push_back(target);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// Class objects are none of them: their own instances lead to them, whatever else does.
void SharedSearch::find_shared_classes(const BitVector& children,
                                       const std::vector<std::uint32_t>& direct,
                                       const std::vector<std::uint32_t>& large) {
  std::map<std::uint32_t, std::uint64_t> all;
  std::map<std::uint32_t, std::uint64_t> referenced;
  children.for_each_set([&](std::uint64_t child) {
    const auto object = static_cast<std::uint32_t>(child);
    if (heap_.type(graph_.type_of(object)).kind != RecordKind::class_object) {
      ++all[class_of(object).value()];
    }
  });
  for (const auto object : direct) {
    ++referenced[class_of(object).value()];
  }
  std::vector<std::uint32_t> rows;
  for (const auto& [row, count] : all) {
    if (count - referenced[row] > count / 2) {
      rows.push_back(row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return all.at(a) > all.at(b); });
  std::vector<std::uint32_t> large_rows;
  large_rows.reserve(large.size());
  for (const auto object : large) {
    large_rows.push_back(class_of(object).value());
  }
  bring_forward(rows, large_rows);
  rows.resize(std::min(rows.size(), kMostClasses));
  shared_.clear();
  for (const auto row : rows) {
    shared_.emplace_back(row);
  }
}

bool SharedSearch::is_shared(std::uint32_t object) const {
  return std::find(shared_.begin(), shared_.end(), class_of(object)) != shared_.end();
}

void SharedSearch::follow(std::uint32_t point, std::uint32_t first) {
  visits_.clear();
  visited_.set(point);
  visit(first, 0);
  for (std::size_t place = 0; place < visits_.size() && visits_.size() < kMostVisits; ++place) {
    visit_successors(static_cast<std::uint32_t>(place));
  }
}

void SharedSearch::visit_successors(std::uint32_t place) {
  auto cursor = graph_.references(visits_[place].object);
  std::uint32_t target = 0;
  const std::size_t end = std::min(visits_.size() + kMostBreadth, kMostVisits);
  while (visits_.size() < end && cursor.next(target)) {
    visit(target, place);
  }
}

void SharedSearch::visit(std::uint32_t object, std::uint32_t from) {
  if (!visited_.test_and_set(object)) {
    visits_.push_back({.object = object, .from = from});
  }
}

/// Makes a way of what the last search met of each shared class, and forgets where it was.
void SharedSearch::take_hits(std::uint32_t point, const BitVector& children) {
  const auto known = ways_.size();
  for (std::uint32_t place = 0; place < visits_.size(); ++place) {
    const auto object = visits_[place].object;
    visited_.clear(object);
    if (place == 0 || !children.test(object) || !is_shared(object)) {
      continue;
    }
    const auto begin = ways_.begin() + static_cast<std::ptrdiff_t>(known);
    auto way = std::find_if(begin, ways_.end(), [&](const SharedWay& other) {
      return other.class_index == class_of(object);
    });
    if (way == ways_.end()) {
      ways_.push_back({.class_index = class_of(object), .objects = way_to(point, place)});
      way = std::prev(ways_.end());
    }
    ++way->hits;
  }
  visited_.clear(point);
}

std::vector<std::uint32_t> SharedSearch::way_to(std::uint32_t point, std::uint32_t place) const {
  std::vector<std::uint32_t> out;
  for (auto at = place; at != 0; at = visits_[at].from) {
    out.push_back(visits_[at].object);
  }
  out.push_back(visits_.front().object);
  out.push_back(point);
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace hprof
