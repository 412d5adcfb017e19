// One damaged stage file between whole ones: every stage that reads it ends with a result or a
// sentence. Every other input is forged: all checksums are made right again, so that the damage
// reaches what stands behind them.
#include "tests/fuzz/fuzzed_heap.h"
#include "tests/fuzz/stages.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <libdeflate.h>

namespace {

using hprof::test::Decisions;

constexpr std::array<const char*, 3> kKinds{"index", "graph", "domtree"};
using Files = std::array<std::vector<std::uint8_t>, kKinds.size()>;

constexpr std::array<std::uint8_t, 96> kHeap{
    0, 50, 0, 1, 3, 0, 0, 1, 1, 0, 2, 0, 1, 0, 0, 1, 2, 0, 3, 0, 20, 3, 1, 0,
    9, 9,  2, 5, 2, 3, 4, 5, 6, 5, 0, 2, 3, 5, 1, 3, 2, 5, 0, 4, 4,  1, 4, 5,
    1, 2,  1, 5, 1, 3, 2, 1, 0, 2, 0, 0, 1, 1, 4, 0, 1, 2, 3, 2, 7,  1, 2, 3,
    4, 5,  6, 7, 5, 0, 8, 9, 5, 1, 7, 8, 3, 0, 5, 1, 2, 5, 0, 0, 1,  5, 1, 1};

struct Whole {
  Whole() {
    Decisions decisions(kHeap);
    stages.write("hprof", hprof::test::fuzzed_heap(decisions));
    if (!stages.index() || !stages.graph() || !stages.domtree()) {
      __builtin_trap();
    }
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
      files[i] = stages.read(kKinds[i]);
    }
  }

  hprof::test::FuzzedStages stages;
  Files files;
};

constexpr std::size_t kFooterBytes = 64;

std::uint32_t checksum(const std::vector<std::uint8_t>& file) {
  return ::libdeflate_crc32(0, file.data(), file.size() - kFooterBytes);
}

/// Puts one checksum in another's place wherever it stands.
void replace(std::vector<std::uint8_t>& file, std::uint32_t before, std::uint32_t after) {
  std::array<std::uint8_t, sizeof before> bytes{};
  std::memcpy(bytes.data(), &before, sizeof before);
  auto at = std::search(file.begin(), file.end(), bytes.begin(), bytes.end());
  if (at != file.end()) {
    std::memcpy(&*at, &after, sizeof after);
  }
}

/// Makes the footers right, and what later files say of earlier ones.
void seal(Files& files, const Files& whole) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto before = checksum(whole[i]);
    const auto after = checksum(files[i]);
    for (std::size_t later = i; later < files.size(); ++later) {
      replace(files[later], before, after);
    }
  }
}

/// Values that decide something in most columns.
std::uint64_t telling(std::uint8_t choice) {
  constexpr std::array<std::uint64_t, 12> kValues{
      0,          1,          2,          0x7fffffff,         0x80000000,         0xfffffffe,
      0xffffffff, 0x10000000, 0xfffffff0, 0x7fffffffffffffff, 0xffffffffffffffff, 0x100000000};
  return kValues[choice % kValues.size()];
}

/// Overwrites bytes and whole fields in front of the footer.
void forge(std::vector<std::uint8_t>& file, Decisions& decisions) {
  constexpr std::uint32_t kMostChanges = 4;
  const auto size = static_cast<std::uint32_t>(file.size() - kFooterBytes);
  for (auto left = decisions.byte() % kMostChanges + 1; left != 0; --left) {
    const std::uint32_t at = decisions.below(0x10000) % size;
    const auto choice = decisions.byte();
    if (choice < 128) {
      file[at] = decisions.byte();
    } else {
      const std::size_t width = choice < 192 ? 4 : 8;
      const auto value = telling(decisions.byte());
      std::memcpy(&file[at / width * width], &value, width);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Whole whole;
  Decisions decisions({data, size});
  const auto choice = decisions.byte();
  const std::size_t kind = choice % kKinds.size();
  auto files = whole.files;
  if (choice < 128) {
    hprof::test::damage(files[kind], decisions);
  } else {
    forge(files[kind], decisions);
    seal(files, whole.files);
  }
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    whole.stages.write(kKinds[i], files[i]);
  }
  whole.stages.report();
  if (kind == 0) {
    whole.stages.graph();
  }
  if (kind <= 1) {
    whole.stages.domtree();
  }
  return 0;
}
