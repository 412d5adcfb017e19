#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hprof {

/// One *.diff.json as the gate sees it.
struct DumpVerdict {
  std::string name;
  std::uint64_t match = 0;
  std::uint64_t explainable = 0;
  std::uint64_t fail = 0;
  std::uint64_t skipped = 0;

  std::uint64_t compared() const { return match + explainable + fail; }
  /// Whether figures of MAT were compared at all.
  bool real() const { return compared() > 0; }
};

/// A field worth showing: every FAIL and every EXPLAINABLE.
struct NotedField {
  std::string dump;
  std::string section;
  std::string field;
  std::string ours;
  std::string mat;
  std::string reason;
  std::string evidence;
};

/// The verdict over a folder of comparisons.
struct Gate {
  bool pass = false;
  std::string reason;
  std::vector<DumpVerdict> dumps;
  std::uint64_t real_comparisons = 0;
  std::vector<NotedField> explainable;
  std::vector<NotedField> fails;
};

/// Folds every NAME.diff.json of `folder`. The gate passes when there is no FAIL and at least
/// `min_real` real comparisons; where names are `expected`, there must be one for each and no
/// other. Error(bad_data) for a file that mat-diff did not write so.
Gate aggregate(const std::string& folder, std::uint64_t min_real,
               const std::vector<std::string>& expected);

std::string render_gate_json(const Gate& gate);
/// Ends with the line "GATE PASS: …" or "GATE FAIL: …".
std::string render_gate_markdown(const Gate& gate);

}  // namespace hprof
