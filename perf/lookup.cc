// Rows 12 and 13: looking packages up in the advisory index, and making it.
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>

#include "base/base/text.h"
#include "perf.h"
#include "vuln/vulnindex/index.h"

namespace {

using namespace cg;
using namespace cg::perf;
namespace fs = std::filesystem;

constexpr std::size_t kNames = 1500;
constexpr std::size_t kKnown = 120;  // of them in the index, as in a real tree

std::string words_of(const vulnindex::Error& error) { return error.path + ": " + error.what; }

template <class T>
T sure(Result<T, vulnindex::Error> result) {
  if (!result) give_up(words_of(result.error()));
  return *std::move(result);
}

/// Records of our own making: packages with one to four advisories each.
vulnindex::Draft make_draft(std::size_t records) {
  vulnindex::Draft draft;
  for (std::size_t i = 0; i < records; ++i) {
    const std::string number = std::to_string(i);
    const std::string text =
        R"({"id":"GHSA-)" + number + R"(","modified":"2026-01-02T03:04:05Z","summary":"made up )" +
        number + R"(","details":")" + std::string(200 + i % 300, 'x') +
        R"(","affected":[{"package":{"ecosystem":"npm","name":"package-)" +
        std::to_string(i / (1 + i % 4)) +
        R"("},"ranges":[{"type":"SEMVER","events":[{"introduced":"0"},{"fixed":"1.)" +
        std::to_string(i % 50) + R"(.0"}]}]}]})";
    draft.carry_over({"osv", "GHSA-" + number}, {text, Time{static_cast<std::int64_t>(i)}});
  }
  return draft;
}

/// One prepared statement, one transaction, as simple as SQLite can be used.
std::size_t look_up_bare(sqlite3* database, const std::vector<std::string>& names) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_exec(database, "BEGIN", nullptr, nullptr, nullptr);
  sqlite3_prepare_v2(database, "SELECT rules FROM package WHERE name = ?", -1, &statement, nullptr);
  std::size_t found = 0;
  for (const std::string& name : names) {
    sqlite3_bind_text(statement, 1, name.data(), static_cast<int>(name.size()), SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW) ++found;
    sqlite3_reset(statement);
  }
  sqlite3_finalize(statement);
  sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr);
  return found;
}

std::size_t look_up(vulnindex::Index& index, const std::vector<std::string>& names) {
  std::size_t found = 0;
  for (const std::string& name : names) {
    if (sure(index.rules(name))) ++found;
  }
  return found;
}

/// The very rows that write_tables() writes, with nothing around them.
void insert_bare(const std::string& path, const vulnindex::Draft& draft,
                 const vulnindex::Tables& tables) {
  fs::remove(path);
  sqlite3* database = nullptr;
  sqlite3_open(path.c_str(), &database);
  sqlite3_exec(database,
               "PRAGMA journal_mode=MEMORY;PRAGMA synchronous=OFF;BEGIN;"
               "CREATE TABLE package(name TEXT PRIMARY KEY, rules BLOB) WITHOUT ROWID;"
               "CREATE TABLE brief(grp TEXT PRIMARY KEY, bytes BLOB) WITHOUT ROWID;"
               "CREATE TABLE name(id TEXT, grp TEXT, PRIMARY KEY(id, grp)) WITHOUT ROWID;"
               "CREATE TABLE record(source TEXT, id TEXT, bytes TEXT, modified INTEGER);",
               nullptr, nullptr, nullptr);
  const auto insert = [&](const char* sql, const auto& rows, const auto& bind) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(database, sql, -1, &statement, nullptr);
    for (const auto& row : rows) {
      bind(statement, row);
      sqlite3_step(statement);
      sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
  };
  const auto text = [](sqlite3_stmt* statement, int i, const std::string& value) {
    sqlite3_bind_text(statement, i, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  };
  const auto blob = [](sqlite3_stmt* statement, int i, const std::string& value) {
    sqlite3_bind_blob(statement, i, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT);
  };
  insert("INSERT INTO package VALUES(?,?)", tables.packages, [&](auto* s, const auto& row) {
    text(s, 1, row.first);
    blob(s, 2, row.second);
  });
  insert("INSERT INTO brief VALUES(?,?)", tables.briefs, [&](auto* s, const auto& row) {
    text(s, 1, row.first);
    blob(s, 2, advisory::encode_brief(row.second));
  });
  insert("INSERT INTO name VALUES(?,?)", tables.groups, [&](auto* s, const auto& row) {
    text(s, 1, row.first);
    text(s, 2, row.second);
  });
  insert("INSERT INTO record VALUES(?,?,?,?)", draft.records(), [&](auto* s, const auto& row) {
    text(s, 1, row.first.first);
    text(s, 2, row.first.second);
    text(s, 3, row.second.text);
    sqlite3_bind_int64(s, 4, row.second.modified.ms);
  });
  sqlite3_exec(database, "CREATE UNIQUE INDEX record_by_id ON record(id, source);COMMIT", nullptr,
               nullptr, nullptr);
  sqlite3_close(database);
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argc, argv, {"--quick"}, {"--repeats", "--records"});
  const bool quick = arguments.has("--quick");
  const std::size_t repeats = arguments.number("--repeats", quick ? 3 : 31);
  const std::size_t records = arguments.number("--records", quick ? 2'000 : 250'000);
  const std::string path = work_folder() + "/lookup.sqlite";
  const std::string bare_path = work_folder() + "/lookup-bare.sqlite";
  const vulnindex::Draft draft = make_draft(records);
  fs::remove(path);
  static_cast<void>(sure(vulnindex::write_index(path, draft, {}, Time{})));

  std::vector<std::string> names;
  for (std::size_t i = 0; i < kNames; ++i) {
    names.push_back(i < kKnown ? "package-" + std::to_string(i * 7 % (records / 4))
                               : "other-" + std::to_string(i));
  }
  auto index = sure(vulnindex::Index::open(path));
  sqlite3* bare = nullptr;
  sqlite3_open_v2(path.c_str(), &bare, SQLITE_OPEN_READONLY, nullptr);
  if (look_up(index, names) != look_up_bare(bare, names)) give_up("different answers");
  report_fact(std::to_string(kNames) + " names, " + std::to_string(look_up(index, names)) +
              " known, " + with_commas(records) + " records");
  const auto lookups = [&] {
    const auto costs = interleave(
        repeats * 10,
        {[&] { return cost_of([&] { static_cast<void>(look_up(index, names)); }); },
         [&] { return cost_of([&] { static_cast<void>(look_up_bare(bare, names)); }); }});
    return Pair{summary(costs[0], Clock::wall), summary(costs[1], Clock::wall)};
  };
  report({"12", "look up 1,500 names", "SQLite, one transaction", {Bar::Kind::at_most, 1}},
         lookups);
  report(
      {"12", "stretch: look up 1,500 names", "SQLite, one transaction", {Bar::Kind::at_least, 5}},
      lookups);
  sqlite3_close(bare);

  const vulnindex::Tables tables = vulnindex::tables_of(draft);
  report({"13", "write the index", "bare bulk insert of its rows", {Bar::Kind::at_most, 1.2}}, [&] {
    const auto costs = interleave(
        quick ? 1 : 9,
        {[&] {
           fs::remove(path);
           return cost_of([&] {
             static_cast<void>(sure(vulnindex::write_tables_to(path, draft, tables, {}, Time{})));
           });
         },
         [&] { return cost_of([&] { insert_bare(bare_path, draft, tables); }); }});
    return Pair{summary(costs[0], Clock::cpu), summary(costs[1], Clock::cpu)};
  });
}
