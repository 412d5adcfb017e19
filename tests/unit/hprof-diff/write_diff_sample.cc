// Writes the sample comparison as JSON to standard output, with "gate" its gate; for the schema
// test.
#include "common/output_file.h"
#include "common/tool.h"
#include "formats/diff/diff_json.h"
#include "sample_diff.h"

#include <string_view>

int main(int argc, char** argv) {
  const bool gate = argc > 1 && std::string_view(argv[1]) == "gate";
  return hprof::run_tool(
      {.name = "write-diff-sample", .synopsis = "", .purpose = "", .example = ""}, [&] {
        hprof::StringSink sink;
        const auto diff = hprof::test::sample_diff();
        gate ? hprof::write_json(*diff.gate, sink) : hprof::write_json(diff, sink);
        hprof::write_stdout(sink.text());
        return hprof::ExitCode::ok;
      });
}
