#include "tests/bench/heap.h"
#include "tests/bench/profiles.h"

namespace hprof::bench {
namespace {

/// A doubly linked list; the heap's first objects after those of every JVM.
struct List {
  Address first;
  Address last;
};

List write_list(Heap& heap, const Layout& node, std::uint64_t length) {
  HeapStream& out = heap.out();
  const Address first = out.next();
  for (std::uint64_t i = 0; i < length; ++i) {
    const Address address = out.instance(node);
    out.u8(i + 1 < length ? address + node.heap_bytes : 0);
    out.u8(i > 0 ? address - node.heap_bytes : 0);
    out.u8(i);
  }
  return {first, first + (length - 1) * node.heap_bytes};
}

Layout define_list_node(Heap& heap) {
  return heap.define({.name = "bench/ListNode",
                      .fields = {"next:L", "previous:L", "id:J"},
                      .loader = heap.app_loader()});
}

Layout define_link(Heap& heap) {
  return heap.define(
      {.name = "bench/Link", .fields = {"next:L", "id:J"}, .loader = heap.app_loader()});
}

/// A chain of links; the last one references `end`.
Address write_links(Heap& heap, const Layout& link, std::uint64_t length, Address end) {
  HeapStream& out = heap.out();
  const Address first = out.next();
  for (std::uint64_t i = 0; i < length; ++i) {
    const Address address = out.instance(link);
    out.u8(i + 1 < length ? address + link.heap_bytes : end);
    out.u8(i);
  }
  return first;
}

/// An array over objects at equal distances.
Address write_array_over(Heap& heap, Address first, std::uint64_t step, std::uint64_t count) {
  HeapStream& out = heap.out();
  const Address array = out.references(heap.jdk().objects_array, static_cast<std::uint32_t>(count));
  for (std::uint64_t i = 0; i < count; ++i) {
    out.element(first + i * step);
  }
  return array;
}

}  // namespace

void write_chain(const Request& request) {
  Heap heap(request.path, request.seed);
  const Layout link = define_link(heap);
  heap.begin();
  heap.finish({write_links(heap, link, request.objects, 0)});
}

void write_doubly(const Request& request) {
  Heap heap(request.path, request.seed);
  const Layout node = define_list_node(heap);
  heap.begin();
  heap.finish({write_list(heap, node, request.objects).first});
}

void write_complete(const Request& request) {
  Heap heap(request.path, request.seed);
  heap.begin();
  const Address first = heap.out().next();
  const std::uint64_t step = references_heap_bytes(request.objects);
  for (std::uint64_t i = 0; i < request.objects; ++i) {
    write_array_over(heap, first, step, request.objects);
  }
  heap.finish({first});
}

void write_singletons(const Request& request) {
  Heap heap(request.path, request.seed);
  heap.begin();
  for (std::uint64_t i = 0; i < request.objects; ++i) {
    heap.out().instance(heap.jdk().object);
  }
  heap.finish({});
}

void write_hub(const Request& request) {
  Heap heap(request.path, request.seed);
  const Layout link = define_link(heap);
  heap.begin();
  const Address hub = heap.string(16);
  const Address first = heap.out().next();
  for (std::uint64_t i = 0; i < request.objects; ++i) {
    heap.out().instance(link);
    heap.out().u8(hub);
    heap.out().u8(i);
  }
  heap.finish({write_array_over(heap, first, link.heap_bytes, request.objects)});
}

// The news that the far end is reachable by itself goes back one node per round.
void write_ladder_iterative(const Request& request) {
  Heap heap(request.path, request.seed);
  const Layout node = define_list_node(heap);
  heap.begin();
  const List list = write_list(heap, node, request.objects);
  heap.finish({list.first, list.last});
}

// The end of the path references an array over all joins, and the array that holds the path
// references them too: each join's parent is at the end of the path, each one's dominator at its
// beginning. The path stands at both ends of that array, so that a search goes down it first
// whichever way it reads an array.
void write_ladder_semi_nca(const Request& request) {
  Heap heap(request.path, request.seed);
  const Layout link = define_link(heap);
  heap.begin();
  HeapStream& out = heap.out();
  const std::uint64_t half = (request.objects + 1) / 2;
  const Address path = out.next();
  const Address joins = path + half * link.heap_bytes;
  write_links(heap, link, half, joins + half * link.heap_bytes);
  for (std::uint64_t i = 0; i < half; ++i) {
    out.instance(link);
    out.u8(0);
    out.u8(i);
  }
  write_array_over(heap, joins, link.heap_bytes, half);
  const Address top =
      out.references(heap.jdk().objects_array, static_cast<std::uint32_t>(half + 2));
  out.element(path);
  for (std::uint64_t i = 0; i < half; ++i) {
    out.element(joins + i * link.heap_bytes);
  }
  out.element(path);
  heap.finish({top});
}

}  // namespace hprof::bench
