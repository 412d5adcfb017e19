#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hprof {

/// What a tool is, for --help and for messages.
struct ToolInfo {
  std::string name;      ///< as typed, e.g. "hprof-domtree"
  std::string synopsis;  ///< one line
  std::string purpose;   ///< one sentence
  std::string example;   ///< one command line
  std::string notes{};   ///< lines that --help prints behind the options
};

enum class ProgressMode { automatic, always, never };

/// What every tool takes.
struct CommonOptions {
  bool verbose = false;
  bool quiet = false;
  ProgressMode progress = ProgressMode::automatic;
  bool trace_rss = false;
};

/// What every stage takes on top.
struct StageOptions : CommonOptions {
  std::string output;
  bool force = false;
  std::string stats;  ///< file for the counters, empty for none
};

/// A command line described once: names, targets, help texts, defaults. Long options are never
/// guessed by prefix, an option may be given once only unless it is a list, and numbers are
/// validated (no sign, no overflow). The targets' values at declaration are the defaults that
/// --help shows.
class OptionParser {
 public:
  explicit OptionParser(const ToolInfo& tool);
  OptionParser(const OptionParser&) = delete;
  OptionParser& operator=(const OptionParser&) = delete;
  ~OptionParser();

  /// `name` is "long" or "long,s".
  OptionParser& flag(const std::string& name, bool& target, const std::string& help);
  OptionParser& text(const std::string& name, const std::string& value_name, std::string& target,
                     const std::string& help);
  OptionParser& texts(const std::string& name, const std::string& value_name,
                      std::vector<std::string>& target, const std::string& help);
  OptionParser& number(const std::string& name, std::uint64_t& target, std::uint64_t least,
                       std::uint64_t most, const std::string& help);
  /// Only the listed words are accepted.
  OptionParser& choice(const std::string& name, std::string& target,
                       const std::vector<std::string>& words, const std::string& help);
  /// The option exists but is left out of --help; for tests.
  OptionParser& hidden_number(const std::string& name, std::uint64_t& target, std::uint64_t least,
                              std::uint64_t most);
  /// The name of a file to write; "-" is refused.
  OptionParser& file(const std::string& name, const std::string& value_name, std::string& target,
                     const std::string& help);
  /// -o: where text goes; "-" is standard output, as is leaving it out.
  OptionParser& output(const std::string& value_name, std::string& target, const std::string& help);
  /// A switch that --help does not show.
  OptionParser& hidden_flag(const std::string& name, bool& target);
  /// A required positional argument, in order of declaration.
  OptionParser& positional(const std::string& role, std::string& target, const std::string& help);
  /// All further positional arguments; at least `least` of them.
  OptionParser& positionals(const std::string& role, std::vector<std::string>& target,
                            std::size_t least, const std::string& help);
  OptionParser& common(CommonOptions& target);
  OptionParser& stage(StageOptions& target);

  /// Fills the targets. False: --help or --version was answered and there is nothing to do.
  /// Error(usage) with a sentence and a pointer to --help for anything wrong.
  bool parse(int argc, char** argv);

  /// The text of --help.
  std::string help() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Version of this build, e.g. "0.1.0".
std::string tool_version();

}  // namespace hprof
