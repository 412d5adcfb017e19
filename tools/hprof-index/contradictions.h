#pragma once

#include "formats/dump_damage.h"
#include "formats/heap_index.h"
#include "formats/heap_knowledge.h"
#include "formats/heap_scan.h"
#include "tools/hprof-index/collector.h"

#include <vector>

namespace hprof {

/// An instance whose length or class is garbled.
struct GarbledInstance {
  HeapPlace place;
  std::uint64_t bytes = 0;     ///< that it seems to have of fields
  std::uint64_t expected = 0;  ///< that its class has
};

/// Instances that were read, ascending by place, whose length is not what the fields of their class
/// take although that of most others is: their length or class is garbled, and what they cover may
/// be other records. At most kMostDamage.
std::vector<GarbledInstance> garbled_instances(const Collector& collected,
                                               const HeapKnowledge& known);

/// Has what garbled instances cover searched for heap records: adds a row of damage and a broken
/// stretch for each, in place of the damage that reading met because of them.
void add_garbled(const std::vector<GarbledInstance>& instances, unsigned identifier_size,
                 DumpDamage& damage, std::vector<BrokenHeap>& broken);

/// Notes what loses no bytes: classes whose fields their instances contradict, and instances that
/// could not be put right.
void note_contradictions(const Collector& collected, const HeapKnowledge& known,
                         DumpDamage& damage);

/// Notes that more GC roots lack their object than in any whole dump, though all that is there
/// could be read: records are missing.
void note_missing_records(HeapIndex& index);

}  // namespace hprof
