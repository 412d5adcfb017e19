#pragma once

#include <cstdint>
#include <string>

namespace hprof {

/// A class whose instances cannot take the bytes that its record says, since other objects lie
/// nearer behind them.
struct ImpossibleSize {
  std::string class_name;
  std::uint64_t instances = 0;
  std::uint64_t shallow = 0;
  std::uint64_t room = 0;

  bool operator==(const ImpossibleSize&) const = default;
  static constexpr auto kName = "ImpossibleSize";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("class", self.class_name, "Java name of the class");
    visit("instances", self.instances, "direct instances in the dump");
    visit("shallow", self.shallow, "bytes that each of them takes as the dump says");
    visit("room", self.room, "bytes from one of them to the next object");
  }
};

}  // namespace hprof
