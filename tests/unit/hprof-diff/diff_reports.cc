#include "diff_reports.h"

namespace hprof::test {

HistogramRow class_row(const std::string& name, const std::string& loader, std::uint64_t instances,
                       std::uint64_t shallow, std::uint64_t retained) {
  static std::uint64_t next = 0x1000;
  next += 0x10;
  HistogramRow row;
  row.class_name = name;
  row.class_address = {next};
  row.loader_label = loader;
  const auto at = loader.find("0x");
  row.loader_address = {at == std::string::npos ? 0 : std::stoull(loader.substr(at), nullptr, 16)};
  row.instances = instances;
  row.shallow = shallow;
  row.retained = retained;
  return row;
}

Report heap_report(std::uint64_t seconds, std::uint64_t used_heap,
                   std::vector<HistogramRow> histogram) {
  Report out;
  out.overview.dump_creation_ms = 1'700'000'000'000 + seconds * 1000;
  out.overview.file_name = "dump" + std::to_string(seconds) + ".hprof";
  out.overview.total_shallow = used_heap;
  out.overview.all_shallow = used_heap;
  out.overview.total_objects = used_heap / 16;
  out.overview.identifier_size_bits = 64;
  out.overview.size_model = "mat";
  out.overview.histogram = std::move(histogram);
  out.overview.classes_loaded = out.overview.histogram.size();
  out.leaks.threshold_bp = 1000;
  out.leaks.threshold = used_heap / 10;
  out.top.threshold_bp = 100;
  out.top.threshold = used_heap / 100;
  out.top.biggest_packages.name = "<all>";
  return out;
}

ReferencePath cache_path(const std::string& owner, const std::string& field,
                         const std::string& class_name, std::uint64_t address) {
  ReferencePath path;
  path.steps.push_back({.via = Via::root,
                        .reference = "System Class",
                        .address = {address + 1},
                        .class_name = "java.lang.Class",
                        .label = "class " + owner + " @ 0x1"});
  path.steps.push_back({.via = Via::static_field,
                        .reference = field,
                        .declared_by = owner,
                        .address = {address},
                        .class_name = class_name,
                        .label = class_name + " @ 0x2"});
  return path;
}

Suspect cache_suspect(const std::string& owner, const std::string& field, std::uint64_t retained,
                      std::uint64_t address) {
  Suspect out;
  out.class_name = "java.util.HashMap";
  out.address = Address{address};
  out.label = "java.util.HashMap @ 0x2";
  out.instances = 1;
  out.retained = retained;
  out.why_alive = cache_path(owner, field, out.class_name, address);
  out.holder = Holder{HolderKind::static_field, owner, field, owner + "." + field, {address + 1}};
  return out;
}

OrderedReports ordered(std::vector<Report> reports, const DiffOptions& options) {
  std::vector<NamedReport> named;
  for (auto& report : reports) {
    const auto letter = static_cast<char>('a' + named.size());
    named.push_back({std::string(1, letter) + ".json", std::move(report)});
  }
  return order_reports(std::move(named), options);
}

HeapDiff diff_of(std::vector<Report> reports, const DiffOptions& options) {
  return diff_reports(ordered(std::move(reports), options), options);
}

const DiffClass& class_named(const HeapDiff& diff, const std::string& name) {
  return row_where(diff.classes, [&](const DiffClass& row) { return row.class_name == name; });
}

GateReport compared(std::vector<Report> reports, const std::vector<std::string>& rules,
                    bool allow_missing) {
  const DiffOptions options;
  const auto in_order = ordered(std::move(reports));
  const HeapDiff diff = diff_reports(in_order, options);
  std::vector<GateRule> parsed;
  for (const auto& rule : rules) {
    parsed.push_back(parse_rule(rule));
  }
  return evaluate(parsed, {in_order.reports, in_order.names, &diff, options, allow_missing});
}

}  // namespace hprof::test
