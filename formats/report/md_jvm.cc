#include "common/text.h"
#include "formats/report/derived.h"
#include "formats/report/markdown.h"
#include "formats/report/markdown_text.h"
#include "formats/report/report_words.h"
#include "formats/report/units.h"

namespace hprof {
namespace {

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const auto& text : texts) {
    out += (out.empty() ? "" : " ") + md_cell(text);
  }
  return out.empty() ? "none" : out;
}

std::string facts(const JvmFacts& jvm, MarkdownStyle style) {
  MarkdownTable table({{"Fact"}, {"Value"}});
  const auto name = [&](const char* title, const std::optional<std::string>& value) {
    if (value) {
      table.row({title, md_cell(*value)});
    }
  };
  const auto number = [&](const char* title, const std::optional<std::uint64_t>& value,
                          std::string (*format)(std::uint64_t)) {
    if (value) {
      table.row({title, format(*value)});
    }
  };
  name("Virtual machine", jvm.vm_name);
  name("Its version", jvm.vm_version);
  name("Vendor", jvm.vm_vendor);
  name("Java runtime", jvm.java_version);
  name("Command", jvm.command);
  if (jvm.arguments) {
    table.row({"Arguments", joined(*jvm.arguments)});
  }
  if (jvm.collectors) {
    table.row({"Garbage collectors", joined(*jvm.collectors)});
  }
  number("Started", jvm.started_ms, format_time);
  number("Up for", jvm.uptime_ms, uptime_text);
  number("Process id", jvm.process_id, [](std::uint64_t id) { return std::to_string(id); });
  number("Processors", jvm.processors, grouped);
  number("Limit of direct memory", jvm.max_direct_memory, format_bytes);
  return table.text(style);
}

std::string value_cell(const SystemProperty& row) {
  if (!row.value) {
    return "(not in the dump)";
  }
  return row.value->empty() ? "" : md_cell(*row.value);
}

std::string properties(const Overview& overview, MarkdownStyle style) {
  MarkdownTable table({{"Key"}, {"Value"}});
  for (const auto& row : *overview.system_properties) {
    table.row({md_cell(row.key),
               value_cell(row) + (row.is_default.value_or(false) ? " (a default)" : "")});
  }
  std::string out = table.text(style);
  for (const auto& note : {masked_note(overview), unnamed_note(overview)}) {
    out += note.empty() ? "" : "\n" + note + "\n";
  }
  return out;
}

}  // namespace

std::string md_jvm(const Overview& overview, MarkdownStyle style) {
  std::string out;
  if (overview.jvm) {
    out += "\n### JVM\n\n" + facts(*overview.jvm, style);
  }
  if (overview.system_properties) {
    out += "\n### System Properties\n\n" + properties(overview, style);
  }
  return out;
}

}  // namespace hprof
