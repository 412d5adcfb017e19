#include "common/clock.h"

#include <array>
#include <chrono>
#include <ctime>

namespace hprof {

std::string now_utc() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now).count();
  const auto time = static_cast<std::time_t>(seconds);
  std::tm fields{};
  std::array<char, 32> buffer{};
  ::gmtime_r(&time, &fields);
  return {buffer.data(),
          std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%SZ", &fields)};
}

}  // namespace hprof
