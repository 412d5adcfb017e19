// A thread without a stack is one that never had one, one whose stack this JVM does not write, or
// one whose stack was lost; the dump tells which only where it is whole.
#include "formats/report/thread_gaps.h"

#include "common/text.h"
#include "formats/report/caveats.h"

#include <charconv>

namespace hprof {
namespace {

/// JVMs from this one on write the stacks of virtual threads that are off their carriers.
constexpr unsigned kWritesUnmounted = 22;

constexpr const char* kUnseen = "what only such a stack keeps alive looks unreachable";

/// Whether the heap says that its JVM writes the stacks of all virtual threads.
bool writes_unmounted(const Report& report) {
  if (!report.overview.jvm || !report.overview.jvm->java_version) {
    return false;
  }
  const auto& version = *report.overview.jvm->java_version;
  unsigned feature = 0;
  std::from_chars(version.data(), version.data() + version.size(), feature);
  return feature >= kWritesUnmounted;
}

std::string no_stack(std::uint64_t count, const char* one, const char* many, bool complete) {
  return format_count(count, one, many) + " no stack in " + what_was_read(complete) + ": ";
}

std::string no_stacks_at_all(std::uint64_t threads, bool complete) {
  return (complete ? "The dump has" : "What was read of the dump has") +
         (threads == 1 ? std::string(" no stack of its only thread.")
                       : " no stack of any of its " + grouped(threads) + " threads.");
}

std::string platform_threads(std::uint64_t count, bool complete) {
  return no_stack(count, "thread has", "threads have", complete) + (complete ? "" : "lost, or ") +
         "not yet started, ended, or of the JVM's own.";
}

std::string virtual_threads(std::uint64_t count, const Report& report) {
  std::string out = no_stack(count, "virtual thread has", "virtual threads have", report.complete);
  if (writes_unmounted(report)) {
    return out + (report.complete
                      ? "not yet started, or ended."
                      : std::string("lost, or not yet started, or ended; ") + kUnseen + ".");
  }
  return out + (report.complete ? "" : "lost, or not written, as ") +
         "JVMs before JDK 22 do not write those of unmounted ones" +
         (report.complete ? ", so " : "; ") + kUnseen + ".";
}

}  // namespace

std::vector<std::string> thread_gaps(const Report& report) {
  const auto& threads = *report.threads;
  std::vector<std::string> out;
  const auto virtual_ones = threads.virtual_without_stack;
  const auto others = threads.without_stack - virtual_ones;
  if (threads.total != 0 && threads.without_stack == threads.total) {
    out.push_back(no_stacks_at_all(threads.total, report.complete));
  } else {
    if (others != 0) {
      out.push_back(platform_threads(others, report.complete));
    }
    if (virtual_ones != 0) {
      out.push_back(virtual_threads(virtual_ones, report));
    }
  }
  if (threads.missing_objects != 0) {
    out.push_back(format_count(threads.missing_objects, "thread of the dump has no object in ",
                               "threads of the dump have no object in ") +
                  (report.complete ? "it" : "what was read of it") + ".");
  }
  if (threads.left_out != 0) {
    out.push_back(format_count(threads.left_out, "thread that retains less is",
                               "threads that retain less are") +
                  " not listed.");
  }
  return out;
}

}  // namespace hprof
