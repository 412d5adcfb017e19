#include "tools/hprof-report/threads/stack_table.h"

#include "formats/report/readable_text.h"

#include <algorithm>
#include <utility>

namespace hprof {
namespace {

constexpr std::int32_t kNativeLine = -3;

std::optional<std::uint64_t> known_line(std::int32_t line) {
  return line > 0 ? std::optional<std::uint64_t>(static_cast<std::uint64_t>(line)) : std::nullopt;
}

}  // namespace

StackTable::StackTable(const HeapIndex& index) : index_(index) {
  for (std::uint32_t row = 0; row < index.traces.size(); ++row) {
    trace_rows_.insert(index.traces[row].serial, row);
  }
  for (std::uint32_t row = 0; row < index.frames.size(); ++row) {
    frame_rows_.insert(index.frames[row].id, row);
  }
}

/// The row of the first frame that says the same; kNone for an unknown id.
std::uint32_t StackTable::frame_with(std::uint64_t id) {
  const std::uint32_t row = frame_rows_.find(id);
  if (row == U64Map::kNone) {
    return kNone;
  }
  const auto& frame = index_.frames[row];
  const auto& names = index_.names;
  return distinct_frames_
      .try_emplace({names[frame.class_name], names[frame.method], names[frame.signature],
                    names[frame.source_file], frame.line},
                   row)
      .first->second;
}

std::uint32_t StackTable::stack_of(const ThreadInfo& thread) {
  const std::uint32_t trace = trace_rows_.find(thread.trace_serial);
  if (trace == U64Map::kNone || index_.traces[trace].frame_ids.empty()) {
    return kNone;
  }
  std::vector<std::uint32_t> frames;
  for (const auto id : index_.traces[trace].frame_ids) {
    frames.push_back(frame_with(id));
  }
  const auto number = static_cast<std::uint32_t>(stacks_.size());
  const auto [entry, is_new] = distinct_stacks_.try_emplace(frames, number);
  if (is_new) {
    stacks_.push_back(std::move(frames));
  }
  return entry->second;
}

std::vector<StackFrameRow> StackTable::frames(std::uint32_t stack, std::size_t most) const {
  std::vector<StackFrameRow> rows;
  for (std::size_t i = 0; i < std::min(most, stacks_[stack].size()); ++i) {
    const auto row = stacks_[stack][i];
    if (row == kNone) {
      rows.emplace_back();
      continue;
    }
    const auto& frame = index_.frames[row];
    rows.push_back({.class_name = readable_text(index_.names[frame.class_name]),
                    .method = readable_text(index_.names[frame.method]),
                    .signature = readable_text(index_.names[frame.signature]),
                    .source = readable_text(index_.names[frame.source_file]),
                    .line = known_line(frame.line),
                    .native = frame.line == kNativeLine});
  }
  return rows;
}

bool StackTable::is_out_of_memory(std::uint32_t stack) const {
  const auto top = stacks_[stack].front();
  return top != kNone && index_.names[index_.frames[top].method] == "<init>" &&
         index_.names[index_.frames[top].class_name] == "java.lang.OutOfMemoryError";
}

}  // namespace hprof
