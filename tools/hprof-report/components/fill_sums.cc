#include "tools/hprof-report/components/fill_sums.h"

#include "tools/hprof-report/array_fill.h"

#include <algorithm>
#include <iterator>

namespace hprof {
namespace {

void add_to(std::optional<FillPart>& part, const HeapObject& array) {
  if (!part) {
    part.emplace();
  }
  ++part->arrays;
  part->shallow += array.shallow;
}

}  // namespace

void FillSums::add(const SetContents::UsedSlots& used, const HeapObject& array,
                   std::uint64_t slot_bytes) {
  const auto place = fill_row(used.count, array.length);
  auto& row = rows_[place];
  row.most_bp = fill_row_end(place);
  ++row.arrays;
  row.shallow += array.shallow;
  row.unused_bytes += (array.length - std::min(used.count, array.length)) * slot_bytes;
  if (used.only_own_class) {
    add_to(row.own_class, array);
  } else if (is_at_end_of_fill_row(used.count, array.length)) {
    add_to(row.at_end, array);
  }
}

std::vector<ComponentFill> FillSums::rows() const {
  std::vector<ComponentFill> out;
  std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(out),
               [](const ComponentFill& row) { return row.arrays != 0; });
  return out;
}

}  // namespace hprof
