#pragma once

#include "common/error.h"
#include "common/options.h"
#include "tools/hprof-report/gate/gate.h"

#include <string>
#include <vector>

namespace hprof {

/// What diff and check take of rules and of where to put their results.
struct GateOptions {
  std::vector<std::string> fail_on;
  std::string rules;
  bool allow_missing = false;
  std::string gate_json;
  std::string junit;
  std::string annotations;
  std::string code_quality;

  bool has_rules() const { return !fail_on.empty() || !rules.empty(); }
  bool wants_files() const { return !gate_json.empty() || !junit.empty() || !code_quality.empty(); }
};

/// Declares the options.
void add_gate_options(OptionParser& parser, GateOptions& options);

/// Error(usage) when a result would destroy an input or another result (`result`: that of -o), or
/// when there is none for want of rules.
void check_gate_outputs(const GateOptions& options, std::vector<std::string> inputs,
                        const std::string& result);

/// All rules, those of the file last. Error(usage) for a wrong one, for a file without any, and,
/// unless `compares`, for one that only a comparison can answer.
std::vector<GateRule> read_rules(const GateOptions& options, bool compares);

/// Writes the results to where the options say.
void write_gate_files(const GateReport& gate, const GateOptions& options);

/// The results as text, with annotations where they are asked for.
std::string gate_lines(const GateReport& gate, const GateOptions& options);

/// 2 unless the gate passes.
ExitCode gate_exit(const GateReport& gate);

}  // namespace hprof
