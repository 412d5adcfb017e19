// Writing streams from the model, so that it costs no memory; reading goes through a parsed
// document.
#include "formats/report/report_json.h"

#include "common/error.h"
#include "common/text.h"
#include "formats/report/json_reader.h"
#include "formats/report/json_writer.h"

#include <nlohmann/json.hpp>

namespace hprof {
namespace {

nlohmann::json parse_document(std::string_view text, const std::string& file) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    const std::string what = error.what();
    const auto detail = what.find("] ");
    fail(ExitCode::bad_data, file,
         ": is no JSON: ", printable(detail == std::string::npos ? what : what.substr(detail + 2)),
         "; a report is made with hprof-report -f json");
  }
}

void require_version(const nlohmann::json& document, const std::string& file) {
  if (!document.is_object() || !document.contains("schema_version")) {
    fail(ExitCode::bad_data, file,
         ": is no report: schema_version is missing; a report is made with hprof-report -f json");
  }
  if (!document["schema_version"].is_number_unsigned()) {
    fail(ExitCode::bad_data, file,
         ": is no report: schema_version is no whole number; a report is made with hprof-report -f "
         "json");
  }
  if (document.contains("dumps")) {
    fail(ExitCode::bad_data, file,
         ": is a comparison, no report; give the reports that it was made of");
  }
  const auto version = document["schema_version"].get<std::uint64_t>();
  if (version > kReportSchemaVersion) {
    fail(ExitCode::limit, file, ": schema_version ", version, " is newer than ",
         kReportSchemaVersion, ", the one this program reads; use the hprof-report that made it");
  }
  if (version < kReportSchemaVersion) {
    fail(ExitCode::stale, file, ": schema_version ", version, " is older than ",
         kReportSchemaVersion,
         ", the one this program reads; run hprof-report on the stage files again");
  }
}

}  // namespace

void write_json(const Report& report, TextSink& sink) {
  JsonWriter(sink).document(report);
}

Report parse_json(std::string_view text, const std::string& file) {
  const auto document = parse_document(text, file);
  require_version(document, file);
  return JsonReader(file).document<Report>(document);
}

}  // namespace hprof
