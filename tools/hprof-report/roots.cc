#include "tools/hprof-report/roots.h"

#include "formats/hprof_tags.h"

#include <algorithm>
#include <tuple>

namespace hprof {

RootKinds::RootKinds(const std::vector<RootInfo>& roots) {
  for (const auto& root : roots) {
    if (!root.is_local()) {
      pairs_.emplace_back(root.object.value(), root.kind);
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  for (const auto& pair : pairs_) {
    if (objects_.empty() || objects_.back() != pair.first) {
      objects_.push_back(pair.first);
    }
  }
}

std::vector<std::string> RootKinds::kinds_of(std::uint32_t object) const {
  std::vector<std::string> names;
  auto at = std::lower_bound(pairs_.begin(), pairs_.end(),
                             std::pair<std::uint32_t, std::uint8_t>(object, 0));
  for (; at != pairs_.end() && at->first == object; ++at) {
    names.push_back(root_kind_name(at->second));
  }
  return names;
}

std::string RootKinds::joined(std::uint32_t object) const {
  std::string out;
  for (const auto& name : kinds_of(object)) {
    out += (out.empty() ? "" : ", ") + name;
  }
  return out;
}

void RootTable::add_root(const HeapObject& object) {
  const auto type = kinds_.joined(object.index);
  auto row = std::find_if(rows_.begin(), rows_.end(),
                          [&](const RootTypeRow& r) { return r.root_type == type; });
  if (row == rows_.end()) {
    row = rows_.insert(row, RootTypeRow{.root_type = type});
  }
  ++row->count;
  row->retained += object.retained;
}

std::vector<RootTypeRow> RootTable::rows() const {
  auto rows = rows_;
  std::sort(rows.begin(), rows.end(), [](const RootTypeRow& a, const RootTypeRow& b) {
    return std::tuple(b.count, a.root_type) < std::tuple(a.count, b.root_type);
  });
  return rows;
}

}  // namespace hprof
