// Cells of four objects at equal distances in the heap: a record with its name and its count. The
// records form a binary tree and reference a random other one. The cells are written in random
// order, and half of them back to front, so that about half of the objects lie behind the one
// written before.
#include "tests/bench/heap.h"
#include "tests/bench/profiles.h"

namespace hprof::bench {
namespace {

constexpr std::uint32_t kNameLength = 24;

class Cells {
 public:
  explicit Cells(const Request& request)
      : heap_(request.path, request.seed),
        seed_(request.seed),
        cells_((request.objects + 3) / 4),
        record_(heap_.define({.name = "bench/Record",
                              .fields = {"left:L", "right:L", "other:L", "name:L", "count:L"},
                              .loader = heap_.app_loader()})) {
    heap_.begin();
    const auto& jdk = heap_.jdk();
    string_at_ = record_.heap_bytes;
    characters_at_ = string_at_ + jdk.string.heap_bytes;
    count_at_ = characters_at_ + array_heap_bytes(kNameLength, 1);
    step_ = count_at_ + jdk.long_number.heap_bytes + 8;
    first_ = heap_.out().take(cells_ * step_);
  }

  void write() {
    const Shuffle order(cells_, seed_);
    for (std::uint64_t i = 0; i < cells_; ++i) {
      write_cell(order.at(i));
    }
    heap_.finish({first_});
  }

 private:
  Address cell(std::uint64_t number) const { return number < cells_ ? first_ + number * step_ : 0; }

  void write_cell(std::uint64_t number) {
    const Address at = cell(number);
    if (heap_.random().chance(1, 2)) {
      write_record(at, number);
      write_name(at);
      write_count(at);
    } else {
      write_count(at);
      write_name(at);
      write_record(at, number);
    }
  }

  void write_record(Address at, std::uint64_t number) {
    HeapStream& out = heap_.out();
    out.instance_at(at, record_);
    out.u8(cell(2 * number + 1));
    out.u8(cell(2 * number + 2));
    out.u8(cell(heap_.random().below(cells_)));
    out.u8(at + string_at_);
    out.u8(at + count_at_);
  }

  void write_name(Address at) {
    HeapStream& out = heap_.out();
    out.instance_at(at + string_at_, heap_.jdk().string);
    out.u8(at + characters_at_);
    out.u4(heap_.random().next32());
    out.u1(0);
    out.u1(0);
    out.characters_at(at + characters_at_, kNameLength, heap_.random().next());
  }

  void write_count(Address at) {
    heap_.out().instance_at(at + count_at_, heap_.jdk().long_number);
    heap_.out().u8(heap_.random().next());
  }

  Heap heap_;
  std::uint64_t seed_;
  std::uint64_t cells_;
  Layout record_;
  std::uint64_t string_at_ = 0;
  std::uint64_t characters_at_ = 0;
  std::uint64_t count_at_ = 0;
  std::uint64_t step_ = 0;
  Address first_ = 0;
};

}  // namespace

void write_scattered(const Request& request) {
  Cells(request).write();
}

}  // namespace hprof::bench
