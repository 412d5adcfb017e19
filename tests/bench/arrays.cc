// Primitive arrays of every type and of all sizes up to 16 MiB, each held by a small buffer object.
#include "tests/bench/heap.h"
#include "tests/bench/profiles.h"

#include <array>

namespace hprof::bench {
namespace {

constexpr std::uint64_t kSmallestBytes = 1U << 10U;
constexpr std::uint64_t kBiggestBytes = (16U << 20U) - 1;
constexpr std::array kTypes{Primitive::int8,      Primitive::int32,  Primitive::int64,
                            Primitive::character, Primitive::int16,  Primitive::float64,
                            Primitive::float32,   Primitive::boolean};

}  // namespace

void write_arrays(const Request& request) {
  Heap heap(request.path, request.seed);
  const Layout buffer = heap.define({.name = "bench/Buffer",
                                     .fields = {"content:L", "next:L", "limit:I"},
                                     .loader = heap.app_loader()});
  heap.begin();
  HeapStream& out = heap.out();
  Address last = 0;
  while (heap.objects() < request.objects) {
    const Primitive type = kTypes[heap.random().below(kTypes.size())];
    const auto bytes = heap.random().log_between(kSmallestBytes, kBiggestBytes);
    const auto elements = static_cast<std::uint32_t>(bytes / width_of(type));
    const Address content = out.primitives(type, elements, heap.random().next());
    const Address next = last;
    last = out.instance(buffer);
    out.u8(content);
    out.u8(next);
    out.u4(elements);
  }
  heap.finish({last});
}

}  // namespace hprof::bench
