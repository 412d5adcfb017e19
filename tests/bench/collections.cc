// Units of a few objects each, as a program allocates them one after the other: strings, maps,
// lists, linked nodes. A pool array per million units references each of them, in random order, and
// as many objects of any age and kind once more. Memory is bounded by the pool in the making and a
// sample of what lies behind.
#include "tests/bench/hash_maps.h"
#include "tests/bench/heap.h"
#include "tests/bench/profiles.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hprof::bench {
namespace {

constexpr std::size_t kPoolUnits = 1U << 20U;
constexpr std::size_t kSampleSize = 1U << 20U;
constexpr std::size_t kChains = 64;
constexpr std::uint32_t kMostEntries = 32;

/// A fair sample of all addresses that it was shown.
class Sample {
 public:
  void add(Address address, Random& random) {
    ++seen_;
    if (kept_.size() < kSampleSize) {
      kept_.push_back(address);
    } else if (const auto place = random.below(seen_); place < kSampleSize) {
      kept_[place] = address;
    }
  }
  bool empty() const { return kept_.empty(); }
  Address pick(Random& random) const { return kept_[random.below(kept_.size())]; }

 private:
  std::vector<Address> kept_;
  std::uint64_t seen_ = 0;
};

class Collections {
 public:
  Collections(const Request& request, std::uint64_t live_in_hundred)
      : heap_(request.path, request.seed),
        random_(heap_.random()),
        wanted_(request.objects),
        live_in_hundred_(live_in_hundred),
        node_(heap_.define({.name = "bench/Node",
                            .fields = {"next:L", "payload:L", "id:J"},
                            .loader = heap_.app_loader()})) {
    heap_.begin();
  }

  void write() {
    while (heap_.objects() < wanted_) {
      live_ = random_.chance(live_in_hundred_, 100);
      write_unit();
      if (units_.size() == kPoolUnits) {
        write_pool();
      }
    }
    write_pool();
    const Address heads = heap_.out().references(heap_.jdk().objects_array, live_chains_);
    const Address pools = heap_.out().references(heap_.jdk().objects_array, pools_);
    heap_.finish({heads, pools});
  }

 private:
  void write_unit() {
    const auto kind = random_.below(2360);
    if (kind < 1000) {
      write_node();
    } else if (kind < 2100) {
      held_by_pool(note(heap_.string(static_cast<std::uint32_t>(random_.between(16, 400)))));
    } else if (kind < 2160) {
      held_by_pool(note(write_map()));
    } else {
      held_by_pool(note(write_list()));
    }
  }

  /// Makes a live object known as one that later ones may reference.
  Address note(Address address) {
    if (live_) {
      sample_.add(address, random_);
    }
    return address;
  }

  void held_by_pool(Address address) {
    if (live_) {
      units_.push_back(address);
    }
  }

  void write_node() {
    HeapStream& out = heap_.out();
    const auto length = static_cast<std::uint32_t>(random_.between(128, 1024));
    const Address payload = note(out.primitives(Primitive::int8, length, random_.next()));
    auto& chain = (live_ ? live_chains_ : dead_chains_)[random_.below(kChains)];
    const Address next = std::exchange(chain, out.instance(node_));
    out.u8(next);
    out.u8(payload);
    out.u8(random_.next());
  }

  Address write_map() {
    const auto entries = static_cast<std::uint32_t>(random_.between(4, kMostEntries));
    const Buckets buckets(entries, random_);
    const auto& jdk = heap_.jdk();
    std::array<std::uint32_t, kMostEntries> lengths{};
    std::array<Address, kMostEntries> nodes{};
    Address at = heap_.out().next() + map_head_bytes(heap_, buckets);
    for (std::uint32_t i = 0; i < entries; ++i) {
      lengths[i] = static_cast<std::uint32_t>(random_.between(4, 80));
      nodes[i] =
          at + array_heap_bytes(lengths[i], 1) + jdk.string.heap_bytes + jdk.integer.heap_bytes;
      at = nodes[i] + jdk.map_node.heap_bytes;
    }
    const auto node_of = [&](std::uint32_t entry) { return nodes[entry]; };
    const Address map = write_map_head(heap_, buckets, node_of);
    for (std::uint32_t i = 0; i < entries; ++i) {
      const Address key = heap_.string(lengths[i]);
      const Address value = note(heap_.integer(random_.next32()));
      write_map_node(heap_, buckets, i, key, value, node_of);
    }
    return map;
  }

  Address write_list() {
    elements_.clear();
    for (auto fresh = random_.between(2, 14); fresh != 0; --fresh) {
      elements_.push_back(note(random_.chance(1, 2) ? heap_.integer(random_.next32())
                                                    : heap_.long_number(random_.next())));
    }
    for (auto known = sample_.empty() ? 0 : random_.below(21); known != 0; --known) {
      elements_.push_back(sample_.pick(random_));
    }
    return heap_.array_list(elements_);
  }

  void write_pool() {
    const std::size_t again = sample_.empty() ? 0 : units_.size();
    for (std::size_t i = 0; i < again; ++i) {
      units_.push_back(sample_.pick(random_));
    }
    for (std::size_t i = units_.size(); i > 1; --i) {
      std::swap(units_[i - 1], units_[random_.below(i)]);
    }
    pools_.push_back(heap_.out().references(heap_.jdk().objects_array, units_));
    units_.clear();
  }

  Heap heap_;
  Random& random_;
  std::uint64_t wanted_;
  std::uint64_t live_in_hundred_;
  Layout node_;
  bool live_ = true;
  std::array<Address, kChains> live_chains_{};
  std::array<Address, kChains> dead_chains_{};
  std::vector<Address> units_;
  std::vector<Address> pools_;
  std::vector<Address> elements_;
  Sample sample_;
};

}  // namespace

void write_collections(const Request& request) {
  Collections(request, 100).write();
}

void write_garbage(const Request& request) {
  Collections(request, 10).write();
}

}  // namespace hprof::bench
