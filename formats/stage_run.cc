#include "formats/stage_run.h"

#include "common/input_stream.h"
#include "common/open_source.h"
#include "common/text.h"
#include "formats/hprof_header.h"

#include <sys/stat.h>
#include <unistd.h>

namespace hprof {
namespace {

/// Enough for a dump's header; the rest is read elsewhere.
constexpr std::size_t kHeaderBytes = 4096;

std::string folder_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

/// Where the dump of a stage file is looked for: beside it, then beside its folder, where --keep
/// leaves it; the first of them if it is in neither.
std::string likely_dump(const std::string& stage_file, const std::string& name) {
  const std::string folder = folder_of(stage_file);
  const std::string outside = folder + "../" + name;
  const bool is_outside =
      ::access((folder + name).c_str(), R_OK) != 0 && ::access(outside.c_str(), R_OK) == 0;
  return is_outside ? outside : folder + name;
}

}  // namespace

void require_output(const StageOptions& options, const ToolInfo& tool,
                    const std::vector<std::string>& inputs) {
  if (options.output.empty()) {
    fail(ExitCode::usage, "the output is missing, name it with -o FILE; see ", tool.name,
         " --help");
  }
  refuse_overwriting(options.output, inputs);
  refuse_overwriting(options.stats, inputs);
  refuse_same_output({options.output, options.stats});
  require_creatable(options.output);
}

const FileIdentity& input_identity(const Provenance& provenance, const std::string& kind,
                                   const std::string& path) {
  for (const auto& input : provenance.inputs) {
    if (input.kind == kind) {
      return input.identity;
    }
  }
  fail(ExitCode::bad_data, printable(path), ": does not say which ", kind,
       " file it was made from; run ", provenance.tool, " with --force again");
}

void require_made_from(const Provenance& made_from, const std::string& path,
                       const std::string& tool, const std::string& kind,
                       const FileIdentity& identity, const std::string& input_path) {
  if (input_identity(made_from, kind, path) != identity) {
    fail(ExitCode::stale, printable(path), ": was not made from ", printable(input_path), "; run ",
         tool, " again");
  }
}

void refuse_overwriting_dump(const std::string& output, const DumpIdentity& identity) {
  struct stat status {};
  if (output.empty() || ::stat(output.c_str(), &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<std::uint64_t>(status.st_size) != identity.size_bytes) {
    return;
  }
  if (identify_dump(output, identity.timestamp_ms, identity.dump_number).edge_crc32 ==
      identity.edge_crc32) {
    fail(ExitCode::usage, printable(output),
         ": is the dump, writing it would destroy it; name another file for the output");
  }
}

std::string find_dump(const std::string& given, const std::string& stage_file,
                      const DumpIdentity& identity) {
  if (given.empty() && identity.name.empty()) {
    fail(ExitCode::bad_data, printable(stage_file),
         ": does not name the dump that it was made from; run hprof-index with --force again");
  }
  std::string path = given.empty() ? likely_dump(stage_file, identity.name) : given;
  if (given.empty() && ::access(path.c_str(), R_OK) != 0) {
    fail(ExitCode::no_input, printable(path),
         ": the dump is needed again and is not there; name it with --dump FILE");
  }
  BufferedInput input(open_source(path), kHeaderBytes);
  input.source().tolerate_damage();
  const auto header = read_hprof_header(input, path);
  auto found = identify_dump(path, header.timestamp_ms, identity.dump_number);
  found.name = identity.name;
  if (found != identity) {
    fail(ExitCode::stale, printable(path), ": is not the dump that ", printable(stage_file),
         " was made from; run hprof-index again");
  }
  return path;
}

std::string find_optional_dump(const std::string& given, const std::string& stage_file,
                               const DumpIdentity& identity) {
  if (given.empty() && ::access(likely_dump(stage_file, identity.name).c_str(), R_OK) != 0) {
    return "";
  }
  return find_dump(given, stage_file, identity);
}

}  // namespace hprof
