// Operator new is replaced for the sake of its message: the standard one does not say how much was
// wanted.
#include "common/memory.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

namespace hprof {

std::uint64_t address_space_bytes() noexcept {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return 0;
  }
  char text[128];
  const ssize_t count = ::read(file, text, sizeof text - 1);
  ::close(file);
  text[count > 0 ? count : 0] = '\0';
  return std::strtoull(text, nullptr, 10) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

OutOfMemory::OutOfMemory(std::uint64_t requested) noexcept {
  const auto mebibytes = [](std::uint64_t bytes) { return (bytes + (1U << 20U) - 1) >> 20U; };
  std::snprintf(
      text_, sizeof text_,
      "not enough memory: needs %" PRIu64 " MiB more, %" PRIu64
      " MiB in all so far; use a machine with more memory (hprof-analyze --estimate tells "
      "how much)",
      mebibytes(requested), mebibytes(address_space_bytes() + requested));
}

}  // namespace hprof

// Sanitizers bring their own; gcc and clang tell of them in different ways.
#if defined(__has_feature)
#define HPROF_HAS_FEATURE(feature) __has_feature(feature)
#else
#define HPROF_HAS_FEATURE(feature) 0
#endif
#if !defined(__SANITIZE_ADDRESS__) && !HPROF_HAS_FEATURE(address_sanitizer)
void* operator new(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) {
    throw hprof::OutOfMemory(size);
  }
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept {
  std::free(memory);
}
#endif
