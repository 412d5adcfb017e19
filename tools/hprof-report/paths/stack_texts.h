#pragma once

#include "formats/heap_index.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace hprof {

/// Stacks of threads as the index has them, and how their frames are printed.
class StackTexts {
 public:
  explicit StackTexts(const HeapIndex& index);

  /// Whether the object has a THREAD_OBJ root.
  bool is_thread(std::uint32_t object) const { return thread_traces_.contains(object); }
  /// Frames of a thread, the innermost first; none where the dump has no trace.
  std::vector<const StackFrame*> frames_of(std::uint32_t thread) const;

  /// "demo.Main"
  std::string class_of(const StackFrame& frame) const;
  /// "run"
  std::string method_of(const StackFrame& frame) const;
  /// "demo.Main.run(Main.java:12)", as stack traces print it.
  std::string frame_text(const StackFrame& frame) const;
  /// "demo.Main.run([Ljava/lang/String;)V"
  std::string signature_text(const StackFrame& frame) const;
  /// "Main.java:12", "Native Method", "Unknown Source".
  std::string place_text(const StackFrame& frame) const;

 private:
  const HeapIndex& index_;
  std::unordered_map<std::uint32_t, std::uint32_t> thread_traces_;  ///< object → trace serial
  std::unordered_map<std::uint64_t, const StackFrame*> frames_;
  std::unordered_map<std::uint32_t, const StackTrace*> traces_;
};

}  // namespace hprof
