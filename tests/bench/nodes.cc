// Structures of one kind of small object each, one after the other, the kind that is most behind
// its share of the heap first. All addresses follow from the place of an object in its structure.
#include "tests/bench/hash_maps.h"
#include "tests/bench/heap.h"
#include "tests/bench/profiles.h"

#include <algorithm>
#include <array>

namespace hprof::bench {
namespace {

constexpr std::uint64_t kLongestList = 4'000'000;
constexpr std::uint64_t kMostEntries = 500'000;
constexpr unsigned kDeepestTree = 19;
constexpr std::uint32_t kEdges = 8;
constexpr std::uint64_t kSmallest = 1000;

class Nodes {
 public:
  explicit Nodes(const Request& request)
      : heap_(request.path, request.seed), random_(heap_.random()), wanted_(request.objects) {
    list_ = define("bench/LinkedList", {"head:L", "tail:L", "size:I"});
    list_node_ = define("bench/LinkedList$Node", {"next:L", "previous:L", "id:J"});
    chain_node_ = define("bench/Chain", {"next:L", "id:J", "mark:I"});
    tree_node_ = define("bench/Tree", {"left:L", "right:L", "parent:L", "key:J", "size:I"});
    graph_node_ = define("bench/GraphNode", {"edges:L", "id:J", "weight:D"});
    heap_.begin();
  }

  void write() {
    write_graph(share(kGraph) / 2);
    while (heap_.objects() < wanted_) {
      write_structure();
    }
    heap_.finish({heap_.out().references(heap_.jdk().objects_array, structures_)});
  }

 private:
  enum Kind : std::size_t { kList, kChain, kTree, kMap, kGraph, kKinds };
  static constexpr std::array<std::uint64_t, kKinds> kShares{10, 14, 36, 30, 10};

  Layout define(const std::string& name, FieldList fields) {
    return heap_.define({.name = name, .fields = std::move(fields), .loader = heap_.app_loader()});
  }

  std::uint64_t share(Kind kind) const { return wanted_ * kShares[kind] / 100; }

  Kind most_behind() const {
    Kind best = kList;
    std::int64_t most = 0;
    for (const Kind kind : {kList, kChain, kTree, kMap}) {
      const auto behind =
          static_cast<std::int64_t>(share(kind)) - static_cast<std::int64_t>(written_[kind]);
      if (behind > most) {
        most = behind;
        best = kind;
      }
    }
    return best;
  }

  void write_structure() {
    const std::uint64_t before = heap_.objects();
    const Kind kind = most_behind();
    const std::uint64_t left = std::max(wanted_ - before, std::uint64_t{1});
    const std::uint64_t missing = share(kind) - std::min(written_[kind], share(kind));
    const std::uint64_t room = std::clamp(missing, std::uint64_t{1}, left);
    // Big ones first, as many of all sizes after them.
    const bool first = written_[kind] == 0;
    const auto size = [&](std::uint64_t most) {
      most = std::min(most, room);
      return first ? most : random_.log_between(std::min(kSmallest, most), most);
    };
    switch (kind) {
      case kList:
        structures_.push_back(write_list(size(kLongestList)));
        break;
      case kChain:
        structures_.push_back(write_chain(size(kLongestList)));
        break;
      case kTree:
        structures_.push_back(write_tree(size(std::uint64_t{2} << kDeepestTree)));
        break;
      default:
        structures_.push_back(write_map(static_cast<std::uint32_t>(size(3 * kMostEntries) / 3)));
        break;
    }
    written_[kind] += heap_.objects() - before;
  }

  Address write_list(std::uint64_t length) {
    HeapStream& out = heap_.out();
    const std::uint64_t step = list_node_.heap_bytes;
    const Address list = out.instance(list_);
    const Address first = out.next();
    out.u8(first);
    out.u8(first + (length - 1) * step);
    out.u4(static_cast<std::uint32_t>(length));
    for (std::uint64_t i = 0; i < length; ++i) {
      const Address node = out.instance(list_node_);
      out.u8(i + 1 < length ? node + step : 0);
      out.u8(i > 0 ? node - step : 0);
      out.u8(random_.next());
    }
    return list;
  }

  Address write_chain(std::uint64_t length) {
    HeapStream& out = heap_.out();
    const Address first = out.next();
    for (std::uint64_t i = 0; i < length; ++i) {
      const Address node = out.instance(chain_node_);
      out.u8(i + 1 < length ? node + chain_node_.heap_bytes : 0);
      out.u8(random_.next());
      out.u4(static_cast<std::uint32_t>(i));
    }
    return first;
  }

  struct Subtree {
    Address parent;
    unsigned depth;
  };

  /// The deepest complete tree of at most `most` nodes, allocated in preorder.
  Address write_tree(std::uint64_t most) {
    HeapStream& out = heap_.out();
    unsigned depth = 0;
    while ((std::uint64_t{4} << depth) - 1 <= most) {
      ++depth;
    }
    const Address root = out.next();
    std::vector<Subtree> open{{0, depth}};
    while (!open.empty()) {
      const Subtree tree = open.back();
      open.pop_back();
      const Address node = out.instance(tree_node_);
      const Address left = node + tree_node_.heap_bytes;
      const Address right = left + ((std::uint64_t{1} << tree.depth) - 1) * tree_node_.heap_bytes;
      out.u8(tree.depth > 0 ? left : 0);
      out.u8(tree.depth > 0 ? right : 0);
      out.u8(tree.parent);
      out.u8(random_.next());
      out.u4(static_cast<std::uint32_t>((std::uint64_t{2} << tree.depth) - 1));
      if (tree.depth > 0) {
        open.push_back({node, tree.depth - 1});
        open.push_back({node, tree.depth - 1});
      }
    }
    return root;
  }

  Address write_map(std::uint32_t entries) {
    const Buckets buckets(entries, random_);
    const std::uint64_t boxes = 2 * std::uint64_t{heap_.jdk().integer.heap_bytes};
    const std::uint64_t step = boxes + heap_.jdk().map_node.heap_bytes;
    const Address first = heap_.out().next() + map_head_bytes(heap_, buckets);
    const auto node_of = [&](std::uint32_t entry) { return first + entry * step + boxes; };
    const Address map = write_map_head(heap_, buckets, node_of);
    for (std::uint32_t i = 0; i < entries; ++i) {
      const Address key = heap_.integer(buckets.hash(i));
      const Address value = heap_.integer(random_.next32());
      write_map_node(heap_, buckets, i, key, value, node_of);
    }
    return map;
  }

  void write_graph(std::uint64_t nodes) {
    HeapStream& out = heap_.out();
    const std::uint64_t step = graph_node_.heap_bytes + references_heap_bytes(kEdges);
    const Address first = out.next();
    for (std::uint64_t i = 0; i < nodes; ++i) {
      const Address node = out.instance(graph_node_);
      out.u8(node + graph_node_.heap_bytes);
      out.u8(random_.next());
      out.u8(0x3ff0000000000000);
      out.references(heap_.jdk().objects_array, kEdges);
      for (std::uint32_t edge = 0; edge < kEdges; ++edge) {
        out.element(random_.chance(1, 10) ? 0 : first + random_.below(nodes) * step);
      }
    }
    if (nodes != 0) {
      structures_.push_back(first);
    }
  }

  Heap heap_;
  Random& random_;
  std::uint64_t wanted_;
  Layout list_;
  Layout list_node_;
  Layout chain_node_;
  Layout tree_node_;
  Layout graph_node_;
  std::array<std::uint64_t, kKinds> written_{};
  std::vector<Address> structures_;
};

}  // namespace

void write_nodes(const Request& request) {
  Nodes(request).write();
}

}  // namespace hprof::bench
