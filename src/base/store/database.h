// Thin SQLite: open, prepared statement, transaction. Nothing else of SQLite shows.
//
// Not for several threads at once: each thread opens its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace cg::store {

struct Error {
  enum class Kind {
    not_found,
    busy,     // another process holds it for longer than we wait
    corrupt,  // not a database, or a damaged one
    no_space,
    constraint,
    other,
  };
  Kind kind;
  std::string what;  // SQLite's words; never the values of a row
};

/// `immutable` is for files that are never changed once they have their name: no locks,
/// no look at a journal.
enum class Access { read_only, immutable, read_write };

class Database;

/// A prepared statement. Bind every parameter, then step() row by row. Reading a
/// column of another type gives nothing instead of a conversion.
class Statement {
 public:
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, std::string_view text);
  Statement& bind_blob(int index, std::string_view bytes);

  /// True while there is a row.
  [[nodiscard]] Result<bool, Error> step();
  /// Runs a statement that gives no rows, and makes it ready to be run again.
  [[nodiscard]] Result<Done, Error> run();
  void reset();

  [[nodiscard]] std::optional<std::int64_t> integer(int column) const;
  [[nodiscard]] std::optional<std::string> text(int column) const;
  [[nodiscard]] std::optional<std::string> blob(int column) const;

 private:
  friend class Database;
  Statement(std::shared_ptr<sqlite3> database, sqlite3_stmt* statement);
  std::shared_ptr<sqlite3> database_;
  std::shared_ptr<sqlite3_stmt> statement_;
  std::optional<Error> bad_bind_;
};

/// All or nothing: what is not committed is rolled back at the end of the scope.
class Transaction {
 public:
  Transaction(Transaction&& other) noexcept = default;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  Transaction& operator=(Transaction&&) = delete;
  ~Transaction();
  [[nodiscard]] Result<Done, Error> commit();

 private:
  friend class Database;
  explicit Transaction(std::shared_ptr<sqlite3> database) : database_(std::move(database)) {}
  std::shared_ptr<sqlite3> database_;
};

class Database {
 public:
  /// A read_write database is made if it is not there, mode 0600. Untrusted schema,
  /// foreign keys and cell sizes are checked by SQLite; extensions cannot load.
  [[nodiscard]] static Result<Database, Error> open(const std::string& path, Access access);

  [[nodiscard]] Result<Done, Error> execute(const std::string& sql);
  [[nodiscard]] Result<Statement, Error> prepare(std::string_view sql);
  /// Takes the write lock at once, so that two writers cannot deadlock later.
  [[nodiscard]] Result<Transaction, Error> begin();
  /// Reads every page. Anything but "ok" is corrupt.
  [[nodiscard]] Result<Done, Error> check_integrity();

 private:
  explicit Database(std::shared_ptr<sqlite3> database) : database_(std::move(database)) {}
  std::shared_ptr<sqlite3> database_;
};

}  // namespace cg::store
