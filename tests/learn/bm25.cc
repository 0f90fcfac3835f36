#include "bm25.h"

#include <sqlite3.h>

#include <stdexcept>
#include <utility>

#include "base/base/text.h"
#include "renamed.h"

namespace cg::quality {

namespace {

void must(int code, sqlite3* database) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
    throw std::runtime_error(sqlite3_errmsg(database));
  }
}

}  // namespace

Bm25::Bm25(const std::vector<std::string>& texts) {
  must(sqlite3_open(":memory:", &database_), database_);
  must(sqlite3_exec(database_, "CREATE VIRTUAL TABLE t USING fts5(x); BEGIN", nullptr, nullptr,
                    nullptr),
       database_);
  sqlite3_stmt* insert = nullptr;
  must(sqlite3_prepare_v2(database_, "INSERT INTO t(rowid, x) VALUES(?, ?)", -1, &insert, nullptr),
       database_);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    sqlite3_bind_int64(insert, 1, static_cast<sqlite3_int64>(i));
    sqlite3_bind_text(insert, 2, texts[i].data(), static_cast<int>(texts[i].size()), SQLITE_STATIC);
    must(sqlite3_step(insert), database_);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  must(sqlite3_exec(database_, "COMMIT", nullptr, nullptr, nullptr), database_);
}

Bm25::~Bm25() { sqlite3_close(database_); }

std::vector<std::size_t> Bm25::find(const std::string& text, std::size_t count) const {
  Words words;
  std::string word;
  for (const char c : lower_ascii(text) + " ") {
    const bool inner = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (inner) {
      word += c;
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  std::string query;
  for (const std::string& each : words) query += (query.empty() ? "\"" : " OR \"") + each + "\"";
  sqlite3_stmt* select = nullptr;
  must(sqlite3_prepare_v2(database_,
                          "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank, rowid LIMIT ?", -1,
                          &select, nullptr),
       database_);
  sqlite3_bind_text(select, 1, query.data(), static_cast<int>(query.size()), SQLITE_STATIC);
  sqlite3_bind_int64(select, 2, static_cast<sqlite3_int64>(count));
  std::vector<std::size_t> out;
  int code = SQLITE_OK;
  while ((code = sqlite3_step(select)) == SQLITE_ROW) {
    out.push_back(static_cast<std::size_t>(sqlite3_column_int64(select, 0)));
  }
  must(code, database_);
  sqlite3_finalize(select);
  return out;
}

}  // namespace cg::quality
