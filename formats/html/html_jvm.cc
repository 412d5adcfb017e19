#include "common/text.h"
#include "formats/html/html_report.h"
#include "formats/report/derived.h"
#include "formats/report/report_words.h"

namespace hprof {
namespace {

void names(const std::vector<std::string>& all, HtmlBody& body) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    body.add(i == 0 ? "" : " ");
    body.code(all[i]);
  }
  body.add(all.empty() ? "none" : "");
}

void facts(const Place<JvmFacts>& jvm, HtmlBody& body) {
  body.heading(3, "JVM");
  body.begin_facts();
  body.facts(
      jvm, {code("Virtual machine", &JvmFacts::vm_name), code("Its version", &JvmFacts::vm_version),
            code("Vendor", &JvmFacts::vm_vendor), code("Java runtime", &JvmFacts::java_version),
            code("Command", &JvmFacts::command)});
  if (jvm->arguments) {
    body.fact("Arguments", [&] { names(*jvm->arguments, body); });
  }
  if (jvm->collectors) {
    body.fact("Garbage collectors", [&] { names(*jvm->collectors, body); });
  }
  body.facts(jvm, {column(CellKind::time, "Started", &JvmFacts::started_ms)});
  if (jvm->uptime_ms) {
    body.fact("Up for", [&] { body.text(uptime_text(*jvm->uptime_ms)); });
  }
  body.facts(jvm, {column(CellKind::plain, "Process id", &JvmFacts::process_id),
                   count("Processors", &JvmFacts::processors),
                   bytes("Limit of direct memory", &JvmFacts::max_direct_memory)});
  body.end_facts();
}

void properties(const Place<Overview>& overview, HtmlBody& body) {
  const auto rows = overview.sub(&Overview::system_properties);
  auto value = code("Value", &SystemProperty::value);
  value.value = [](const SystemProperty& row) { return cell_value(row.value); };
  body.heading(3, "System Properties");
  for (const auto& note : {masked_note(*overview), unnamed_note(*overview)}) {
    if (!note.empty()) {
      body.note(note);
    }
  }
  body.table(rows, {code("Key", &SystemProperty::key), value,
                    text("A Default", &SystemProperty::is_default)});
}

}  // namespace

void html_jvm(const Place<Overview>& overview, HtmlBody& body) {
  if (overview->jvm) {
    facts(overview.sub(&Overview::jvm), body);
  }
  if (overview->system_properties) {
    properties(overview, body);
  }
}

}  // namespace hprof
