// The first bytes of a file tell whether it is packed.
#include "common/open_source.h"

#include "common/gzip_source.h"
#include "common/plain_source.h"

#include <array>
#include <cstdint>
#include <utility>

namespace hprof {
namespace {

constexpr std::array<std::uint8_t, 2> kGzipMagic{0x1f, 0x8b};

}  // namespace

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  return open_source(open_input(path), path);
}

std::unique_ptr<ByteSource> open_source(FileDescriptor file, const std::string& path) {
  std::array<std::uint8_t, 2> magic{};
  if (read_at(file, path, 0, magic) == magic.size() && magic == kGzipMagic) {
    return std::make_unique<GzipSource>(std::move(file), path);
  }
  return std::make_unique<PlainSource>(std::move(file), path);
}

}  // namespace hprof
