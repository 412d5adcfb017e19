// Clocks of file systems tick every few milliseconds; what is older than several ticks cannot be
// changed without getting another time.
#include "formats/whole_files.h"

#include <chrono>
#include <map>
#include <sys/stat.h>

namespace hprof {
namespace {

constexpr std::int64_t kSeveralTicksNs = 100'000'000;
constexpr std::int64_t kSecondNs = 1'000'000'000;

std::map<FileStamp, FileIdentity>& known() {
  static std::map<FileStamp, FileIdentity> files;
  return files;
}

std::int64_t now_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

std::optional<FileStamp> stamp_of(const FileDescriptor& file) {
  struct stat status {};
  if (fstat(file.value(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  return FileStamp{.device = status.st_dev,
                   .inode = status.st_ino,
                   .bytes = static_cast<std::uint64_t>(status.st_size),
                   .changed_ns = status.st_mtim.tv_sec * kSecondNs + status.st_mtim.tv_nsec};
}

std::optional<FileIdentity> WholeFiles::find(const FileStamp& stamp) {
  const auto found = known().find(stamp);
  return found == known().end() ? std::nullopt : std::optional(found->second);
}

void WholeFiles::add(const FileStamp& stamp, const FileIdentity& identity) {
  if (now_ns() - stamp.changed_ns > kSeveralTicksNs) {
    known()[stamp] = identity;
  }
}

}  // namespace hprof
