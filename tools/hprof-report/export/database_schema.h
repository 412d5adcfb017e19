#pragma once

#include <string>

namespace hprof {

/// Version of the tables, as `PRAGMA user_version`; schema/README.md describes them.
inline constexpr unsigned kDatabaseVersion = 1;

/// Statements that make the tables.
std::string database_tables();
/// Statements that make the indexes and views, once the tables are full. `named`: what references
/// are called is known, since the dump was there.
std::string database_indexes(bool named);

}  // namespace hprof
