#include "base/store/database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cctype>

#include "base/base/assert.h"
#include "base/base/bytes.h"
#include "base/os/open.h"

namespace cg::store {

namespace {

constexpr int kBusyMs = 5000;
constexpr int kMaxCellBytes = 256 * 1024 * 1024;

Error error_of(sqlite3* database, int code) {
  const std::string what = database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return {Error::Kind::busy, what};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {Error::Kind::corrupt, what};
    case SQLITE_FULL:
      return {Error::Kind::no_space, what};
    case SQLITE_CONSTRAINT:
      return {Error::Kind::constraint, what};
    case SQLITE_CANTOPEN:
      return {Error::Kind::not_found, what};
    default:
      return {Error::Kind::other, what};
  }
}

/// SQLite opens its files as we do: a sealed process has no open(2).
int open_for_sqlite(const char* path, int flags, int mode) {
  return os::open_path(path, flags, static_cast<mode_t>(mode));
}

void replace_open() {
  static const bool done = [] {
    sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
    return vfs->xSetSystemCall(vfs, "open",
                               reinterpret_cast<sqlite3_syscall_ptr>(open_for_sqlite)) == SQLITE_OK;
  }();
  CG_ASSERT(done);
}

Result<Done, Error> run_sql(sqlite3* database, const char* sql) {
  const int code = sqlite3_exec(database, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return fail(error_of(database, code));
  return Done{};
}

/// The path as a URI, every byte that could mean something else escaped.
std::string uri_of(const std::string& path, Access access) {
  std::string out = "file:";
  for (const char c : path) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '.' || c == '-' ||
        c == '_') {
      out += c;
    } else {
      const Byte byte = static_cast<Byte>(c);
      out += "%" + to_hex({&byte, 1});
    }
  }
  return access == Access::immutable ? out + "?immutable=1" : out;
}

}  // namespace

Statement::Statement(std::shared_ptr<sqlite3> database, sqlite3_stmt* statement)
    : database_(std::move(database)), statement_(statement, sqlite3_finalize) {}

Statement& Statement::bind(int index, std::int64_t value) {
  const int code = sqlite3_bind_int64(statement_.get(), index, value);
  if (code != SQLITE_OK) bad_bind_ = error_of(database_.get(), code);
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  const int code = sqlite3_bind_text64(statement_.get(), index, text.data(), text.size(),
                                       SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) bad_bind_ = error_of(database_.get(), code);
  return *this;
}

Statement& Statement::bind_blob(int index, std::string_view bytes) {
  const int code = sqlite3_bind_blob64(statement_.get(), index, bytes.empty() ? "" : bytes.data(),
                                       bytes.size(), SQLITE_TRANSIENT);
  if (code != SQLITE_OK) bad_bind_ = error_of(database_.get(), code);
  return *this;
}

Result<bool, Error> Statement::step() {
  if (bad_bind_) return fail(*bad_bind_);
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return fail(error_of(database_.get(), code));
}

Result<Done, Error> Statement::run() {
  const auto stepped = step();
  reset();
  if (!stepped) return fail(stepped.error());
  return Done{};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  bad_bind_.reset();
}

std::optional<std::int64_t> Statement::integer(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER) return std::nullopt;
  return sqlite3_column_int64(statement_.get(), column);
}

std::optional<std::string> Statement::text(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_TEXT) return std::nullopt;
  const auto* bytes = sqlite3_column_text(statement_.get(), column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return std::string(reinterpret_cast<const char*>(bytes), size);
}

std::optional<std::string> Statement::blob(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_BLOB) return std::nullopt;
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column));
  return size == 0 ? std::string() : std::string(bytes, size);
}

Transaction::~Transaction() {
  if (database_) sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Result<Done, Error> Transaction::commit() {
  CG_TRY(run_sql(database_.get(), "COMMIT"));
  database_.reset();
  return Done{};
}

Result<Database, Error> Database::open(const std::string& path, Access access) {
  if (access == Access::read_write) {
    // SQLite would make the file with the umask's mode; a private one is made first.
    const int fd = os::open_path(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd >= 0) close(fd);
  }
  replace_open();
  sqlite3* raw = nullptr;
  const int flags = (access == Access::read_write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) |
                    SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI;
  const int code = sqlite3_open_v2(uri_of(path, access).c_str(), &raw, flags, nullptr);
  Database database(std::shared_ptr<sqlite3>(raw, sqlite3_close_v2));
  if (code != SQLITE_OK) return fail(error_of(raw, code));
  sqlite3_busy_timeout(raw, kBusyMs);
  sqlite3_limit(raw, SQLITE_LIMIT_LENGTH, kMaxCellBytes);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  CG_TRY(run_sql(raw, "PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON"));
  if (access == Access::read_write) CG_TRY(run_sql(raw, "PRAGMA synchronous = FULL"));
  // Nobody changes it, so its pages can be read where they lie.
  if (access == Access::immutable) CG_TRY(run_sql(raw, "PRAGMA mmap_size = 1073741824"));
  // A file that is no database is only noticed when it is read.
  CG_TRY(run_sql(raw, "SELECT count(*) FROM sqlite_schema"));
  return database;
}

Result<Done, Error> Database::execute(const std::string& sql) {
  return run_sql(database_.get(), sql.c_str());
}

Result<Statement, Error> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()), 0,
                                      &statement, nullptr);
  if (code != SQLITE_OK) return fail(error_of(database_.get(), code));
  return Statement(database_, statement);
}

Result<Transaction, Error> Database::begin() {
  CG_TRY(run_sql(database_.get(), "BEGIN IMMEDIATE"));
  return Transaction(database_);
}

Result<Done, Error> Database::check_integrity() {
  CG_TRY_ASSIGN(Statement statement, prepare("PRAGMA integrity_check(1)"));
  CG_TRY_ASSIGN(const bool row, statement.step());
  const std::string verdict = row ? statement.text(0).value_or("") : "";
  if (verdict != "ok") return fail(Error{Error::Kind::corrupt, verdict});
  return Done{};
}

}  // namespace cg::store
