#include "tools/mat-diff/compare_suspect_text.h"

#include "common/concat.h"
#include "common/text.h"
#include "tools/mat-diff/proofs.h"
#include "tools/mat-diff/ranking.h"

#include <algorithm>

namespace hprof {
namespace {

using nlohmann::json;

/// The list below a member, or an empty one.
const json& list_of(const json& row, const char* key) {
  static const json none = json::array();
  const auto member = row.is_object() ? row.find(key) : row.end();
  return member != row.end() && member->is_array() ? *member : none;
}

const json& member_of(const json& row, const char* key) {
  static const json none;
  const auto member = row.is_object() ? row.find(key) : row.end();
  return member != row.end() ? *member : none;
}

const json* class_named(const json& rows, const std::string& name) {
  for (const auto& row : rows) {
    if (text_of(row, "class") == name) {
      return &row;
    }
  }
  return nullptr;
}

/// The classes that MAT names, their figures, and their places among ours.
void compare_consumers(const std::string& name, const MatSuspect& mat, const json& ours,
                       SectionLog& log) {
  const auto& rows = list_of(ours, "retained_classes");
  for (std::size_t i = 0; i < mat.consumers.size(); ++i) {
    const auto& consumer = mat.consumers[i];
    const auto field = concat(name, ": top consumer ", i + 1, " ", consumer.name, ": ");
    const auto* row = class_named(rows, consumer.name);
    if (row == nullptr) {
      log.missing(field + "class", consumer.name);
      continue;
    }
    log.figure(field + "instances", count_of(*row, "objects"), exact_figure(consumer.instances));
    log.figure(field + "shallow", count_of(*row, "shallow"), consumer.shallow);
    const bool here = i < rows.size() && &rows[i] == row;
    const auto key = i < rows.size() ? count_of(rows[i], "shallow") : std::nullopt;
    log.add(field + "place", std::to_string(row - &rows[0] + 1), std::to_string(i + 1),
            judge_place(here, key, count_of(*row, "shallow"), consumer.shallow));
  }
}

std::string shown(std::optional<std::uint64_t> address) {
  return address ? hex_address(*address) : "(no address)";
}

std::string our_line(const json& steps) {
  std::string out;
  for (const auto& step : steps) {
    out += (out.empty() ? "" : " > ") + shown(address_of(step, "address"));
  }
  return out;
}

std::string mat_line(const std::vector<MatRow>& rows) {
  std::string out;
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    out += (out.empty() ? "" : " > ") + shown(row->address);
  }
  return out;
}

/// The figures of the objects, and the names by which they are referenced. On MAT's page a name
/// stands beside the object that has the field, here beside the one that the field leads to.
void compare_steps(const std::string& name, const std::vector<MatRow>& mat, const json& ours,
                   SectionLog& log) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto& row = mat[mat.size() - 1 - i];
    const auto field = concat(name, ": path ", i + 1, ": ");
    log.figure(field + "shallow", count_of(ours[i], "shallow"), row.shallow);
    log.figure(field + "retained", count_of(ours[i], "retained"), row.retained);
    if (!row.reference.empty() && i + 1 < ours.size()) {
      log.text(field + "reference", text_of(ours[i + 1], "reference"), row.reference);
    }
  }
}

/// Whether our path is MAT's, so that what MAT says of it can be held against ours.
bool compare_path(const std::string& name, const MatSuspect& mat, const json& ours,
                  SectionLog& log) {
  if (!mat.why_alive) {
    return mat.kind == MatSuspectKind::thread;
  }
  const auto& path = member_of(ours, "why_alive");
  const auto& steps = list_of(path, "steps");
  const auto field = name + ": shortest path";
  const auto& weak = member_of(path, "only_weak");
  log.text(field + ": strength",
           weak.is_boolean() ? std::optional(weak.get<bool>() ? "weak" : "strong") : std::nullopt,
           mat.why_alive->empty() ? "weak" : "strong");
  if (mat.why_alive->empty()) {
    return false;
  }
  const auto left_out = count_of(path, "left_out");
  log.figure(field + ": length", left_out ? std::optional(*left_out + steps.size()) : std::nullopt,
             exact_figure(mat.why_alive->size()));
  if (left_out.value_or(0) != 0) {
    log.skip(field, mat.why_alive->size(), "our report shows the ends of the path only");
    return false;
  }
  const auto our_path = our_line(steps);
  const auto mat_path = mat_line(*mat.why_alive);
  log.text(field, our_path, mat_path);
  if (our_path != mat_path) {
    return false;
  }
  compare_steps(name, *mat.why_alive, steps, log);
  return true;
}

bool has_step(const json& steps, std::optional<std::uint64_t> address) {
  return address && std::ranges::any_of(steps, [&](const json& step) {
           return address_of(step, "address") == address;
         });
}

/// Objects that MAT says to be on the path.
void compare_on_path(const std::string& name, const MatSuspect& mat, const json& ours,
                     SectionLog& log) {
  const auto& steps = list_of(member_of(ours, "why_alive"), "steps");
  for (const auto& label : mat.on_path) {
    const auto address = loader_address(label);
    if (address) {
      log.text(name + ": on the path", has_step(steps, address) ? shown(address) : "not on it",
               shown(address));
    }
  }
  log.skip(name + ": referrer", mat.referrers.size(),
           "MAT searches upwards and names what need not reference it");
}

/// "METHOD (FILE:LINE)"; where the file is not known MAT prints what is left of that.
std::string known_place(const std::string& text) {
  const auto place = text.rfind(" (");
  const auto what = place == std::string::npos ? "" : text.substr(place + 2);
  return what.starts_with(":") || what == ")" ? text.substr(0, place) + " (Unknown Source)" : text;
}

std::string frame_text(const json& frame) {
  const auto printed = text_of(frame, "frame").value_or("");
  const auto place = std::min(printed.find('('), printed.size());
  return text_of(frame, "method").value_or("") + " " + printed.substr(place);
}

const json* local_at(const json& frame, std::optional<std::uint64_t> address) {
  for (const auto& local : list_of(frame, "locals")) {
    if (address && address_of(local, "address") == address) {
      return &local;
    }
  }
  return nullptr;
}

/// Our frame of that text, the one with the locals where a method recurs.
const json* frame_like(const json& frames, const MatFrame& mat) {
  const json* found = nullptr;
  for (const auto& frame : frames) {
    if (frame_text(frame) == known_place(mat.text)) {
      const bool has_all = std::ranges::all_of(mat.locals, [&](const MatLocal& local) {
        return local_at(frame, local.address) != nullptr;
      });
      found = found == nullptr || has_all ? &frame : found;
    }
  }
  return found;
}

void compare_frames(const Sides& sides, const std::string& name, const MatSuspect& mat,
                    const json& ours, SectionLog& log) {
  const auto& frames = list_of(member_of(ours, "thread"), "frames");
  for (const auto& frame : mat.frames) {
    const auto* our_frame = frame_like(frames, frame);
    if (our_frame == nullptr) {
      log.missing(name + ": frame", frame.text);
      continue;
    }
    log.text(name + ": frame", frame_text(*our_frame), known_place(frame.text));
    for (const auto& local : frame.locals) {
      const auto field = concat(name, ": local ", shown(local.address), ": ");
      const auto* our_local = local_at(*our_frame, local.address);
      if (our_local == nullptr) {
        log.missing(field + "address", local.label);
        continue;
      }
      log.figure(field + "retained", count_of(*our_local, "retained"), local.retained);
      log.share(field + "share", count_of(*our_local, "retained"),
                sides.ours.count("overview.total_shallow"), std::nullopt, local.share);
    }
  }
}

/// The thread that keeps the suspect alive; a second one that MAT names has no counterpart.
void compare_threads_named(const Sides& sides, const std::string& name, const MatSuspect& mat,
                           const json& ours, SectionLog& log) {
  const auto& thread = member_of(member_of(ours, "thread"), "thread");
  for (const auto& keeper : mat.threads) {
    const auto address = address_of(thread, "address");
    if (has_step(list_of(member_of(ours, "why_alive"), "steps"), keeper.address)) {
      log.text(name + ": thread: address", shown(address), shown(keeper.address));
    }
    if (keeper.address != address) {
      log.skip(name + ": thread", 2, "not the thread on our path");
      continue;
    }
    log.figure(name + ": thread: retained", count_of(thread, "retained"), keeper.retained);
    log.share(name + ": thread: share", count_of(thread, "retained"),
              sides.ours.count("overview.total_shallow"), std::nullopt, keeper.share);
  }
}

/// The classes and loaders among the keywords; frames are compared as such, and which of them are
/// keywords is a matter of taste.
void compare_keywords(const std::string& name, const MatSuspect& mat, const json& ours,
                      SectionLog& log) {
  std::vector<std::string> words;
  const auto& our_frames = list_of(member_of(ours, "thread"), "frames");
  for (const auto& word : list_of(ours, "keywords")) {
    const auto text = word.is_string() ? word.get<std::string>() : "(no text)";
    const bool of_frame = std::ranges::any_of(our_frames, [&](const json& frame) {
      return text_of(frame, "method") == text ||
             text_of(frame, "frame").value_or("").ends_with("(" + text + ")");
    });
    if (!of_frame) {
      words.push_back(text);
    }
  }
  const auto is_extra = [&](const std::string& word) {
    const auto has_word = [&](const std::string& text) {
      return text.find(word) != std::string::npos;
    };
    const auto is_of_class = [&](const std::string& label) {
      const auto object = read_object_label(label, loader_address(label));
      return object && object->type == word;
    };
    return std::ranges::any_of(mat.referrers, is_of_class) ||
           std::ranges::any_of(mat.frames,
                               [&](const MatFrame& frame) { return has_word(frame.text); });
  };
  for (const auto& word : mat.keywords) {
    const bool ours_too = std::ranges::find(words, word) != words.end();
    if (ours_too || !is_extra(word)) {
      log.text(name + ": keyword", ours_too ? word : "(none)", word);
    }
    std::erase(words, word);
  }
  for (const auto& word : words) {
    log.extra(name + ": keyword", word);
  }
}

}  // namespace

void compare_suspect_text(const Sides& sides, const std::string& name, const MatSuspect& mat,
                          const json& ours, SectionLog& log) {
  compare_consumers(name, mat, ours, log);
  const bool same_path = compare_path(name, mat, ours, log);
  const bool speaks_of_ours = mat.kind == MatSuspectKind::group
                                  ? mat.instances <= kMatSampleLimit
                                  : same_path || !mat.why_alive || mat.why_alive->empty();
  if (speaks_of_ours) {
    compare_on_path(name, mat, ours, log);
    compare_frames(sides, name, mat, ours, log);
    compare_threads_named(sides, name, mat, ours, log);
    compare_keywords(name, mat, ours, log);
  } else {
    log.skip(name + ": text on the path",
             mat.on_path.size() + mat.frames.size() + 2 * mat.threads.size() + mat.keywords.size(),
             mat.kind == MatSuspectKind::group ? "MAT looked at 10,000 instances by chance"
                                               : "MAT speaks of another path than ours");
  }
  log.skip(name + ": further text", mat.further_figures, "other words of the text");
}

}  // namespace hprof
