#include "tools/hprof-report/coverage_filler.h"

#include "formats/report/readable_text.h"

#include <algorithm>

namespace hprof {
namespace {

constexpr std::size_t kMostRows = 20;

}  // namespace

bool is_cut(const DumpDamage& damage) {
  return std::any_of(damage.rows.begin(), damage.rows.end(),
                     [](const Damage& row) { return row.kind == DamageKind::cut; });
}

std::optional<Coverage> fill_coverage(const HeapIndex& index) {
  const DumpDamage& damage = index.damage;
  if (!damage.any()) {
    return std::nullopt;
  }
  const std::uint64_t unused = damage.unused_bytes();
  const std::uint64_t others = unused - std::min(unused, damage.lost_bytes());
  Coverage out{.bytes = damage.bytes,
               .bytes_used = damage.bytes - unused,
               .bytes_of_others = others != 0 ? std::optional(others) : std::nullopt,
               .heap_records_used = 0,
               .places = damage.rows.size(),
               .ends_early = is_cut(damage) ? std::optional(true) : std::nullopt,
               .damage = {}};
  for (const auto& row : index.sub_records) {
    out.heap_records_used += row.count;
  }
  for (const auto& row : damage.rows) {
    if (out.damage.size() == kMostRows) {
      break;
    }
    out.damage.push_back({.kind = std::string(kDamageWords[static_cast<std::size_t>(row.kind)]),
                          .position = row.position,
                          .lost = row.lost(),
                          .what = readable_text(row.what)});
  }
  return out;
}

}  // namespace hprof
