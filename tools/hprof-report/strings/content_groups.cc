// Hashes are dealt out to partitions that fit a processor's cache one at a time, so that finding
// equal ones costs no look-ups in memory. Groups are numbered by partition.
#include "tools/hprof-report/strings/content_groups.h"

#include "formats/content_hash.h"
#include "tools/hprof-report/heap_files.h"

#include <utility>

namespace hprof {

void ContentGroups::add(std::uint64_t hash) {
  if (hash != kNoContent) {
    require_consistent(used_ < entries_.size());  // else there are more arrays than the index says
    entries_[used_++] = {.hash = hash, .array = next_};
    ++bounds_[(hash >> (64U - kPartitionBits)) + 1];
  }
  ++next_;
}

void ContentGroups::group() {
  group_of_ = BigArray<std::uint32_t>(next_, kNone);
  partition();
  for (std::size_t i = 0; i + 1 < bounds_.size(); ++i) {
    group(std::as_const(entries_).span().subspan(bounds_[i], bounds_[i + 1] - bounds_[i]));
    entries_.give_back(bounds_[i], bounds_[i + 1]);
  }
  entries_.release();
  std::vector<std::uint32_t>().swap(slots_);
}

/// Moves each entry to its partition, in place.
void ContentGroups::partition() {
  for (std::size_t i = 1; i < bounds_.size(); ++i) {
    bounds_[i] += bounds_[i - 1];
  }
  auto next = bounds_;
  for (std::size_t i = 0; i + 1 < bounds_.size(); ++i) {
    while (next[i] < bounds_[i + 1]) {
      const std::uint64_t home = entries_[next[i]].hash >> (64U - kPartitionBits);
      if (home == i) {
        ++next[i];
      } else {
        const Entry moved = entries_[next[i]];
        entries_[next[i]] = entries_[next[home]];
        entries_[next[home]++] = moved;
      }
    }
  }
}

void ContentGroups::group(std::span<const Entry> entries) {
  std::size_t size = 16;
  while (size < 2 * entries.size()) {
    size *= 2;
  }
  slots_.assign(size, kNone);
  std::uint32_t next = 0;
  for (const Entry& entry : entries) {
    std::size_t at = entry.hash & (size - 1);
    while (slots_[at] != kNone && entries[slots_[at]].hash != entry.hash) {
      at = (at + 1) & (size - 1);
    }
    if (slots_[at] == kNone) {
      slots_[at] = next;
    } else {
      const std::uint32_t first = entries[slots_[at]].array;
      const std::uint32_t group = group_of_[first] == kNone ? make(first) : group_of_[first];
      rows_[group].hash = entry.hash;
      reassign(entry.array, group);
    }
    ++next;
  }
}

std::uint32_t ContentGroups::make(std::uint64_t array) {
  const auto group = static_cast<std::uint32_t>(rows_.size());
  rows_.emplace_back();
  reassign(array, group);
  return group;
}

std::uint32_t ContentGroups::split(std::uint64_t array) {
  const std::uint64_t hash = rows_[group_of_[array]].hash;
  rows_[group_of_[array]].parted = true;
  const std::uint32_t group = make(array);
  rows_[group].hash = hash;
  rows_[group].parted = true;
  return group;
}

void ContentGroups::reassign(std::uint64_t array, std::uint32_t group) {
  if (group_of_[array] != kNone) {
    --rows_[group_of_[array]].members;
  }
  group_of_[array] = group;
  ++rows_[group].members;
}

std::uint32_t ContentGroups::with_coder(std::uint32_t group, TextCoder coder) {
  ContentGroup& row = rows_[group];
  if (row.coder == TextCoder::unknown) {
    row.coder = coder;
  }
  if (row.coder == coder) {
    return group;
  }
  const auto [entry, is_new] =
      other_coder_.try_emplace(group, static_cast<std::uint32_t>(rows_.size()));
  if (is_new) {
    row.parted = true;
    rows_.push_back(
        {.hash = row.hash, .type = row.type, .length = row.length, .coder = coder, .parted = true});
  }
  return entry->second;
}

}  // namespace hprof
