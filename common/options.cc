// Boost.ProgramOptions does the splitting; every value is taken as text and converted here, because
// the library guesses prefixes by default and lets "-1" into unsigned numbers.
#include "common/options.h"

#include "common/error.h"
#include "common/output_file.h"
#include "common/text.h"

#include <boost/program_options.hpp>

#include <algorithm>
#include <charconv>
#include <functional>
#include <sstream>

namespace hprof {
namespace {

namespace po = boost::program_options;

constexpr char kPositionals[] = "positional arguments";
constexpr unsigned kHelpColumns = 100;
constexpr char kExitStatus[] =
    "EXIT STATUS\n"
    "  0 done   2 verdict FAIL   64 usage   65 damaged input   66 no input   69 beyond a limit   "
    "70 our bug\n"
    "  71/73/74 no memory, cannot create, read or write failed   75 stale or mismatched stage "
    "files\n";

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const auto& word : words) {
    out += (out.empty() ? "" : "|") + word;
  }
  return out;
}

std::string long_name(const std::string& name) {
  return name.substr(0, name.find(','));
}

}  // namespace

struct OptionParser::State {
  struct Positional {
    std::string role;
    std::string help;
    std::string* target = nullptr;
    std::vector<std::string>* list = nullptr;
    std::size_t least = 1;
  };
  using Apply = std::function<void(const std::vector<std::string>&)>;

  explicit State(const ToolInfo& info) : tool(info) {}

  ToolInfo tool;
  po::options_description visible{"OPTIONS", kHelpColumns, kHelpColumns / 2};
  po::options_description hidden;
  std::vector<std::pair<std::string, Apply>> apply;
  std::vector<Positional> positionals;

  [[noreturn]] void usage(const std::string& message) const {
    fail(ExitCode::usage, message, "; see ", tool.name, " --help");
  }

  void value_option(po::options_description& group, const std::string& name,
                    const std::string& value_name, const std::string& help, bool composing,
                    Apply take) {
    auto* semantic = po::value<std::vector<std::string>>()->value_name(value_name);
    if (composing) {
      semantic->composing();
    }
    group.add_options()(name.c_str(), semantic, help.c_str());
    apply.emplace_back(long_name(name), std::move(take));
  }

  void single_option(po::options_description& group, const std::string& name,
                     const std::string& value_name, const std::string& help,
                     std::function<void(const std::string&)> take) {
    value_option(group, name, value_name, help, false,
                 [this, option = long_name(name), take = std::move(take)](const auto& values) {
                   if (values.size() > 1) {
                     usage(concat("--", option, " is given twice"));
                   }
                   take(values.front());
                 });
  }

  Apply number_taker(std::string option, std::uint64_t& target, std::uint64_t least,
                     std::uint64_t most) const {
    return [this, option = std::move(option), &target, least,
            most](const std::vector<std::string>& values) {
      const auto& word = values.front();
      std::uint64_t value = 0;
      const auto result = std::from_chars(word.data(), word.data() + word.size(), value);
      if (result.ec != std::errc() || result.ptr != word.data() + word.size() || value < least ||
          value > most) {
        usage(concat("--", option, " takes a whole number from ", least, " to ", most, ", not \"",
                     printable(word), "\""));
      }
      target = value;
    };
  }

  void take_positionals(const std::vector<std::string>& words) const {
    std::size_t at = 0;
    for (const auto& slot : positionals) {
      const std::size_t left = words.size() - at;
      if (left != 0 && left < slot.least) {
        usage(concat("at least ", slot.least, " arguments ", slot.role, " are needed, not ", left));
      }
      if (left < slot.least) {
        usage(concat("the argument ", slot.role, " is missing"));
      }
      if (slot.list != nullptr) {
        slot.list->assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.end());
        at = words.size();
      } else {
        *slot.target = words[at++];
      }
    }
    if (at < words.size()) {
      usage(concat("unexpected argument \"", printable(words[at]), "\""));
    }
  }

  po::variables_map split(int argc, char** argv) const {
    po::options_description all;
    all.add(visible).add(hidden);
    all.add_options()(kPositionals, po::value<std::vector<std::string>>());
    po::positional_options_description rest;
    rest.add(kPositionals, -1);
    const int style =
        po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::variables_map map;
    try {
      po::store(
          po::command_line_parser(argc, argv).options(all).positional(rest).style(style).run(),
          map);
    } catch (const po::error& error) {
      usage(printable(error.what()));
    }
    return map;
  }
};

OptionParser::OptionParser(const ToolInfo& tool) : state_(std::make_unique<State>(tool)) {
  state_->visible.add_options()("help,h", "print this text")("version", "print the version");
}

OptionParser::~OptionParser() = default;

OptionParser& OptionParser::flag(const std::string& name, bool& target, const std::string& help) {
  state_->visible.add_options()(name.c_str(), po::bool_switch(&target), help.c_str());
  return *this;
}

OptionParser& OptionParser::text(const std::string& name, const std::string& value_name,
                                 std::string& target, const std::string& help) {
  const std::string shown = target.empty() ? help : concat(help, " (default: ", target, ")");
  const bool may_be_empty = !target.empty();
  state_->single_option(state_->visible, name, value_name, shown,
                        [this, &target, may_be_empty, name](const std::string& word) {
                          if (word.empty() && !may_be_empty) {
                            state_->usage(concat("--", long_name(name), " needs a value"));
                          }
                          target = word;
                        });
  return *this;
}

OptionParser& OptionParser::file(const std::string& name, const std::string& value_name,
                                 std::string& target, const std::string& help) {
  state_->single_option(
      state_->visible, name, value_name, help, [this, &target, name](const std::string& word) {
        if (word.empty() || word == "-") {
          state_->usage(concat("--", long_name(name), " takes the name of a file to write, not \"",
                               word, "\""));
        }
        target = word;
      });
  return *this;
}

OptionParser& OptionParser::output(const std::string& value_name, std::string& target,
                                   const std::string& help) {
  state_->single_option(state_->visible, "output,o", value_name, help,
                        [this, &target](const std::string& word) {
                          if (word.empty()) {
                            state_->usage("--output needs a value");
                          }
                          target = word == "-" ? "" : word;
                        });
  return *this;
}

OptionParser& OptionParser::hidden_flag(const std::string& name, bool& target) {
  state_->hidden.add_options()(name.c_str(), po::bool_switch(&target), "");
  return *this;
}

OptionParser& OptionParser::texts(const std::string& name, const std::string& value_name,
                                  std::vector<std::string>& target, const std::string& help) {
  state_->value_option(state_->visible, name, value_name, help, true,
                       [&target](const auto& values) { target = values; });
  return *this;
}

OptionParser& OptionParser::number(const std::string& name, std::uint64_t& target,
                                   std::uint64_t least, std::uint64_t most,
                                   const std::string& help) {
  const auto take = state_->number_taker(long_name(name), target, least, most);
  state_->single_option(state_->visible, name, "N", concat(help, " (default: ", target, ")"),
                        [take](const std::string& word) { take({word}); });
  return *this;
}

OptionParser& OptionParser::hidden_number(const std::string& name, std::uint64_t& target,
                                          std::uint64_t least, std::uint64_t most) {
  const auto take = state_->number_taker(long_name(name), target, least, most);
  state_->single_option(state_->hidden, name, "N", "",
                        [take](const std::string& word) { take({word}); });
  return *this;
}

OptionParser& OptionParser::choice(const std::string& name, std::string& target,
                                   const std::vector<std::string>& words, const std::string& help) {
  const std::string shown = target.empty() ? help : concat(help, " (default: ", target, ")");
  auto take = [this, &target, words, option = long_name(name)](const std::string& word) {
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      state_->usage(
          concat("--", option, " takes ", joined(words), ", not \"", printable(word), "\""));
    }
    target = word;
  };
  state_->single_option(state_->visible, name, joined(words), shown, std::move(take));
  return *this;
}

OptionParser& OptionParser::positional(const std::string& role, std::string& target,
                                       const std::string& help) {
  state_->positionals.push_back({.role = role, .help = help, .target = &target});
  return *this;
}

OptionParser& OptionParser::positionals(const std::string& role, std::vector<std::string>& target,
                                        std::size_t least, const std::string& help) {
  state_->positionals.push_back({.role = role, .help = help, .list = &target, .least = least});
  return *this;
}

OptionParser& OptionParser::common(CommonOptions& target) {
  flag("verbose,v", target.verbose, "say what is done, with time and memory, on stderr");
  flag("quiet,q", target.quiet, "no warnings");
  const auto take = [&target](const std::string& word) {
    target.progress = word == "always"  ? ProgressMode::always
                      : word == "never" ? ProgressMode::never
                                        : ProgressMode::automatic;
  };
  state_->single_option(
      state_->visible, "progress", "auto|always|never",
      "progress on stderr (default: auto, on a terminal)", [this, take](const std::string& word) {
        if (word != "auto" && word != "always" && word != "never") {
          state_->usage("--progress takes auto|always|never, not \"" + printable(word) + "\"");
        }
        take(word);
      });
  flag("trace-rss", target.trace_rss, "print the resident memory after each step on stderr");
  return *this;
}

OptionParser& OptionParser::stage(StageOptions& target) {
  file("output,o", "FILE", target.output, "the file to write");
  flag("force", target.force, "work even when the output is current");
  file("stats", "FILE.json", target.stats, "write the counters of this run");
  return common(target);
}

bool OptionParser::parse(int argc, char** argv) {
  const auto map = state_->split(argc, argv);
  if (map.count("help") != 0) {
    write_stdout(help());
    return false;
  }
  if (map.count("version") != 0) {
    write_stdout(concat(state_->tool.name, " ", tool_version(), "\n"));
    return false;
  }
  for (const auto& [name, take] : state_->apply) {
    if (map.count(name) != 0) {
      take(map[name].as<std::vector<std::string>>());
    }
  }
  po::variables_map copy = map;
  po::notify(copy);
  const bool any = map.count(kPositionals) != 0;
  state_->take_positionals(any ? map[kPositionals].as<std::vector<std::string>>()
                               : std::vector<std::string>());
  return true;
}

std::string OptionParser::help() const {
  std::ostringstream out;
  const auto& tool = state_->tool;
  out << "Usage: " << tool.synopsis << "\n"
      << tool.purpose << "\n  e.g. " << tool.example << "\n\n";
  if (!state_->positionals.empty()) {
    out << "ARGUMENTS:\n";
    for (const auto& slot : state_->positionals) {
      out << "  " << slot.role
          << std::string(slot.role.size() < 12 ? 12 - slot.role.size() : 1, ' ') << slot.help
          << "\n";
    }
    out << "\n";
  }
  out << state_->visible << "\n" << tool.notes << (tool.notes.empty() ? "" : "\n") << kExitStatus;
  return out.str();
}

std::string tool_version() {
  return HPROF_VERSION;
}

}  // namespace hprof
