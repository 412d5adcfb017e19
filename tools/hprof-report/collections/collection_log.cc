#include "tools/hprof-report/collections/collection_log.h"

#include <algorithm>

namespace hprof {
namespace {

template <typename Rows, typename Less>
void sort_if_needed(Rows& rows, Less less) {
  if (!std::is_sorted(rows.begin(), rows.end(), less)) {
    std::sort(rows.begin(), rows.end(), less);
  }
}

}  // namespace

void ArrayLog::add(const Row& row) {
  if (chunks_.empty() || chunks_.back().size() + 4 * kMaxVarintBytes > kChunkBytes) {
    chunks_.emplace_back().reserve(kChunkBytes);
  }
  auto& chunk = chunks_.back();
  append_varint(chunk, zigzag(std::int64_t{row.object} - std::int64_t{last_}));
  append_varint(chunk, row.type);
  append_varint(chunk, row.length);
  append_varint(chunk, row.length - row.used);
  last_ = row.object;
}

void CollectionLog::sort() {
  sort_if_needed(collections, [](const auto& a, const auto& b) { return a.object < b.object; });
  sort_if_needed(links, [](const auto& a, const auto& b) { return a.node < b.node; });
}

std::size_t CollectionLog::number_of(std::uint32_t object) const {
  const auto found =
      std::lower_bound(collections.begin(), collections.end(), object,
                       [](const CollectionRecord& a, std::uint32_t o) { return a.object < o; });
  return found == collections.end() || found->object != object
             ? collections.size()
             : static_cast<std::size_t>(found - collections.begin());
}

CollectionRecord* CollectionLog::find(std::uint32_t object) {
  const auto number = number_of(object);
  return number == collections.size() ? nullptr : &collections[number];
}

}  // namespace hprof
