// Making the file: every table in the order of its key, in one transaction.
#include <fcntl.h>

#include "base/os/dir.h"
#include "base/os/open.h"
#include "trust/hash/blake3.h"
#include "vuln/vulnindex/index.h"

namespace cg::vulnindex {

namespace {

constexpr const char* kTables =
    "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE filter(bytes BLOB NOT NULL);"
    "CREATE TABLE package(name TEXT PRIMARY KEY, rules BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE brief(grp TEXT PRIMARY KEY, bytes BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE name(id TEXT NOT NULL, grp TEXT NOT NULL,"
    " PRIMARY KEY(id, grp)) WITHOUT ROWID;"
    "CREATE TABLE record(source TEXT NOT NULL, id TEXT NOT NULL, bytes TEXT NOT NULL,"
    " modified INTEGER NOT NULL);"
    "CREATE TABLE rejected(place TEXT NOT NULL, id TEXT NOT NULL, reason TEXT NOT NULL);";
// After the rows: sorting them once is cheaper than keeping them sorted.
constexpr const char* kIndexes = "CREATE UNIQUE INDEX record_by_id ON record(id, source);";

/// Speed over durability while nobody can see the file; it is synced at the end.
constexpr const char* kPragmas =
    "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
    "PRAGMA cache_size = -65536;";

using Written = Result<Done, store::Error>;

Written write_tables(store::Database& database, const Tables& tables) {
  CG_TRY_ASSIGN(auto package, database.prepare("INSERT INTO package VALUES(?,?)"));
  std::vector<std::string> names;
  for (const auto& [name, rules] : tables.packages) {
    CG_TRY(package.bind(1, name).bind_blob(2, rules).run());
    names.push_back(name);
  }
  CG_TRY_ASSIGN(auto brief, database.prepare("INSERT INTO brief VALUES(?,?)"));
  for (const auto& [group, row] : tables.briefs) {
    CG_TRY(brief.bind(1, group).bind_blob(2, advisory::encode_brief(row)).run());
  }
  CG_TRY_ASSIGN(auto name, database.prepare("INSERT INTO name VALUES(?,?)"));
  for (const auto& [id, group] : tables.groups) CG_TRY(name.bind(1, id).bind(2, group).run());
  CG_TRY_ASSIGN(auto filter, database.prepare("INSERT INTO filter VALUES(?)"));
  return filter.bind_blob(1, seal_rules("", {NameFilter::of(names).bytes()})).run();
}

Written write_records(store::Database& database, const Draft& draft,
                      const std::vector<Rejected>& rejected) {
  CG_TRY_ASSIGN(auto record, database.prepare("INSERT INTO record VALUES(?,?,?,?)"));
  for (const auto& [key, kept] : draft.records()) {
    CG_TRY(record.bind(1, key.first)
               .bind(2, key.second)
               .bind(3, kept.text)
               .bind(4, kept.modified.ms)
               .run());
  }
  CG_TRY_ASSIGN(auto reject, database.prepare("INSERT INTO rejected VALUES(?,?,?)"));
  for (const Rejected& row : rejected) {
    CG_TRY(reject.bind(1, row.where).bind(2, row.id).bind(3, row.reason).run());
  }
  return Done{};
}

Written write_meta(store::Database& database, const Summary& summary) {
  CG_TRY_ASSIGN(auto meta, database.prepare("INSERT INTO meta VALUES(?,?)"));
  const auto put = [&](const std::string& key, const std::string& value) {
    return meta.bind(1, key).bind(2, value).run();
  };
  CG_TRY(put("schema", std::to_string(kSchema)));
  CG_TRY(put("digest", summary.digest));
  CG_TRY(put("built", to_iso(summary.built)));
  CG_TRY(put("newest", to_iso(summary.newest)));
  CG_TRY(put("advisories", std::to_string(summary.advisories)));
  CG_TRY(put("malware", std::to_string(summary.malware)));
  CG_TRY(put("packages", std::to_string(summary.packages)));
  CG_TRY(put("rejected", std::to_string(summary.rejected)));
  for (const auto& [source, count] : summary.sources) {
    CG_TRY(put("source." + source, std::to_string(count)));
  }
  return Done{};
}

Written write_all(const std::string& path, const Draft& draft, const Tables& tables,
                  const std::vector<Rejected>& rejected, const Summary& summary) {
  CG_TRY_ASSIGN(auto database, store::Database::open(path, store::Access::read_write));
  CG_TRY(database.execute(kPragmas));
  CG_TRY_ASSIGN(auto transaction, database.begin());
  CG_TRY(database.execute(kTables));
  CG_TRY(write_tables(database, tables));
  CG_TRY(write_records(database, draft, rejected));
  CG_TRY(write_meta(database, summary));
  CG_TRY(database.execute(kIndexes));
  return transaction.commit();
}

Summary summary_of(const Draft& draft, const Tables& tables, std::size_t rejected, Time now) {
  Summary summary;
  summary.digest = "blake3:" + to_hex(digest_of(draft));
  summary.built = now;
  for (const auto& [key, kept] : draft.records()) {
    ++summary.sources[key.first];
    summary.newest = std::max(summary.newest, kept.modified);
  }
  summary.advisories = tables.briefs.size();
  summary.malware = tables.malware;
  summary.packages = tables.packages.size();
  summary.rejected = rejected;
  return summary;
}

}  // namespace

Result<Summary, Error> write_index(const std::string& path, const Draft& draft,
                                   const std::vector<Rejected>& rejected, Time now) {
  return write_tables_to(path, draft, tables_of(draft), rejected, now);
}

Result<Summary, Error> write_tables_to(const std::string& path, const Draft& draft,
                                       const Tables& tables, const std::vector<Rejected>& rejected,
                                       Time now) {
  Summary summary = summary_of(draft, tables, rejected.size(), now);
  const Written written = write_all(path, draft, tables, rejected, summary);
  if (!written) return fail(from_store(written.error(), path));
  const os::Fd fd(os::open_path(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  const auto synced = os::sync_data(fd, path);
  if (!synced) return fail(Error{Error::Kind::io, path, os::describe(synced.error())});
  return summary;
}

}  // namespace cg::vulnindex
