#include "common/output_file.h"
#include "common/steps.h"
#include "formats/export/csv.h"
#include "formats/report_file.h"
#include "formats/stage_run.h"
#include "tools/hprof-report/commands.h"
#include "tools/hprof-report/heap.h"
#include "tools/hprof-report/heap_caveats.h"
#include "tools/hprof-report/heap_files.h"

#include <array>
#include <charconv>
#include <string>
#include <vector>

namespace hprof {
namespace {

const ToolInfo kTool{
    .name = "hprof-report objects",
    .synopsis = "hprof-report objects [OPTIONS] X.index X.graph X.domtree [-o OUT.csv[.gz]]",
    .purpose =
        "Lists every reachable object in address order: address, class, shallow and retained size, "
        "dominator.",
    .example = "hprof-report objects app.index app.graph app.domtree -o app.objects.csv.gz",
};

constexpr std::size_t kFlushBytes = 1U << 16U;

struct Options : CommonOptions {
  std::string index;
  std::string graph;
  std::string domtree;
  std::string output;
};

bool parse_options(int argc, char** argv, Options& options) {
  OptionParser parser(kTool);
  // clang-format off
  parser.positional("X.index", options.index, "what hprof-index wrote")
      .positional("X.graph", options.graph, "what hprof-graph wrote")
      .positional("X.domtree", options.domtree, "what hprof-domtree wrote")
      .output("OUT", options.output, "the file to write instead of standard output (-); gzipped if it ends in .gz")
      .common(options);
  // clang-format on
  if (!parser.parse(argc, argv)) {
    return false;
  }
  refuse_overwriting(options.output, {options.index, options.graph, options.domtree});
  return true;
}

void append_number(std::string& out, std::uint64_t value, int base) {
  std::array<char, 20> digits{};
  const auto result = std::to_chars(digits.data(), digits.data() + digits.size(), value, base);
  out.append(digits.data(), result.ptr);
}

void append_address(std::string& out, Address address) {
  out += "0x";
  append_number(out, address.value, 16);
}

class ObjectLister {
 public:
  ObjectLister(const Heap& heap, TextSink& sink) : heap_(heap), sink_(sink) {
    for (std::size_t row = 0; row < heap.index().classes.size(); ++row) {
      classes_.push_back(csv_text(heap.class_name(ClassIndex(static_cast<std::uint32_t>(row)))));
    }
    line_ = "address,class,shallow,retained,dominator\n";
  }

  void add(const HeapObject& object) {
    append_address(line_, heap_.address(object.index));
    line_ += ',';
    line_ += classes_[heap_.class_of(object).value()];
    line_ += ',';
    append_number(line_, object.shallow, 10);
    line_ += ',';
    append_number(line_, object.retained, 10);
    line_ += ',';
    if (object.top_level()) {
      line_ += "ROOT";
    } else {
      append_address(line_, heap_.address(object.dominator));
    }
    line_ += '\n';
    if (line_.size() > kFlushBytes) {
      flush();
    }
  }

  void flush() {
    sink_.write(line_);
    line_.clear();
  }

 private:
  const Heap& heap_;
  TextSink& sink_;
  std::vector<std::string> classes_;
  std::string line_;
};

ExitCode run(const Options& options) {
  Steps steps(kReportTool, options);
  auto files = HeapFiles::open(options.index, options.graph, options.domtree);
  refuse_overwriting_dump(options.output, files.provenance.dump);
  Heap heap(std::move(files));
  warn_of_caveats(caveats_of(heap), steps);
  heap.load_dominators();
  heap.load_retained();
  steps.run("objects", [&](Progress& progress) {
    TextOutput out(options.output);
    ObjectLister lister(heap, out);
    heap.for_each_object([&](const HeapObject& object) {
      if (object.reachable()) {
        lister.add(object);
      }
      if (object.index % 65536 == 0) {
        progress.update(object.index, heap.objects());
      }
    });
    lister.flush();
    out.commit();
  });
  steps.finish("");
  return ExitCode::ok;
}

}  // namespace

ExitCode objects_command(int argc, char** argv) {
  Options options;
  if (!parse_options(argc, argv, options)) {
    return ExitCode::ok;
  }
  return blaming_stage_files(options, [&] { return run(options); });
}

}  // namespace hprof
