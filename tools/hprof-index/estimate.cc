// A stage's memory and file grow with a few counts, in proportions that were measured with
// tests/bench on heaps of different shapes; tests/memory/estimates holds the result against real
// runs.
#include "tools/hprof-index/estimate.h"

#include "common/output_file.h"
#include "common/text.h"
#include "formats/dump_parts.h"
#include "formats/report/units.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace hprof {
namespace {

/// Bytes per unit of what a dump holds.
struct Proportions {
  double fixed;
  double object;
  double reference;
  double bitmap_byte;
  double per_class;
  double frame;
  double name_byte;

  std::uint64_t of(const DumpSketch& look) const {
    const auto count = [](std::uint64_t number) { return static_cast<double>(number); };
    return static_cast<std::uint64_t>(
        fixed + object * count(look.objects) + reference * count(look.references) +
        bitmap_byte * count(look.bitmap_bytes) + per_class * count(look.classes) +
        frame * count(look.frames) + name_byte * count(look.name_bytes));
  }
};

struct StageModel {
  const char* stage;
  Proportions memory;
  Proportions file;
};

// clang-format off
constexpr std::array<StageModel, 4> kStages{{
    //            fixed  object  reference  bitmap  class   frame  name_byte
    {"index",   { 7e6,    0.0,   0.0,       3.0,     700,    180,   3.0},
                { 4e3,    0.0,   0.0,       1.05,    170,     55,   1.0}},
    {"graph",   {10e6,    0.5,   0.6,       1.4,    1400,    100,   2.0},
                { 4e3,    2.0,   2.1,       0.0,     100,      0,   0.0}},
    {"domtree", { 7e6,    7.5,   2.0,       0.0,     400,      0,   0.0},
                { 2e3,    2.8,   0.1,       0.0,      50,      0,   0.0}},
    {"report",  {15e6,   12.0,   0.7,       1.4,     500,    100,   2.0},
                { 0.0,    0.0,   0.0,       0.0,       0,      0,   0.0}},
}};
// clang-format on

/// More that hprof-graph keeps per object where the dump is not in address order, besides the
/// content of its file.
constexpr double kScatteredObject = 9;

/// Two digits that mean something, the rest zeros; all of them where the count is exact.
std::uint64_t about(std::uint64_t count, bool exact) {
  std::uint64_t step = 1;
  while (!exact && count / step >= 1000) {
    step *= 10;
  }
  return (count + step / 2) / step * step;
}

std::string damage(const DumpSketch& look) {
  return look.damage.empty() ? ""
                             : "The dump is damaged (" + look.damage +
                                   "); the figures are for what can be read of it.\n";
}

std::string basis(const DumpSketch& look) {
  if (look.whole) {
    return std::string(look.damage.empty() ? "All of the dump" : "All that can be read") +
           " was looked at. References are an estimate all the same: those of "
           "thread locals are left out, "
           "and those of\nobjects whose class stands behind them are guessed.";
  }
  const std::string sample = format_bytes(look.sample_bytes) + " of objects ";
  if (look.compressed) {
    return "Looked at: " + sample +
           "at the beginning, all that can be had quickly of a compressed dump; "
           "the rest is taken to be like them.";
  }
  return "Looked at: " + sample + "in " + format_count(look.places, "place", "places") +
         "; the rest is taken to be like them.";
}

}  // namespace

std::array<StageEstimate, 4> estimate_stages(const DumpSketch& look) {
  std::array<StageEstimate, 4> estimates;
  for (std::size_t i = 0; i < kStages.size(); ++i) {
    estimates[i] = {.stage = kStages[i].stage,
                    .peak_bytes = kStages[i].memory.of(look),
                    .file_bytes = kStages[i].file.of(look)};
  }
  if (!look.address_order) {
    auto& graph = estimates[1];
    graph.peak_bytes +=
        graph.file_bytes +
        static_cast<std::uint64_t>(kScatteredObject * static_cast<double>(look.objects));
  }
  return estimates;
}

std::string estimate_text(const std::string& path, const DumpSketch& look) {
  const auto estimates = estimate_stages(look);
  std::ostringstream out;
  out << printable(base_name(path)) << ": " << format_bytes(look.file_bytes)
      << (look.compressed ? ", inflated " + format_bytes(look.dump_bytes) : "") << "; "
      << format_count(about(look.objects, look.whole), "object, ", "objects, ")
      << format_count(about(look.references, false), "reference, ", "references, ")
      << format_count(look.classes, "class", "classes") << "\n\n"
      << "stage      peak memory     writes\n";
  std::uint64_t peak = 0;
  std::uint64_t files = 0;
  for (const auto& estimate : estimates) {
    out << std::left << std::setw(9) << estimate.stage << std::right << std::setw(13)
        << format_bytes(estimate.peak_bytes) << std::setw(11)
        << (estimate.file_bytes == 0 ? "-" : format_bytes(estimate.file_bytes)) << "\n";
    peak = std::max(peak, estimate.peak_bytes);
    files += estimate.file_bytes;
  }
  out << std::left << std::setw(9) << "all" << std::right << std::setw(13) << format_bytes(peak)
      << std::setw(11) << format_bytes(files) << "\n\n"
      << damage(look) << basis(look) << "\n"
      << "What a stage takes per object, reference and class is known from measured heaps of many "
         "shapes; a heap may take a\nthird less or half as much again, and less where much of it "
         "is unreachable. Below 10 MiB the figures only say that it is little.\n";
  return out.str();
}

ExitCode print_estimate(const std::string& path, bool salvage, bool strict) {
  const auto parts = salvage ? measure_parts(path) : std::vector<DumpPart>();
  const auto look = look_at_dump(path, parts);
  if (strict && !look.damage.empty()) {
    fail(ExitCode::bad_data, printable(path), ": ", look.damage,
         "; --strict takes no damaged dump; copy or take the dump again");
  }
  write_stdout(estimate_text(path, look));
  return ExitCode::ok;
}

}  // namespace hprof
