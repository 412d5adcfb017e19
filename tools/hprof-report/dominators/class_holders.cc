// Every object that may be a holder is labelled with its class; all others inherit the label of
// their dominator. Then the holder of an object is the label of its dominator, and nobody walks the
// tree more than once.
#include "tools/hprof-report/dominators/class_holders.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/report/units.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace hprof {
namespace {

constexpr std::string_view kRootName = "<ROOT>";

}  // namespace

ClassHolders::ClassHolders(const Heap& heap, std::string skip,
                           const std::vector<std::string>& wanted, std::size_t most)
    : heap_(heap),
      skip_(std::move(skip)),
      skipped_(heap.index().classes.size()),
      place_(heap.index().classes.size()) {
  const NamePattern pattern(skip_);
  for (std::uint32_t row = 0; row < skipped_.size(); ++row) {
    const auto& name = heap.class_name(ClassIndex(row));
    skipped_[row] = name.ends_with("[]") || pattern.matches(name);
  }
  number_holders();
  classes_ = wanted.empty() ? largest_skipped(most) : named(wanted);
  for (std::uint32_t i = 0; i < classes_.size(); ++i) {
    place_[classes_[i]] = i + 1;
  }
  sums_.push_back({});
  for (const auto& type : heap.graph().types()) {
    const bool holds = type.kind != RecordKind::class_object && !type.class_index.is_none() &&
                       !is_skipped(type.class_index.value());
    own_label_.push_back(holds ? label_of(type.class_index, false) : 0);
  }
}

void ClassHolders::number_holders() {
  for (std::uint32_t row = 0; row < skipped_.size(); ++row) {
    holder_numbers_.push_back(static_cast<std::uint32_t>(holders_.size()));
    if (!is_skipped(row)) {
      holders_.push_back(row);
    }
  }
  labels_ = LabelColumn(heap_.objects(), 2 * std::uint64_t{holders_.size()} + 1);
}

std::vector<std::uint32_t> ClassHolders::largest_skipped(std::size_t most) const {
  const auto& totals = heap_.domtree().classes();
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < totals.size(); ++row) {
    const bool is_class_class = heap_.graph().summary().java_lang_class == ClassIndex(row);
    if (is_skipped(row) && !is_class_class && totals[row].reachable_shallow != 0) {
      rows.push_back(row);
    }
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return totals[a].reachable_shallow > totals[b].reachable_shallow;
  });
  rows.resize(std::min(rows.size(), most));
  return rows;
}

std::vector<std::uint32_t> ClassHolders::named(const std::vector<std::string>& names) const {
  std::vector<std::uint32_t> rows;
  for (const auto& name : names) {
    const auto before = rows.size();
    for (std::uint32_t row = 0; row < skipped_.size(); ++row) {
      const bool is_new = std::find(rows.begin(), rows.end(), row) == rows.end();
      if (is_new && heap_.class_name(ClassIndex(row)) == name) {
        rows.push_back(row);
      }
    }
    if (rows.size() == before && std::count(names.begin(), names.end(), name) == 1) {
      fail(ExitCode::usage, "--dominators-of: the heap has no class \"", printable(name),
           "\"; give its Java name, such as java.util.HashMap$Node[] or byte[]");
    }
  }
  return rows;
}

void ClassHolders::note(const ObjectRow& row) {
  std::uint32_t label = own_label_[row.type];
  if (heap_.type(row.type).kind == RecordKind::class_object) {
    const auto stands_for = heap_.represented({.index = row.index, .type = row.type});
    if (!stands_for.is_none() && !is_skipped(stands_for.value())) {
      label = label_of(stands_for, true);
    }
  }
  if (label != 0) {
    labels_.set(row.index, label);
  }
}

void ClassHolders::settle(const BigArray<std::uint32_t>& dominators) {
  labels_.inherit(dominators, kRoot);
}

std::uint32_t ClassHolders::find_sum(std::uint32_t place, std::uint32_t label) {
  const std::uint32_t number = numbers_.insert(std::uint64_t{place} << 32U | label,
                                               static_cast<std::uint32_t>(sums_.size()));
  if (number == sums_.size()) {
    sums_.push_back({.place = place, .label = label, .objects = 0, .shallow = 0});
  }
  return number;
}

/// One row for all classes of a name, by descending bytes.
std::vector<HolderRow> ClassHolders::rows(std::uint32_t place) const {
  std::map<std::uint32_t, Sum> in_order;
  for (const auto& sum : sums_) {
    if (sum.place == place) {
      in_order.emplace(sum.label, sum);
    }
  }
  std::map<std::pair<std::string_view, bool>, HolderRow> by_name;
  for (const auto& [label, sum] : in_order) {
    const bool is_root = label == kRoot;
    const ClassIndex index(is_root ? 0 : holders_[(label - 2) / 2]);
    const bool is_class_object = !is_root && label % 2 != 0;
    const std::string_view name = is_root ? kRootName : heap_.class_name(index);
    auto& row = by_name[{name, is_class_object}];
    if (!is_root && !row.class_address) {
      row.class_address = heap_.class_address(index);
    }
    row.class_name = name;
    row.is_class_object = is_class_object;
    row.classes += is_root ? 0 : 1;
    row.objects += sum.objects;
    row.shallow += sum.shallow;
  }
  std::vector<HolderRow> rows;
  rows.reserve(by_name.size());
  for (auto& [name, row] : by_name) {
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [](const HolderRow& a, const HolderRow& b) {
    return std::tie(a.shallow, a.objects) > std::tie(b.shallow, b.objects);
  });
  return rows;
}

DominatedClass ClassHolders::dominated(std::uint32_t place, std::size_t most_holders) const {
  const auto class_row = classes_[place - 1];
  DominatedClass out;
  out.class_name = heap_.class_name(ClassIndex(class_row));
  out.class_address = heap_.class_address(ClassIndex(class_row));
  for (auto& row : rows(place)) {
    out.objects += row.objects;
    out.shallow += row.shallow;
    if (out.holders.size() < most_holders) {
      out.holders.push_back(std::move(row));
    } else {
      ++out.further_holders;
      out.further_objects += row.objects;
      out.further_shallow += row.shallow;
    }
  }
  out.shallow_bp = share_bp(out.shallow, heap_.used_heap());
  return out;
}

std::vector<DominatedClass> ClassHolders::result(std::size_t most_holders) const {
  std::vector<DominatedClass> out;
  for (std::uint32_t place = 1; place <= classes_.size(); ++place) {
    out.push_back(dominated(place, most_holders));
  }
  return out;
}

}  // namespace hprof
