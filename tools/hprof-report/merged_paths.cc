// Every object has one parent, so the merged paths are a part of the search's tree. The objects
// that are shared by most instances form one chain in it. Counting instances bottom-up over the
// levels finds the chain, one sweep top-down says how far along it each instance stays, and that
// gives the bytes behind every link.
#include "tools/hprof-report/merged_paths.h"

#include "common/big_array.h"
#include "tools/hprof-report/thresholds.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

namespace hprof {
namespace {

constexpr std::uint64_t kSharedTenths = 8;
constexpr std::uint64_t kGatheredTenths = 7;
constexpr std::uint32_t kOffChain = 0xffffffffU;

/// How many instances lie at or below each reached object.
BigArray<std::uint32_t> count_below(const ShortestPaths& paths, std::uint64_t objects,
                                    const std::vector<Instance>& instances) {
  BigArray<std::uint32_t> counts(objects, 0);
  for (const auto& instance : instances) {
    if (paths.reached(instance.object)) {
      ++counts[instance.object];
    }
  }
  for (std::size_t level = paths.levels(); level-- > 1;) {
    for (const auto object : paths.level(level)) {
      counts[paths.parent(object)] += counts[object];
    }
  }
  return counts;
}

/// The object of a level under `parent` that most instances share, the lowest of equals.
std::optional<std::uint32_t> most_shared(const ShortestPaths& paths,
                                         const BigArray<std::uint32_t>& counts, std::size_t level,
                                         std::optional<std::uint32_t> parent) {
  std::optional<std::uint32_t> best;
  for (const auto object : paths.level(level)) {
    const bool below = !parent || paths.parent(object) == *parent;
    const bool more = !best || counts[object] > counts[*best] ||
                      (counts[object] == counts[*best] && object < *best);
    if (below && counts[object] != 0 && more) {
      best = object;
    }
  }
  return best;
}

/// The most shared start, its most shared child and so on, as far as more than `limit` instances
/// share it; then one object more if there is one.
std::vector<std::uint32_t> shared_chain(const ShortestPaths& paths,
                                        const BigArray<std::uint32_t>& counts,
                                        std::uint64_t limit) {
  std::vector<std::uint32_t> chain;
  for (std::size_t level = 0; level < paths.levels(); ++level) {
    const auto parent = chain.empty() ? std::nullopt : std::optional(chain.back());
    const auto next = most_shared(paths, counts, level, parent);
    if (!next) {
      break;
    }
    chain.push_back(*next);
    if (counts[*next] <= limit) {
      break;
    }
  }
  return chain;
}

/// Bytes that the instances at or below each link of the chain retain.
std::vector<std::uint64_t> bytes_below(const ShortestPaths& paths, BigArray<std::uint32_t> scratch,
                                       const std::vector<std::uint32_t>& chain,
                                       const std::vector<Instance>& instances) {
  auto& last_link = scratch;
  for (std::size_t level = 0; level < paths.levels(); ++level) {
    for (const auto object : paths.level(level)) {
      const bool on_chain = level < chain.size() && chain[level] == object;
      last_link[object] = on_chain                 ? static_cast<std::uint32_t>(level)
                          : paths.is_start(object) ? kOffChain
                                                   : last_link[paths.parent(object)];
    }
  }
  std::vector<std::uint64_t> bytes(chain.size());
  for (const auto& instance : instances) {
    if (paths.reached(instance.object) && last_link[instance.object] != kOffChain) {
      bytes[last_link[instance.object]] += instance.retained;
    }
  }
  for (std::size_t link = bytes.size(); link-- > 1;) {
    bytes[link - 1] += bytes[link];
  }
  return bytes;
}

}  // namespace

CommonPath merge_paths(const ShortestPaths& paths, std::uint64_t objects,
                       const std::vector<Instance>& instances) {
  auto counts = count_below(paths, objects, instances);
  const std::uint64_t limit = share_of(instances.size(), kSharedTenths, 10);
  auto chain = shared_chain(paths, counts, limit);
  std::vector<std::uint64_t> shared;
  shared.reserve(chain.size());
  for (const auto object : chain) {
    shared.push_back(counts[object]);
  }
  const auto bytes = bytes_below(paths, std::move(counts), chain, instances);
  std::size_t link = 0;
  for (; link < chain.size() && shared[link] > limit; ++link) {
    const bool goes_on =
        link + 1 < chain.size() && reaches_share(bytes[link + 1], bytes[link], kGatheredTenths, 10);
    if (!goes_on) {
      chain.resize(link + 1);
      shared.resize(link + 1);
      return {.objects = std::move(chain), .shared = std::move(shared), .ends_at_point = true};
    }
  }
  chain.resize(link);
  shared.resize(link);
  return {.objects = std::move(chain), .shared = std::move(shared), .ends_at_point = false};
}

std::vector<Start> starts_of(const ShortestPaths& paths, std::uint64_t objects,
                             const std::vector<Instance>& instances) {
  BigArray<std::uint32_t> starts(objects);
  for (std::size_t level = 0; level < paths.levels(); ++level) {
    for (const auto object : paths.level(level)) {
      starts[object] = paths.is_start(object) ? object : starts[paths.parent(object)];
    }
  }
  std::unordered_map<std::uint32_t, std::uint64_t> counts;
  for (const auto& instance : instances) {
    if (paths.reached(instance.object)) {
      ++counts[starts[instance.object]];
    }
  }
  std::vector<Start> out;
  out.reserve(counts.size());
  for (const auto& [root, count] : counts) {
    out.push_back({root, count});
  }
  std::sort(out.begin(), out.end(), [](const Start& a, const Start& b) {
    return a.instances != b.instances ? a.instances > b.instances : a.root < b.root;
  });
  return out;
}

}  // namespace hprof
