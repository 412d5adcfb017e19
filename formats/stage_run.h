#pragma once

#include "common/error.h"
#include "common/options.h"
#include "common/output_file.h"
#include "common/steps.h"
#include "formats/frame_file.h"

#include <string>
#include <vector>

namespace hprof {

/// Checks a stage's -o before hours of work: Error(usage) when it is missing or names one of the
/// `inputs`, Error(cannot_create) when nothing can be created there.
void require_output(const StageOptions& options, const ToolInfo& tool,
                    const std::vector<std::string>& inputs);

/// True when the output already holds what `wanted` describes: says so with -v, touches it for
/// make's sake, and there is nothing to do. Never with --force, nor with --stats, whose counters
/// only work yields.
template <typename Frame>
bool already_current(const StageOptions& options, const FileKind& kind, const Provenance& wanted,
                     const Steps& steps) {
  if (options.force || !options.stats.empty() || !is_current<Frame>(options.output, kind, wanted)) {
    return false;
  }
  steps.note(concat(printable(options.output), " is current, nothing to do"));
  touch_file(options.output);
  return true;
}

/// The identity of an input of the given kind in a provenance; Error(bad_data) if it has none.
const FileIdentity& input_identity(const Provenance& provenance, const std::string& kind,
                                   const std::string& path);

/// Error(stale) unless `made_from` (the provenance of `path`) was made from the file with this
/// identity.
void require_made_from(const Provenance& made_from, const std::string& path,
                       const std::string& tool, const std::string& kind,
                       const FileIdentity& identity, const std::string& input_path);

/// Error(usage) when `output` is the dump with this identity, under whatever name.
void refuse_overwriting_dump(const std::string& output, const DumpIdentity& identity);

/// Finds the dump that a stage file speaks of: `given` if not empty, else beside `stage_file` or
/// its folder. Error(stale) when it is another dump, Error(no_input) when it is not there.
std::string find_dump(const std::string& given, const std::string& stage_file,
                      const DumpIdentity& identity);

/// The same for a stage that can do without: "" when no dump is given and none is beside
/// `stage_file`.
std::string find_optional_dump(const std::string& given, const std::string& stage_file,
                               const DumpIdentity& identity);

}  // namespace hprof
