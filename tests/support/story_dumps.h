#pragma once

#include <cstdint>
#include <string>

namespace hprof::test {

// Small heaps with a story each, for the sections of a report that the other samples leave empty.

/// Platform threads, virtual ones on a carrier and off, a pool of equal stacks, one that ran out of
/// memory.
void write_threads(const std::string& path, std::uint64_t size);
/// Soft, weak and final references, a weak map whose values hold their keys, ThreadLocals
/// without key, a queue of finalizers, direct buffers.
void write_references(const std::string& path, std::uint64_t size);
/// `count` loaders that have loaded one plug-in each, the same again and again.
void write_plugins(const std::string& path, std::uint64_t count);
/// As the hprof agent records allocations, with stacks.
void write_allocations(const std::string& path, std::uint64_t size);
/// Equal texts, arrays and boxed numbers, in lists that are too large.
void write_duplicates(const std::string& path, std::uint64_t size);

}  // namespace hprof::test
