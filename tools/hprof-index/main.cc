// hprof-index: reads a dump once and writes what it tells, short of the references, as .index.
#include "common/error.h"
#include "common/input_stream.h"
#include "common/options.h"
#include "common/output_file.h"
#include "common/steps.h"
#include "common/text.h"
#include "common/tool.h"
#include "formats/frame_file.h"
#include "formats/hprof_reader.h"
#include "formats/index_file.h"
#include "formats/stage_run.h"
#include "index.capnp.h"
#include "tools/hprof-index/resolve.h"

#include <vector>

namespace {
using namespace hprof;

const ToolInfo kTool{
    .name = "hprof-index",
    .synopsis = "hprof-index [OPTIONS] DUMP -o X.index",
    .purpose = "Reads a heap dump once: classes, threads, roots and the set of object addresses.",
    .example = "hprof-index app.hprof -o out/app.index",
};

struct Options {
  StageOptions stage;
  std::string dump;
  std::uint64_t dump_number = 1;
};

std::optional<Options> parse_options(int argc, char** argv) {
  Options options;
  OptionParser parser(kTool);
  parser.positional("DUMP", options.dump, "the heap dump, .hprof or gzip")
      .number("dump-number", options.dump_number, 1, 0xffffffffU,
              "which heap of a file that holds several")
      .stage(options.stage);
  if (!parser.parse(argc, argv)) {
    return std::nullopt;
  }
  require_output(options.stage, kTool);
  return options;
}

/// What one reading of the dump gives.
struct Reading {
  Collector collector;
  std::uint32_t dumps = 0;
  std::uint32_t dump_micros = 0;
};

Reading read_dump(const Options& options, const HprofHeader& header, BufferedInput& input,
                  Progress& progress) {
  Collector collector(header.identifier_size);
  const std::uint64_t size = file_size(open_input(options.dump), options.dump);
  HprofReader<Collector> reader(input, header, base_name(options.dump), collector);
  reader.set_input_size(input.source().is_compressed() ? 0 : size);
  const std::uint32_t dumps =
      reader.read({.number = static_cast<std::uint32_t>(options.dump_number)},
                  [&](std::uint64_t position) { progress.update(position, size); });
  return {std::move(collector), dumps, reader.dump_micros()};
}

void check_dump_number(const Options& options, std::uint32_t dumps, const Steps& steps) {
  const std::string name = printable(options.dump);
  if (dumps == 0) {
    fail(ExitCode::bad_data, name,
         ": has a header but no heap records; was the disk full when it was written?");
  }
  if (options.dump_number > dumps) {
    fail(ExitCode::usage, name, ": holds ", dumps, " heap dump(s), there is no number ",
         options.dump_number, "; give --dump-number a smaller number");
  }
  if (dumps > 1 && options.dump_number == 1) {
    steps.warn(concat(name, ": holds ", dumps,
                      " heap dumps, the first is read; choose with --dump-number N"));
  }
}

void count(const HeapIndex& index, const BufferedInput& input, Stats& stats) {
  std::uint64_t records = 0;
  for (const auto& row : index.sub_records) {
    records += row.count;
  }
  stats.set("passes", 1);
  stats.set("dump_bytes_read", input.source().bytes_read());
  stats.set("heap_records", records);
  stats.set("objects", index.addresses.size());
  stats.set("classes", index.classes.size());
  stats.set("roots", index.roots.size());
  stats.set("duplicate_ids", index.summary.duplicate_ids);
  stats.set("shadowed_class_dumps", index.summary.shadowed_class_dumps);
  stats.set("dangling_roots", index.summary.dangling_roots);
  stats.set("lost_locals", index.summary.lost_locals);
  stats.set("fake_classes", index.summary.fake_classes);
  stats.set("address_pages", index.addresses.page_count());
  std::vector<std::pair<std::string, std::uint64_t>> rows;
  for (const auto& type : index.types) {
    rows.emplace_back(std::string(index.class_name(type.class_index)) +
                          (type.kind == RecordKind::class_object ? " (class objects)" : ""),
                      type.records);
  }
  stats.set_table("records_by_class", std::move(rows));
}

ExitCode run(const Options& options) {
  Steps steps(kTool, options.stage);
  BufferedInput input(open_source(options.dump));
  const auto header = read_hprof_header(input, options.dump);
  const auto dump_number = static_cast<std::uint32_t>(options.dump_number);
  const Provenance provenance{.tool = kTool.name,
                              .tool_version = tool_version(),
                              .options = {concat("dump-number=", dump_number)},
                              .dump = identify_dump(options.dump, header.timestamp_ms, dump_number),
                              .inputs = {}};
  if (already_current<schema::IndexFrame>(options.stage, kIndexFile, provenance, steps)) {
    return ExitCode::ok;
  }

  auto reading = steps.run("reading the dump", [&](Progress& progress) {
    return read_dump(options, header, input, progress);
  });
  check_dump_number(options, reading.dumps, steps);
  auto index = steps.run("resolving classes and roots", [&](Progress&) {
    return resolve(std::move(reading.collector), header);
  });
  index.summary.dumps_in_file = reading.dumps;
  index.summary.dump_micros = reading.dump_micros;
  // Beyond this point nothing is computed, only written.

  steps.run("writing",
            [&](Progress&) { return write_index(options.stage.output, provenance, index); });
  count(index, input, steps.stats());
  steps.finish(options.stage.stats);
  return ExitCode::ok;
}
}  // namespace

int main(int argc, char** argv) {
  return hprof::run_tool(kTool, [&] {
    const auto options = parse_options(argc, argv);
    return options ? run(*options) : ExitCode::ok;
  });
}
