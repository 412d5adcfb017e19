// Nothing guards the database while it is written, no journal and no syncing: it has another name
// until it is complete. What SQLite sorts for an index beyond its cache goes to files without names
// in its temporary folder.
#include "formats/export/sqlite_file.h"

#include "common/error.h"
#include "common/memory.h"
#include "common/text.h"

#include <filesystem>
#include <sqlite3.h>

namespace hprof {
namespace {

constexpr std::uint64_t kCacheBytes = 16U << 20U;
constexpr char kSettings[] =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
    "PRAGMA cache_size=-16384; PRAGMA page_size=4096; BEGIN";

/// A pipe would be waited for, a device cannot be read back.
const std::string& require_file(const std::string& path) {
  const auto kind = std::filesystem::status(path).type();
  if (kind != std::filesystem::file_type::not_found &&
      kind != std::filesystem::file_type::regular &&
      kind != std::filesystem::file_type::directory) {
    fail(ExitCode::cannot_create, printable(path), ": is no file; SQLite needs one");
  }
  return path;
}

/// SQL ends texts at a NUL.
std::string without_nul(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '\0' ? std::string("\\x00") : std::string(1, c);
  }
  return out;
}

}  // namespace

SqliteFile::SqliteFile(const std::string& path) : path_(require_file(path)), file_(path) {
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;
  const int status = sqlite3_open_v2(file_.temporary().c_str(), &database_, flags, nullptr);
  if (status == SQLITE_NOMEM) {
    close();
    throw OutOfMemory(kCacheBytes);
  }
  if (status != SQLITE_OK) {
    const std::string reason = sqlite3_errmsg(database_);
    close();
    fail(ExitCode::cannot_create, printable(path_), ": SQLite cannot open it: ", reason);
  }
  execute(kSettings);
}

SqliteFile::~SqliteFile() {
  close();
}

void SqliteFile::close() {
  sqlite3_close(database_);
  database_ = nullptr;
}

void SqliteFile::fail_with(const char* what, int status) const {
  if ((status & 0xff) == SQLITE_NOMEM) {
    throw OutOfMemory(kCacheBytes);  // SQLite does not say how much it wanted
  }
  if ((status & 0xff) == SQLITE_CONSTRAINT) {
    fail(ExitCode::bad_data, printable(path_),
         ": the stage files say something twice: ", sqlite3_errmsg(database_),
         "; run hprof-index and the stages after it again");
  }
  const char* const reason =
      sqlite3_errcode(database_) == status ? sqlite3_errmsg(database_) : sqlite3_errstr(status);
  fail(ExitCode::io_error, printable(path_), ": ", what, " failed: ", reason);
}

void SqliteFile::execute(const std::string& sql) {
  const int status = sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr);
  if (status != SQLITE_OK) {
    fail_with("writing", status);
  }
}

void SqliteFile::release_memory() {
  const int status = sqlite3_db_cacheflush(database_);
  if (status != SQLITE_OK) {
    fail_with("writing", status);
  }
  sqlite3_db_release_memory(database_);
}

void SqliteFile::commit() {
  execute("COMMIT");
  const int status = sqlite3_close(database_);
  if (status != SQLITE_OK) {
    fail_with("closing", status);
  }
  database_ = nullptr;
  file_.commit();
}

SqliteInsert::SqliteInsert(SqliteFile& file, const std::string& table, unsigned columns)
    : file_(file) {
  std::string sql = "INSERT INTO " + table + " VALUES (?";
  for (unsigned column = 1; column < columns; ++column) {
    sql += ",?";
  }
  sql += ")";
  const int status = sqlite3_prepare_v3(file_.database_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT,
                                        &statement_, nullptr);
  if (status != SQLITE_OK) {
    file_.fail_with("preparing", status);
  }
}

SqliteInsert::~SqliteInsert() {
  sqlite3_finalize(statement_);
}

SqliteInsert& SqliteInsert::bind(std::uint64_t value) {
  sqlite3_bind_int64(statement_, next_++, static_cast<sqlite3_int64>(value));
  return *this;
}

SqliteInsert& SqliteInsert::bind(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    return bind(std::string_view(without_nul(text)));
  }
  const int status = sqlite3_bind_text64(statement_, next_++, text.data(), text.size(),
                                         SQLITE_TRANSIENT, SQLITE_UTF8);
  if (status != SQLITE_OK) {
    file_.fail_with("writing", status);
  }
  return *this;
}

SqliteInsert& SqliteInsert::bind_null() {
  sqlite3_bind_null(statement_, next_++);
  return *this;
}

void SqliteInsert::insert() {
  const int status = sqlite3_step(statement_);
  if (status != SQLITE_DONE) {
    file_.fail_with("writing", status);
  }
  sqlite3_reset(statement_);
  next_ = 1;
}

}  // namespace hprof
