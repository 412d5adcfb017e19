#include "formats/report/report_schema.h"

#include "formats/report/report.h"
#include "formats/report/schema_maker.h"

namespace hprof {

std::string report_schema() {
  return SchemaMaker::document<Report>(
      "Report of hprof-report",
      "What fills a JVM heap and why it is still alive. All numbers are whole numbers.",
      kReportSchemaVersion);
}

}  // namespace hprof
