#include "tools/hprof-report/export/database_schema.h"

namespace hprof {
namespace {

constexpr char kTables[] = R"(
CREATE TABLE dump(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE classes(id INTEGER PRIMARY KEY, name TEXT NOT NULL, address INTEGER NOT NULL,
  super_id INTEGER, object_id INTEGER, loader_id INTEGER NOT NULL, loader TEXT NOT NULL,
  instances INTEGER NOT NULL, shallow INTEGER NOT NULL, largest INTEGER NOT NULL,
  retained INTEGER NOT NULL, unreachable_instances INTEGER NOT NULL,
  unreachable_shallow INTEGER NOT NULL);
CREATE TABLE fields(id INTEGER PRIMARY KEY, class_id INTEGER, name TEXT NOT NULL,
  type TEXT NOT NULL, static INTEGER NOT NULL);
CREATE TABLE objects(id INTEGER PRIMARY KEY, address INTEGER NOT NULL, class_id INTEGER NOT NULL,
  length INTEGER, shallow INTEGER NOT NULL, retained INTEGER, dominator_id INTEGER,
  content_hash INTEGER);
CREATE TABLE refs(source_id INTEGER NOT NULL, position INTEGER NOT NULL,
  target_id INTEGER NOT NULL, field_id INTEGER, PRIMARY KEY(source_id, position)) WITHOUT ROWID;
CREATE TABLE roots(object_id INTEGER NOT NULL, kind TEXT NOT NULL, thread_id INTEGER,
  frame INTEGER);
CREATE TABLE paths(object_id INTEGER PRIMARY KEY, parent_id INTEGER, weak INTEGER NOT NULL);
CREATE TABLE string_arrays(string_id INTEGER PRIMARY KEY, array_id INTEGER NOT NULL,
  first INTEGER, count INTEGER);
CREATE TABLE texts(array_id INTEGER PRIMARY KEY, text TEXT NOT NULL, characters INTEGER NOT NULL);
)";

constexpr char kIndexes[] = R"(
CREATE INDEX classes_by_name ON classes(name);
CREATE INDEX objects_by_address ON objects(address);
CREATE INDEX objects_by_class ON objects(class_id);
CREATE INDEX objects_by_dominator ON objects(dominator_id);
CREATE INDEX refs_by_target ON refs(target_id);
CREATE INDEX roots_by_object ON roots(object_id);
CREATE INDEX string_arrays_by_array ON string_arrays(array_id);
CREATE VIEW strings AS SELECT s.string_id AS id, t.characters AS array_characters,
  CASE WHEN s.count IS NULL THEN t.text ELSE substr(t.text, s.first + 1, s.count) END AS text
  FROM string_arrays s JOIN texts t ON t.array_id = s.array_id;
CREATE VIEW named_objects AS SELECT o.*, c.name AS class,
  CASE WHEN k.id IS NULL THEN c.name ELSE 'class ' || k.name END || printf(' @ 0x%x', o.address)
  AS label FROM objects o JOIN classes c ON c.id = o.class_id
  LEFT JOIN classes k ON k.object_id = o.id;
)";

constexpr char kNamedReferences[] = R"(
CREATE VIEW named_refs AS SELECT r.source_id, r.target_id,
  CASE WHEN f.id IS NULL THEN '[' || r.position || ']' WHEN c.id IS NULL THEN f.name
  ELSE c.name || '.' || f.name END AS via
  FROM refs r LEFT JOIN fields f ON f.id = r.field_id LEFT JOIN classes c ON c.id = f.class_id;
)";

constexpr char kUnnamedReferences[] = R"(
CREATE VIEW named_refs AS SELECT source_id, target_id, NULL AS via FROM refs;
)";

}  // namespace

std::string database_tables() {
  return "PRAGMA user_version=" + std::to_string(kDatabaseVersion) + ";" + kTables;
}

std::string database_indexes(bool named) {
  return std::string(kIndexes) + (named ? kNamedReferences : kUnnamedReferences);
}

}  // namespace hprof
