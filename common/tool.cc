#include "common/tool.h"

#include "common/memory.h"

#include <csignal>
#include <ios>
#include <iostream>
#include <new>
#include <string_view>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace hprof {
namespace {

/// Nobody reads more; names from damaged files can be of any length.
constexpr std::size_t kMostBytes = 2000;

int say(const ToolInfo& tool, ExitCode code, std::string_view message) {
  const bool cut = message.size() > kMostBytes;
  std::cerr << tool.name << ": error: " << message.substr(0, kMostBytes) << (cut ? "…\n" : "\n");
  return static_cast<int>(code);
}

/// Without a fixed limit glibc learns from the first column that is freed to keep such blocks, and
/// what lies between them.
void give_freed_columns_back() {
#ifdef __GLIBC__
  constexpr int kKeptBlock = 8 << 20;
  mallopt(M_MMAP_THRESHOLD, kKeptBlock);
#endif
}

}  // namespace

int run_tool(const ToolInfo& tool, const std::function<ExitCode()>& body) {
  std::ios::sync_with_stdio(false);
  give_freed_columns_back();
  // A file beyond the size limit then fails like a full disk, with a sentence.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return static_cast<int>(body());
  } catch (const Error& error) {
    return say(tool, error.code(), error.what());
  } catch (const OutOfMemory& error) {
    return say(tool, ExitCode::os_error, error.what());
  } catch (const std::bad_alloc&) {
    return say(tool, ExitCode::os_error, "not enough memory; use a machine with more memory");
  } catch (const std::exception& error) {
    return say(tool, ExitCode::bug,
               concat("unexpected failure: ", error.what(), "; please report this"));
  }
}

}  // namespace hprof
