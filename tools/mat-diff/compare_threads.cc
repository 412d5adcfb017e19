// The thread overview, thread by thread, found by address.
#include "common/concat.h"
#include "common/text.h"
#include "tools/mat-diff/compare.h"
#include "tools/mat-diff/section_log.h"

namespace hprof {
namespace {

using nlohmann::json;

/// The state that MAT's words mean, as java.lang.Thread.State; MAT has no word for a new thread.
std::string state_of(const std::string& words) {
  constexpr std::pair<std::string_view, const char*> kStates[] = {
      {"runnable", "RUNNABLE"},
      {"blocked on monitor enter", "BLOCKED"},
      {"waiting indefinitely", "WAITING"},
      {"waiting with timeout", "TIMED_WAITING"},
      {"terminated", "TERMINATED"},
      {"alive", "RUNNABLE"},
  };
  for (const auto& [word, state] : kStates) {
    if (words.find(word) != std::string::npos) {
      return state;
    }
  }
  return "NEW";
}

std::optional<std::string> truth_of(const json& row, const char* key) {
  const auto member = row.find(key);
  return member != row.end() && member->is_boolean()
             ? std::optional<std::string>(member->get<bool>() ? "true" : "false")
             : std::nullopt;
}

std::optional<std::string> number_text(const json& row, const char* key) {
  const auto number = count_of(row, key);
  return number ? std::optional(std::to_string(*number)) : std::nullopt;
}

std::optional<std::string> hex_text(const json& row, const char* key) {
  const auto number = count_of(row, key);
  return number ? std::optional(hex_address(*number)) : std::nullopt;
}

/// What only the dump knows. MAT leaves these cells of virtual threads empty.
void compare_values(const std::string& name, const MatThread& mat, const json& ours,
                    SectionLog& log, std::uint64_t& empty) {
  log.printed_text(name + ": name", text_of(ours, "name").value_or(""), mat.name);
  log.text(name + ": context_class_loader", text_of(ours, "context_class_loader").value_or(""),
           mat.context_class_loader);
  const auto cell = [&](const char* field, const std::optional<std::string>& our_text,
                        const std::string& text) {
    if (text.empty()) {
      ++empty;
    } else {
      log.text(concat(name, ": ", field), our_text, text);
    }
  };
  cell("daemon", truth_of(ours, "daemon"), mat.daemon);
  cell("priority", number_text(ours, "priority"), mat.priority);
  cell("state_value", hex_text(ours, "state_value"), mat.state_value);
  cell("state", text_of(ours, "state"), mat.state.empty() ? "" : state_of(mat.state));
}

std::string row_name(const MatThread& mat) {
  return concat("row ", mat.address ? hex_address(*mat.address) : mat.label);
}

}  // namespace

void compare_threads(const Sides& sides, Comparison& result) {
  if (!sides.mat.threads) {
    return;
  }
  const auto& mat = *sides.mat.threads;
  SectionLog log(result, "threads");
  if (sides.ours.leaves_out("threads")) {
    log.skip("rows", mat.rows.size(), "our report lacks the section or part of it");
    return;
  }
  log.figure("total", sides.ours.count("threads.total"), exact_figure(mat.entries));
  auto ours = sides.ours.rows_by("threads.threads", "address");
  std::uint64_t empty = 0;
  for (const auto& thread : mat.rows) {
    const auto name = row_name(thread);
    const auto found = ours.find(hex_address(thread.address.value_or(0)));
    if (found == ours.end()) {
      log.missing(name, thread.label);
      continue;
    }
    const json& row = *found->second;
    log.text(name + ": class",
             concat(text_of(row, "class").value_or("(absent)"), " @ ", found->first), thread.label);
    log.figure(name + ": shallow", count_of(row, "shallow"), thread.shallow);
    log.figure(name + ": retained", count_of(row, "retained"), thread.retained);
    compare_values(name, thread, row, log, empty);
    ours.erase(found);
  }
  log.skip("cells", empty, "MAT leaves them empty");
  for (const auto& [address, row] : ours) {
    if (mat.entries == mat.rows.size()) {
      log.extra(concat("row ", address), text_of(*row, "class").value_or("(absent)"));
    }
  }
}

}  // namespace hprof
