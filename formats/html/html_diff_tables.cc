#include "common/text.h"
#include "formats/diff/diff_text.h"
#include "formats/html/diff_columns.h"
#include "formats/html/html_diff.h"
#include "formats/html/html_text.h"
#include "formats/report/units.h"

#include <algorithm>

namespace hprof {
namespace {

/// Of a list within a cell; the data of the page has the rest.
constexpr std::size_t kMostNames = 4;

template <typename Row>
DiffColumn<Row> kept_column() {
  const auto field = field_info(&Row::holder);
  return diff_column<Row>("Kept By", CellKind::code, field.name, field.help, [](const Row& row) {
    return DiffCell{
        row.holder ? diff_name(*row.holder) + (row.anchor ? " on " + diff_name(*row.anchor) : "")
                   : "",
        std::nullopt, ""};
  });
}

std::string names_markup(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kMostNames);
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    out += (i == 0 ? "" : ", ") + diff_name(names[i]);
  }
  return out + (names.size() > shown ? " and " + grouped(names.size() - shown) + " more" : "");
}

DiffColumn<DiffClass> class_column() {
  auto out = name_column("Class", &DiffClass::class_name);
  out.cell = [](const DiffClass& row) {
    return DiffCell{
        diff_name(row.class_name) + (row.added_up ? html_text(copies_text(row.copies)) : ""),
        std::nullopt, ""};
  };
  return out;
}

DiffColumn<DiffField> field_column() {
  auto out = name_column("Field", &DiffField::field);
  out.cell = [](const DiffField& row) {
    return DiffCell{field_words(row) + diff_name(row.field), std::nullopt, ""};
  };
  return out;
}

DiffColumn<DiffField> contents_column() {
  const auto field = field_info(&DiffField::contents);
  return diff_column<DiffField>("Holds", CellKind::code, field.name, field.help,
                                [](const DiffField& row) {
                                  return DiffCell{names_markup(row.contents), std::nullopt, ""};
                                });
}

DiffColumn<DiffLoader> kept_by_column() {
  const auto field = field_info(&DiffLoader::kept_by);
  return diff_column<DiffLoader>(
      "Kept By", CellKind::code, field.name, field.help, [](const DiffLoader& row) {
        return DiffCell{row.kept_by ? names_markup(*row.kept_by) : "", std::nullopt, ""};
      });
}

DiffColumn<DiffSuspect> suspect_fate_column() {
  auto out = fate_column(&DiffSuspect::fate);
  out.cell = [](const DiffSuspect& row) {
    return fate_cell(row.fate, suspect_fate_text(row.fate));
  };
  return out;
}

DiffColumn<DiffSuspect> suspect_in_column() {
  const auto field = field_info(&DiffSuspect::suspect_in);
  return diff_column<DiffSuspect>("Suspect in Dump", CellKind::text, field.name, field.help,
                                  [](const DiffSuspect& row) {
                                    std::string out;
                                    for (const auto dump : row.suspect_in) {
                                      out += (out.empty() ? "" : ", ") + std::to_string(dump);
                                    }
                                    return DiffCell{out, std::nullopt, ""};
                                  });
}

/// The references that keep what the rows stand for, in their order.
template <typename Row>
void path_list(const std::vector<Row>& rows, HtmlBody& body) {
  body.add("<details class=\"why\"><summary>Their paths from GC roots</summary>\n<ol>\n");
  for (std::size_t i = 0; i < std::min(rows.size(), kMostDiffRows); ++i) {
    body.add("<li>" + (rows[i].path.empty() ? "no path in common" : diff_name(rows[i].path)) +
             "</li>\n");
  }
  body.add("</ol></details>\n");
}

DiffColumn<DiffPath> unshared_column() {
  const auto field = field_info(&DiffPath::unshared);
  return diff_column<DiffPath>(
      "Unshared Change", CellKind::bytes, field.name, field.help,
      [](const DiffPath& row) { return change_cell(CellKind::bytes, unshared_range(row)); });
}

}  // namespace

void html_diff_suspects(const Place<HeapDiff>& diff, HtmlBody& body) {
  const auto dumps = diff->dumps.size();
  DiffColumns<DiffSuspect> columns{name_column("Suspect", &DiffSuspect::label),
                                   kept_column<DiffSuspect>(), suspect_fate_column()};
  add_series(columns, "Retained", CellKind::bytes, &DiffSuspect::retained, dumps);
  add_series(columns, "Instances", CellKind::count, &DiffSuspect::instances, dumps);
  columns.push_back(suspect_in_column());
  html_diff_table(diff.sub(&HeapDiff::suspects), "suspect", columns, body, true);
  path_list(diff->suspects, body);
}

void html_diff_paths(const Place<HeapDiff>& diff, HtmlBody& body) {
  DiffColumns<DiffPath> columns{name_column("Largest Object", &DiffPath::class_name),
                                kept_column<DiffPath>(), fate_column(&DiffPath::fate)};
  add_series(columns, "Retained", CellKind::bytes, &DiffPath::retained, diff->dumps.size());
  columns.push_back(unshared_column());
  html_diff_table(diff.sub(&HeapDiff::paths), "object", columns, body, true);
  path_list(diff->paths, body);
}

void html_diff_fields(const Place<HeapDiff>& diff, HtmlBody& body) {
  const auto dumps = diff->dumps.size();
  DiffColumns<DiffField> columns{field_column(), fate_column(&DiffField::fate)};
  add_series(columns, "Retained", CellKind::bytes, &DiffField::retained, dumps);
  add_series(columns, "Elements", CellKind::count, &DiffField::elements, dumps);
  add_series(columns, "Collections", CellKind::count, &DiffField::collections, dumps);
  columns.push_back(contents_column());
  html_diff_table(diff.sub(&HeapDiff::fields_held), "field", columns, body);
  if (const auto text = fields_text(*diff); !text.empty()) {
    body.note(text);
  }
}

void html_diff_classes(const Place<HeapDiff>& diff, HtmlBody& body) {
  const auto dumps = diff->dumps.size();
  DiffColumns<DiffClass> columns{class_column(), fate_column(&DiffClass::fate)};
  add_series(columns, "Retained", CellKind::bytes, &DiffClass::retained, dumps);
  add_series(columns, "Instances", CellKind::count, &DiffClass::instances, dumps);
  columns.push_back(change_column("Shallow Change", CellKind::bytes, &DiffClass::shallow));
  columns.push_back(name_column("Class Loader", &DiffClass::loader));
  html_diff_table(diff.sub(&HeapDiff::classes), "class", columns, body);
  for (const auto& row : diff->classes) {
    if (row.added_up) {
      body.note(kCopiesNote);
      break;
    }
  }
  body.note(same_classes_text(*diff));
}

void html_diff_packages(const Place<HeapDiff>& diff, HtmlBody& body) {
  const auto dumps = diff->dumps.size();
  DiffColumns<DiffPackage> columns{name_column("Package", &DiffPackage::package),
                                   fate_column(&DiffPackage::classes, &DiffPackage::shallow)};
  add_series(columns, "Shallow", CellKind::bytes, &DiffPackage::shallow, dumps);
  add_series(columns, "Instances", CellKind::count, &DiffPackage::instances, dumps);
  columns.push_back(change_column("Classes Change", CellKind::count, &DiffPackage::classes));
  html_diff_table(diff.sub(&HeapDiff::packages), "package", columns, body);
}

void html_diff_loaders(const Place<HeapDiff>& diff, HtmlBody& body) {
  const auto dumps = diff->dumps.size();
  DiffColumns<DiffLoader> columns{name_column("Loaders of Class", &DiffLoader::class_name),
                                  fate_column(&DiffLoader::loaders, &DiffLoader::shallow)};
  add_series(columns, "Loaders", CellKind::count, &DiffLoader::loaders, dumps);
  add_series(columns, "Retained", CellKind::bytes, &DiffLoader::retained, dumps);
  add_series(columns, "Shallow", CellKind::bytes, &DiffLoader::shallow, dumps);
  columns.push_back(change_column("Classes Change", CellKind::count, &DiffLoader::classes));
  columns.push_back(change_column("Instances Change", CellKind::count, &DiffLoader::instances));
  columns.push_back(kept_by_column());
  html_diff_table(diff.sub(&HeapDiff::loaders), "loader", columns, body);
}

void html_diff_threads(const Place<HeapDiff>& diff, HtmlBody& body) {
  const auto dumps = diff->dumps.size();
  DiffColumns<DiffThread> columns{name_column("Threads", &DiffThread::name),
                                  fate_column(&DiffThread::threads, &DiffThread::retained)};
  add_series(columns, "Number", CellKind::count, &DiffThread::threads, dumps);
  add_series(columns, "Retained", CellKind::bytes, &DiffThread::retained, dumps);
  html_diff_table(diff.sub(&HeapDiff::threads), "thread", columns, body);
}

}  // namespace hprof
