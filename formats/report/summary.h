#pragma once

#include "formats/report/report.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// A piece of a sentence; names from the dump are kept apart, so that each format can mark and
/// escape them.
struct Span {
  std::string text;
  bool is_name = false;

  bool operator==(const Span&) const = default;
};
using Sentence = std::vector<Span>;

struct KeyFigure {
  std::string title;
  std::string value;
};

/// What holds how much and why it is alive, in a sentence or two; a leak that says more than that
/// before it, and before that what damage cut off.
Sentence verdict(const Report& report);

/// One suspect in plain language: what, how much, what keeps it, where the memory gathers.
Sentence suspect_sentence(const Suspect& suspect);

/// The text of a finding with its names apart.
Sentence finding_sentence(const Finding& finding);

/// "static field demo.Cache.CACHE"
Sentence holder_sentence(const Holder& holder);

/// "4.5 MiB in 1,000 objects", and what these may be where that is not plain.
std::string unreachable_text(const Report& report);

/// Unreachable bytes that the garbage collector made itself to fill gaps, for certain or likely. In
/// a report without the section that tells them apart: the most that they can be.
std::uint64_t likely_filler_bytes(const Report& report);

/// The six figures of the first screen.
std::vector<KeyFigure> key_figures(const Report& report);

/// How many suspects the summary lists.
inline constexpr std::size_t kSummarySuspects = 5;

}  // namespace hprof
