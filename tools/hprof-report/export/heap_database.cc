#include "tools/hprof-report/export/heap_database.h"

#include "formats/export/sqlite_file.h"
#include "formats/hprof_tags.h"
#include "formats/report/readable_text.h"
#include "tools/hprof-report/export/database_schema.h"
#include "tools/hprof-report/export/field_rows.h"
#include "tools/hprof-report/export/path_rows.h"
#include "tools/hprof-report/export/reference_rows.h"
#include "tools/hprof-report/export/text_rows.h"
#include "tools/hprof-report/heap_caveats.h"

namespace hprof {
namespace {

constexpr std::uint32_t kNoFrame = 0xffffffffU;

void write_summary(const Heap& heap, const DatabaseChoices& choices, std::uint64_t edges,
                   SqliteFile& file) {
  SqliteInsert rows(file, "dump", 2);
  const auto& tree = heap.domtree().summary();
  const auto& index = heap.index().summary;
  const auto text = [&](const char* name, std::string_view value) {
    rows.bind(name).bind(value).insert();
  };
  const auto number = [&](const char* name, std::uint64_t value) {
    rows.bind(name).bind(value).insert();
  };
  text("file_name", readable_text(heap.files().provenance.dump.name));
  text("format", readable_text(index.format));
  text("written_by", "hprof-report " + tool_version());
  text("reference_names", choices.dump == nullptr ? "unknown" : "known");
  text("texts", choices.texts ? "shown" : "hidden");
  text("size_model", heap.graph().summary().size_model);
  number("all_objects", heap.objects());
  number("gc_roots", tree.roots);
  number("all_references", edges);
  number("total_objects", tree.reachable_objects);
  number("total_shallow", tree.reachable_shallow);
  number("unreachable_count", tree.unreachable_objects);
  number("unreachable_shallow", tree.unreachable_shallow);
}

/// What keeps these figures from being the whole truth, as in the report.
void write_caveats(const Caveats& caveats, SqliteFile& file) {
  SqliteInsert rows(file, "dump", 2);
  rows.bind("complete").bind(std::uint64_t{caveats.complete}).insert();
  rows.bind("root_policy").bind(caveats.root_policy).insert();
  if (caveats.reference_policy) {
    rows.bind("reference_policy").bind(*caveats.reference_policy).insert();
  }
  if (caveats.roots_left_out) {
    rows.bind("roots_left_out").bind(*caveats.roots_left_out).insert();
  }
  if (const std::string text = caveat_text(caveats); !text.empty()) {
    rows.bind("caveats").bind(text).insert();
  }
}

void write_classes(const Heap& heap, SqliteFile& file) {
  SqliteInsert rows(file, "classes", 13);
  const auto& classes = heap.index().classes;
  for (std::uint32_t row = 0; row < classes.size(); ++row) {
    const auto& info = classes[row];
    const auto& total = heap.domtree().classes()[row];
    rows.bind(row).bind(heap.class_name(ClassIndex(row))).bind(info.address);
    rows.bind_if(!info.super_class.is_none(), info.super_class.value());
    rows.bind_if(info.owns_object, info.object.value());
    rows.bind(info.loader.value()).bind(heap.loader_label(info.loader));
    rows.bind(total.reachable_instances).bind(total.reachable_shallow).bind(total.largest_shallow);
    rows.bind(total.retained).bind(total.unreachable_instances).bind(total.unreachable_shallow);
    rows.insert();
  }
}

void write_roots(const Heap& heap, SqliteFile& file) {
  SqliteInsert rows(file, "roots", 4);
  for (const auto& root : heap.index().roots) {
    rows.bind(root.object.value()).bind(root_kind_name(root.kind));
    rows.bind_if(root.is_local(), root.thread.value()).bind_if(root.frame != kNoFrame, root.frame);
    rows.insert();
  }
}

/// Returns the graph's totals.
GraphTotals write_objects(Heap& heap, SqliteFile& file, Progress& progress) {
  heap.load_tree();
  SqliteInsert rows(file, "objects", 8);
  const bool hashes = heap.graph().summary().content_hashes;
  auto totals = heap.graph().for_each_object([&](const ObjectRow& row) {
    const auto& type = heap.type(row.type);
    const std::uint32_t dominator = heap.dominators()[row.index];
    const bool is_array =
        type.kind != RecordKind::instance && type.kind != RecordKind::class_object;
    rows.bind(row.index).bind(heap.address(row.index).value).bind(type.class_index.value());
    rows.bind_if(is_array, row.length).bind(row.shallow);
    rows.bind_if(dominator != kUnreachable, heap.retained()[row.index]);
    rows.bind_if(dominator < kVirtualRoot, dominator);
    rows.bind_if(hashes && is_primitive_array(type.kind), row.hash).insert();
    if (row.index % 65536 == 0) {
      progress.update(row.index, heap.objects());
    }
  });
  heap.release_dominators();
  heap.release_retained();
  return totals;
}

void write_all_references(const Heap& heap, const DatabaseChoices& choices, std::uint64_t edges,
                          SqliteFile& file, Progress& progress) {
  const FieldRows fields(heap);
  fields.write(file);
  const auto written = choices.dump == nullptr
                           ? write_references(heap, file)
                           : write_named_references(heap, *choices.dump, fields, file, progress);
  require_consistent(written == edges);
}

}  // namespace

void write_database(Heap& heap, const DatabaseChoices& choices, const std::string& output,
                    Steps& steps) {
  SqliteFile file(output);
  file.execute(database_tables());
  steps.run("classes and roots", [&](Progress&) {
    write_classes(heap, file);
    write_roots(heap, file);
  });
  const auto totals =
      steps.run("objects", [&](Progress& progress) { return write_objects(heap, file, progress); });
  write_summary(heap, choices, totals.edges, file);
  write_caveats(caveats_of(heap), file);
  steps.run("references", [&](Progress& progress) {
    write_all_references(heap, choices, totals.edges, file, progress);
  });
  file.release_memory();
  steps.run("paths", [&](Progress&) { write_paths(heap, file); });
  if (choices.texts) {
    steps.run("texts",
              [&](Progress& progress) { write_texts(heap, *choices.dump, file, progress); });
  }
  steps.run("indexes", [&](Progress&) {
    file.execute(database_indexes(choices.dump != nullptr));
    file.commit();
  });
}

}  // namespace hprof
