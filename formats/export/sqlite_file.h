#pragma once

#include "common/output_file.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace hprof {

/// An SQLite database being written beside its target under another name, in one transaction; it
/// appears whole at commit() or not at all. Error(io_error, cannot_create) where SQLite fails.
class SqliteFile {
 public:
  explicit SqliteFile(const std::string& path);
  SqliteFile(const SqliteFile&) = delete;
  SqliteFile& operator=(const SqliteFile&) = delete;
  ~SqliteFile();

  /// Runs statements that return nothing.
  void execute(const std::string& sql);
  /// Gives its cache back, before something else needs memory.
  void release_memory();
  void commit();

 private:
  friend class SqliteInsert;
  [[noreturn]] void fail_with(const char* what, int status) const;
  void close();

  std::string path_;
  OutputFile file_;
  sqlite3* database_ = nullptr;
};

/// A prepared INSERT: bind() its values from left to right, then insert().
class SqliteInsert {
 public:
  /// "INSERT INTO `table` VALUES" with `columns` values.
  SqliteInsert(SqliteFile& file, const std::string& table, unsigned columns);
  SqliteInsert(const SqliteInsert&) = delete;
  SqliteInsert& operator=(const SqliteInsert&) = delete;
  ~SqliteInsert();

  /// Numbers from 2^63 on become negative: SQLite's integers have a sign.
  SqliteInsert& bind(std::uint64_t value);
  SqliteInsert& bind(std::string_view text);
  SqliteInsert& bind_null();
  /// The value, or NULL where `present` is false.
  SqliteInsert& bind_if(bool present, std::uint64_t value) {
    return present ? bind(value) : bind_null();
  }
  void insert();

 private:
  SqliteFile& file_;
  sqlite3_stmt* statement_ = nullptr;
  int next_ = 1;
};

}  // namespace hprof
