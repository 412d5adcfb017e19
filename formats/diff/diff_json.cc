#include "formats/diff/diff_json.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/report/json_reader.h"
#include "formats/report/json_writer.h"
#include "formats/report/schema_maker.h"

#include <nlohmann/json.hpp>

namespace hprof {
namespace {

nlohmann::json diff_document(std::string_view text, const std::string& file) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    fail(ExitCode::bad_data, file, ": is no JSON: ", printable(error.what()));
  }
}

void require_diff_version(const nlohmann::json& document, const std::string& file) {
  if (!document.is_object() || !document.contains("schema_version") ||
      !document["schema_version"].is_number_unsigned()) {
    fail(ExitCode::bad_data, file, ": is no comparison: schema_version is missing");
  }
  const auto version = document["schema_version"].get<std::uint64_t>();
  if (version != kDiffSchemaVersion) {
    fail(version > kDiffSchemaVersion ? ExitCode::limit : ExitCode::stale, file,
         ": schema_version ", version, " is not ", kDiffSchemaVersion,
         ", the one this program reads; compare the reports again");
  }
}

}  // namespace

void write_json(const HeapDiff& diff, TextSink& sink) {
  JsonWriter(sink).document(diff);
}

void write_json(const GateReport& gate, TextSink& sink) {
  JsonWriter(sink).document(gate);
}

HeapDiff parse_diff_json(std::string_view text, const std::string& file) {
  const auto document = diff_document(text, file);
  require_diff_version(document, file);
  return JsonReader(file).document<HeapDiff>(document);
}

std::string diff_schema() {
  return SchemaMaker::document<HeapDiff>(
      "Comparison of hprof-report diff",
      "What changed between the heap dumps of two or more reports. All numbers are whole numbers.",
      kDiffSchemaVersion);
}

std::string gate_schema() {
  return SchemaMaker::document<GateReport>("Gate of hprof-report diff and check",
                                           "What came of the rules of --fail-on.",
                                           kGateSchemaVersion);
}

}  // namespace hprof
