#include "formats/dump_damage.h"

#include <algorithm>
#include <numeric>

namespace hprof {

bool DumpDamage::packing_damaged() const {
  return std::any_of(rows.begin(), rows.end(),
                     [](const Damage& row) { return row.kind == DamageKind::packing; });
}

std::uint64_t DumpDamage::lost_bytes() const {
  return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Damage& row) { return sum + row.lost(); });
}

std::unique_ptr<ByteSource> open_damaged_source(const std::string& path, const DumpDamage& known) {
  auto source = open_source(path);
  if (known.packing_damaged()) {
    source->tolerate_damage();
  }
  return source;
}

}  // namespace hprof
