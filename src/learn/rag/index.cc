#include "learn/rag/index.h"

#include <cstring>

#include "base/store/database.h"
#include "trust/audit/problems.h"
#include "trust/hash/blake3.h"

namespace cg::rag {

namespace {

// `names` has a row for every alias, weakness and changed name of a record.
constexpr const char* kIndexSchema = R"(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE records(id TEXT PRIMARY KEY, seq INTEGER NOT NULL, task TEXT NOT NULL,
  language TEXT NOT NULL, build TEXT NOT NULL, package TEXT NOT NULL, advisory TEXT NOT NULL,
  breaks TEXT NOT NULL, worked INTEGER NOT NULL, quarantined INTEGER NOT NULL) STRICT;
CREATE TABLE names(record TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL) STRICT;
CREATE TABLE vectors(record TEXT NOT NULL, model TEXT NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY(record, model)) STRICT;
)";

constexpr const char* kNewIndex = "index.new.sqlite";

std::string path_of_index(const os::Dir& rag) { return rag.path_of(kIndexFile); }

std::string head_text(const Ledger& ledger) { return to_hex(head_of(ledger.manifest())); }

Result<std::string, store::Error> meta(store::Database& index, std::string_view key) {
  CG_TRY_ASSIGN(auto find, index.prepare("SELECT value FROM meta WHERE key = ?"));
  find.bind(1, key);
  CG_TRY_ASSIGN(const bool there, find.step());
  return there ? find.text(0).value_or("") : std::string();
}

/// What is wrong with it, for a person; empty if nothing is.
std::string fault_of(store::Database& index, const std::string& head) {
  const auto version = meta(index, "version");
  if (!version) return "damaged";
  if (*version != std::to_string(kIndexVersion)) return "of another version";
  const auto found = meta(index, "head");
  if (!found) return "damaged";
  return *found == head ? "" : "stale";
}

/// Of records that the log has: whoever can write the file can put any number of others there.
Result<VectorBytes, store::Error> vectors_in(store::Database& index, const Ledger& ledger,
                                             const std::string& model) {
  CG_TRY_ASSIGN(auto rows, index.prepare("SELECT record, bytes FROM vectors WHERE model = ?"));
  rows.bind(1, model);
  VectorBytes out;
  while (true) {
    CG_TRY_ASSIGN(const bool there, rows.step());
    if (!there) return out;
    std::string record = rows.text(0).value_or("");
    if (ledger.find(record) == nullptr) continue;
    auto bytes = rows.blob(1);
    if (bytes && bytes->size() <= kMaxVectorBytes) {
      out.insert_or_assign(std::move(record), *std::move(bytes));
    }
  }
}

Result<Done, store::Error> put_record(store::Database& index, const Entry& entry) {
  const example::Example& e = entry.example;
  CG_TRY_ASSIGN(auto row, index.prepare("INSERT INTO records VALUES(?,?,?,?,?,?,?,?,?,?)"));
  row.bind(1, entry.id).bind(2, static_cast<std::int64_t>(entry.seq)).bind(3, e.partition.task);
  row.bind(4, e.partition.language).bind(5, e.partition.build).bind(6, e.package);
  row.bind(7, e.advisory).bind(8, name(e.breaks)).bind(9, std::int64_t{e.worked ? 1 : 0});
  row.bind(10, std::int64_t{entry.quarantined.empty() ? 0 : 1});
  CG_TRY(row.run());
  CG_TRY_ASSIGN(auto named, index.prepare("INSERT INTO names VALUES(?,?,?)"));
  for (const auto& [kind, list] :
       {std::pair("alias", &e.aliases), std::pair("weakness", &e.weaknesses),
        std::pair("changed", &e.changed)}) {
    for (const std::string& one : *list) {
      named.bind(1, entry.id).bind(2, std::string_view(kind)).bind(3, one);
      CG_TRY(named.run());
    }
  }
  return Done{};
}

Result<Done, store::Error> put_meta(store::Database& index, std::string_view key,
                                    const std::string& value) {
  CG_TRY_ASSIGN(auto put, index.prepare("INSERT OR REPLACE INTO meta VALUES(?, ?)"));
  put.bind(1, key).bind(2, value);
  return put.run();
}

/// All in one transaction: a reader sees the rows of one ledger.
Result<Done, store::Error> fill(store::Database& index, const Ledger& ledger,
                                const std::string& model, const VectorBytes& fresh) {
  CG_TRY_ASSIGN(auto all, index.begin());
  const auto version = meta(index, "version");
  if (!version) CG_TRY(index.execute(kIndexSchema));
  if (fault_of(index, head_text(ledger)) != "") {
    CG_TRY(index.execute("DELETE FROM names; DELETE FROM records"));
    for (const Entry& entry : ledger.entries()) CG_TRY(put_record(index, entry));
    CG_TRY(put_meta(index, "version", std::to_string(kIndexVersion)));
    CG_TRY(put_meta(index, "head", head_text(ledger)));
  }
  CG_TRY_ASSIGN(auto put, index.prepare("INSERT OR REPLACE INTO vectors VALUES(?, ?, ?)"));
  for (const auto& [record, bytes] : fresh) {
    put.bind(1, record).bind(2, model).bind_blob(3, bytes);
    CG_TRY(put.run());
  }
  return all.commit();
}

Problem not_indexed(const os::Dir& rag, const store::Error& error) {
  const bool full = error.kind == store::Error::Kind::no_space;
  return {full ? ErrorCode::home_no_space : ErrorCode::home_io,
          "the index of solved examples cannot be written: " + error.what,
          {{"file", path_of_index(rag)}},
          "the records are safe; the index is made again from them",
          {"codegenie rag rebuild"}};
}

/// What of the old index the log has the digest of, by model; at least one model, if a blank one.
std::map<std::string, VectorBytes> vouched_vectors(const os::Dir& rag, const Ledger& ledger) {
  std::map<std::string, VectorBytes> out = {{"", {}}};
  for (const Entry& entry : ledger.entries()) {
    for (const auto& [model, digest] : entry.vectors) out[model];
  }
  for (auto& [model, vectors] : out) {
    if (model.empty()) continue;
    vectors = read_index(rag, ledger, model).vectors;
    std::erase_if(vectors, [&, &which = model](const auto& one) {
      const Entry* entry = ledger.find(one.first);
      if (entry == nullptr) return true;
      const auto logged = entry->vectors.find(which);
      return logged == entry->vectors.end() || logged->second != hash::blake3(as_bytes(one.second));
    });
  }
  return out;
}

Result<Done, Problem> remove_file(const os::Dir& rag, const std::string& name) {
  for (const char* suffix : {"", "-journal"}) {
    const auto removed = rag.remove(name + suffix);
    if (!removed) return fail(audit::writing(removed.error()));
  }
  return Done{};
}

}  // namespace

IndexState read_index(const os::Dir& rag, const Ledger& ledger, const std::string& model) {
  IndexState out;
  if (!rag.stat(kIndexFile)) return {"missing", {}};
  auto index = store::Database::open(path_of_index(rag), store::Access::read_only);
  if (!index) return {"damaged", {}};
  out.problem = fault_of(*index, head_text(ledger));
  // Vectors are judged one by one, so those of a stale index serve too.
  if (out.problem != "" && out.problem != "stale") return out;
  auto vectors = vectors_in(*index, ledger, model);
  if (!vectors) return {"damaged", {}};
  out.vectors = *std::move(vectors);
  return out;
}

Result<Done, Problem> update_index(const os::Dir& rag, const Ledger& ledger,
                                   const std::string& model, const VectorBytes& fresh) {
  {
    auto index = store::Database::open(path_of_index(rag), store::Access::read_write);
    const auto version =
        index ? meta(*index, "version") : Result<std::string, store::Error>(fail(index.error()));
    // One that a newer program made has tables that we do not know.
    if (index && (!version || *version == std::to_string(kIndexVersion))) {
      const auto filled = fill(*index, ledger, model, fresh);
      if (filled) return Done{};
      const bool stays = filled.error().kind == store::Error::Kind::no_space ||
                         filled.error().kind == store::Error::Kind::busy;
      if (stays) return fail(not_indexed(rag, filled.error()));
    }
  }
  CG_TRY(remake_index(rag, ledger));
  auto index = store::Database::open(path_of_index(rag), store::Access::read_write);
  if (!index) return fail(not_indexed(rag, index.error()));
  const auto filled = fill(*index, ledger, model, fresh);
  if (!filled) return fail(not_indexed(rag, filled.error()));
  return Done{};
}

/// Beside the old one, which is replaced when the new one is whole. A journal of the old one must
/// be gone by then: SQLite would apply it to the new one.
Result<Done, Problem> remake_index(const os::Dir& rag, const Ledger& ledger) {
  CG_TRY(remove_file(rag, kNewIndex));
  {
    auto index = store::Database::open(rag.path_of(kNewIndex), store::Access::read_write);
    if (!index) return fail(not_indexed(rag, index.error()));
    for (const auto& [model, vectors] : vouched_vectors(rag, ledger)) {
      const auto filled = fill(*index, ledger, model, vectors);
      if (!filled) return fail(not_indexed(rag, filled.error()));
    }
  }
  CG_TRY(remove_file(rag, std::string(kIndexFile) + "-journal"));
  const auto moved = rag.rename(kNewIndex, kIndexFile);
  if (!moved) return fail(audit::writing(moved.error()));
  return Done{};
}

}  // namespace cg::rag
