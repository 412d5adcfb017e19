#include "tools/hprof-report/paths/stack_texts.h"

#include "formats/report/readable_text.h"

namespace hprof {
namespace {

constexpr std::int32_t kCompiled = -2;
constexpr std::int32_t kNative = -3;

}  // namespace

StackTexts::StackTexts(const HeapIndex& index) : index_(index) {
  for (const auto& thread : index.threads) {
    if (!thread.object.is_none()) {
      thread_traces_.emplace(thread.object.value(), thread.trace_serial);
    }
  }
  for (const auto& frame : index.frames) {
    frames_.emplace(frame.id, &frame);
  }
  for (const auto& trace : index.traces) {
    traces_.emplace(trace.serial, &trace);
  }
}

std::vector<const StackFrame*> StackTexts::frames_of(std::uint32_t thread) const {
  static const StackFrame unknown;
  std::vector<const StackFrame*> out;
  const auto serial = thread_traces_.find(thread);
  const auto trace = serial == thread_traces_.end() ? traces_.end() : traces_.find(serial->second);
  if (trace != traces_.end()) {
    for (const auto id : trace->second->frame_ids) {
      const auto frame = frames_.find(id);
      out.push_back(frame == frames_.end() ? &unknown : frame->second);
    }
  }
  return out;
}

std::string StackTexts::class_of(const StackFrame& frame) const {
  return readable_text(index_.names[frame.class_name]);
}

std::string StackTexts::method_of(const StackFrame& frame) const {
  return readable_text(index_.names[frame.method]);
}

std::string StackTexts::place_text(const StackFrame& frame) const {
  const auto source = readable_text(index_.names[frame.source_file]);
  return frame.line == kNative     ? "Native Method"
         : source.empty()          ? "Unknown Source"
         : frame.line > 0          ? source + ":" + std::to_string(frame.line)
         : frame.line == kCompiled ? source + "(Compiled Code)"
                                   : source;
}

std::string StackTexts::frame_text(const StackFrame& frame) const {
  return class_of(frame) + "." + method_of(frame) + "(" + place_text(frame) + ")";
}

std::string StackTexts::signature_text(const StackFrame& frame) const {
  return class_of(frame) + "." + method_of(frame) + readable_text(index_.names[frame.signature]);
}

}  // namespace hprof
