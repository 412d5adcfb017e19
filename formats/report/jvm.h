#pragma once

#include "formats/report/fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hprof {

/// A property of java.lang.System.
struct SystemProperty {
  std::string key;
  std::optional<std::string> value;
  bool masked = false;
  std::optional<bool> is_default;

  bool operator==(const SystemProperty&) const = default;
  static constexpr auto kName = "SystemProperty";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("key", self.key, "name of the property");
    visit("value", self.value,
          "its value, *** for what is masked; absent where the dump lacks the text");
    visit("masked", self.masked, "a secret in the value is not shown");
    visit("is_default", self.is_default, "true: it comes from the defaults of the properties");
  }
};

/// What the heap itself says about the JVM; what it does not hold is absent.
struct JvmFacts {
  std::optional<std::string> vm_name;
  std::optional<std::string> vm_version;
  std::optional<std::string> vm_vendor;
  std::optional<std::string> java_version;
  std::optional<std::string> command;
  std::optional<std::vector<std::string>> arguments;
  std::optional<std::vector<std::string>> collectors;
  std::optional<std::uint64_t> started_ms;
  std::optional<std::uint64_t> uptime_ms;
  std::optional<std::uint64_t> process_id;
  std::optional<std::uint64_t> processors;
  std::optional<std::uint64_t> max_direct_memory;

  bool operator==(const JvmFacts&) const = default;
  static constexpr auto kName = "JvmFacts";
  template <typename Self, typename Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("vm_name", self.vm_name, "name of the virtual machine");
    visit("vm_version", self.vm_version, "its version");
    visit("vm_vendor", self.vm_vendor, "who made it");
    visit("java_version", self.java_version, "version of the Java runtime");
    visit("command", self.command, "main class or archive with its arguments, secrets masked");
    visit("arguments", self.arguments, "arguments of the virtual machine, secrets masked");
    visit("collectors", self.collectors, "names of the garbage collectors");
    visit("started_ms", self.started_ms, "when it started, milliseconds since 1970 UTC");
    visit("uptime_ms", self.uptime_ms, "milliseconds from then until the dump was taken");
    visit("process_id", self.process_id, "id of the process");
    visit("processors", self.processors, "processors when it started");
    visit("max_direct_memory", self.max_direct_memory, "limit of direct buffers in bytes");
  }
};

}  // namespace hprof
