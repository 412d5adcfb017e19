// All of this hangs on static fields of JDK classes, which the index has, and a few steps from
// there. Beans of java.lang.management exist only where the program, or a monitoring agent, asked
// for them.
#include "tools/hprof-report/jvm/jvm_reader.h"

#include "common/concat.h"
#include "tools/hprof-report/jvm/secrets.h"

#include <algorithm>
#include <array>

namespace hprof {
namespace {

constexpr std::uint64_t kMostElementBytes = 1U << 16U;
constexpr unsigned kMostWrappers = 4;

struct Constant {
  const char* class_name;
  const char* field;
  const char* property;
};
constexpr std::array kVersionConstants{
    Constant{"java.lang.VersionProps", "java_version", "java.version"},
    Constant{"java.lang.VersionProps", "java_runtime_version", "java.runtime.version"},
    Constant{"java.lang.VersionProps", "java_runtime_name", "java.runtime.name"},
    Constant{"java.lang.VersionProps", "VENDOR", "java.vendor"},
    Constant{"sun.misc.Version", "java_version", "java.version"},
    Constant{"sun.misc.Version", "java_runtime_version", "java.runtime.version"},
    Constant{"sun.misc.Version", "java_runtime_name", "java.runtime.name"},
};

std::optional<std::uint64_t> positive(std::optional<std::int64_t> value) {
  return value && *value > 0 ? std::optional(static_cast<std::uint64_t>(*value)) : std::nullopt;
}

std::optional<std::string> value_of(const std::vector<RawProperty>& properties,
                                    const std::string& key) {
  const auto found = std::find_if(properties.begin(), properties.end(),
                                  [&](const RawProperty& row) { return row.key == key; });
  return found == properties.end() ? std::nullopt : found->value;
}

SystemProperty shown(const RawProperty& raw, bool show_secrets) {
  MaskedText value{raw.value.value_or(""), false};
  if (raw.value && !show_secrets) {
    value = mask_secrets(raw.key, *raw.value);
  }
  return {.key = raw.key,
          .value = raw.value ? std::optional(value.text) : std::nullopt,
          .masked = value.masked,
          .is_default = raw.is_default ? std::optional(true) : std::nullopt};
}

bool is_empty(const JvmFacts& facts) {
  return facts == JvmFacts();
}

}  // namespace

JvmReader::JvmReader(const HeapIndex& index, RecordFetcher& fetcher)
    : index_(index), fetcher_(fetcher), properties_(index, fetcher) {}

void JvmReader::want() {
  properties_.want();
  want_versions();
  want_management();
  want_process();
}

ObjectIndex JvmReader::object_in(std::string_view class_name, std::string_view field) const {
  const auto index = find_class(index_, class_name);
  const auto* found = index.is_none() ? nullptr : find_static(index_, index, field);
  return found == nullptr || found->type != kTypeObject || found->value == 0
             ? ObjectIndex::none()
             : index_.addresses.index_of(found->value);
}

std::optional<std::int64_t> JvmReader::number_in(std::string_view class_name,
                                                 std::string_view field) const {
  const auto index = find_class(index_, class_name);
  const auto* found = index.is_none() ? nullptr : find_static(index_, index, field);
  if (found == nullptr || (found->type != kTypeInt && found->type != kTypeLong)) {
    return std::nullopt;
  }
  return found->type == kTypeInt ? static_cast<std::int32_t>(found->value)
                                 : static_cast<std::int64_t>(found->value);
}

void JvmReader::want_versions() {
  for (const auto& constant : kVersionConstants) {
    fetcher_.want_text(object_in(constant.class_name, constant.field),
                       [this, &constant](const JavaText& text) {
                         versions_.emplace(constant.property, text.utf8);
                       });
  }
}

void JvmReader::want_management() {
  constexpr std::string_view kFactory = "sun.management.ManagementFactoryHelper";
  fetcher_.want(object_in(kFactory, "runtimeMBean"), [this](const ObjectRecord& bean) {
    started_ms_ = positive(bean.number("vmStartupTime"));
  });
  fetcher_.want(object_in(kFactory, "jvm"),
                [this](const ObjectRecord& vm) { want_arguments(vm.reference("vmArgs"), 0); });
  want_collectors(object_in("sun.management.MemoryImpl", "mgrs"));
}

/// An unmodifiable list over a list over an array.
void JvmReader::want_arguments(ObjectIndex list, unsigned depth) {
  if (depth > kMostWrappers) {
    return;
  }
  fetcher_.want(
      list,
      [this, depth](const ObjectRecord& record) {
        if (record.kind() == RecordKind::object_array) {
          has_arguments_ = true;
          for (std::uint64_t at = 0; at < record.elements_here(); ++at) {
            auto& argument = arguments_.emplace_back();
            fetcher_.want_text(record.element(at),
                               [&argument](const JavaText& text) { argument = text.utf8; });
          }
          return;
        }
        for (const auto* field : {"list", "a", "elementData", "elements"}) {
          want_arguments(record.reference(field), depth + 1);
        }
      },
      kMostElementBytes);
}

void JvmReader::want_collectors(ObjectIndex managers) {
  fetcher_.want(managers, [this](const ObjectRecord& array) {
    for (std::uint64_t at = 0; at < array.elements_here(); ++at) {
      auto& name = collectors_.emplace_back();
      fetcher_.want(array.element(at), [this, &name](const ObjectRecord& manager) {
        if (manager.is_a("sun.management.GarbageCollectorImpl")) {
          fetcher_.want_text(manager.reference("name"),
                             [&name](const JavaText& text) { name = text.utf8; });
        }
      });
    }
  });
}

void JvmReader::want_process() {
  fetcher_.want(object_in("java.lang.ProcessHandleImpl", "current"),
                [this](const ObjectRecord& process) {
                  process_id_ = positive(process.number("pid"));
                  process_started_ms_ = positive(process.number("startTime"));
                });
}

std::optional<std::string> JvmReader::version_of(const std::vector<RawProperty>& properties,
                                                 const std::string& property) const {
  if (auto value = value_of(properties, property)) {
    return value;
  }
  const auto constant = versions_.find(property);
  return constant == versions_.end() ? std::nullopt : std::optional(constant->second);
}

/// The lines of java -version; a line of which the heap holds nothing is left out.
std::optional<std::string> JvmReader::version_text(
    const std::vector<RawProperty>& properties) const {
  const auto known = [&](const char* name) { return version_of(properties, name); };
  const auto runtime = known("java.runtime.name");
  std::string text;
  auto version = known("java.version");
  version = version ? version : known("java.specification.version");
  if (version) {
    const bool open = runtime && runtime->starts_with("OpenJDK");
    const auto date = known("java.version.date");
    text += concat(open ? "openjdk" : "java", " version \"", *version, "\"", date ? " " : "",
                   date.value_or(""), "\n");
  }
  if (runtime) {
    text += concat(*runtime, " (", known("java.runtime.version").value_or("unknown"), ")\n");
  }
  if (const auto name = known("java.vm.name")) {
    const auto info = known("java.vm.info");
    text += concat(*name, " (build ", known("java.vm.version").value_or("unknown"),
                   info ? ", " : "", info.value_or(""), ")\n");
  }
  return text.empty() ? std::nullopt : std::optional(text.substr(0, text.size() - 1));
}

JvmFacts JvmReader::facts(const std::vector<RawProperty>& properties, std::uint64_t dumped_ms,
                          bool show_secrets) const {
  JvmFacts out;
  out.vm_name = value_of(properties, "java.vm.name");
  out.vm_version = value_of(properties, "java.vm.version");
  out.vm_vendor = value_of(properties, "java.vm.vendor");
  out.vm_vendor = out.vm_vendor ? out.vm_vendor : version_of(properties, "java.vendor");
  out.java_version = version_of(properties, "java.runtime.version");
  out.java_version = out.java_version ? out.java_version : version_of(properties, "java.version");
  if (const auto command = value_of(properties, "sun.java.command")) {
    out.command = show_secrets ? *command : mask_secrets("", *command).text;
  }
  if (has_arguments_) {
    out.arguments.emplace();
    for (const auto& argument : arguments_) {
      const auto text = argument.value_or("");
      out.arguments->push_back(show_secrets ? text : mask_argument(text));
    }
  }
  for (const auto& name : collectors_) {
    if (name) {
      out.collectors = out.collectors.value_or(std::vector<std::string>());
      out.collectors->push_back(*name);
    }
  }
  out.started_ms = started_ms_ ? started_ms_ : process_started_ms_;
  if (out.started_ms && *out.started_ms <= dumped_ms) {
    out.uptime_ms = dumped_ms - *out.started_ms;
  }
  out.process_id = process_id_;
  out.processors = positive(number_in("java.util.concurrent.ConcurrentHashMap", "NCPU"));
  for (const auto* vm : {"jdk.internal.misc.VM", "sun.misc.VM"}) {
    const auto limit = positive(number_in(vm, "directMemory"));
    out.max_direct_memory = limit ? limit : out.max_direct_memory;
  }
  return out;
}

void JvmReader::fill(Overview& overview, bool show_secrets) const {
  const auto raw = properties_.properties();
  const auto facts = this->facts(raw, overview.dump_creation_ms, show_secrets);
  overview.jvm_version = version_text(raw);
  if (!is_empty(facts)) {
    overview.jvm = facts;
  }
  if (properties_.found()) {
    overview.system_properties.emplace();
    for (const auto& property : raw) {
      overview.system_properties->push_back(shown(property, show_secrets));
    }
    if (const auto unnamed = properties_.unnamed(); unnamed != 0) {
      overview.unnamed_properties = unnamed;
    }
  }
}

}  // namespace hprof
