// Reading all of an index back, and comparing it with what it should be.
#include "base/json/json.h"
#include "vuln/vulnindex/index.h"

namespace cg::vulnindex {

namespace {

/// One table as the records say it must be: key and value of every row.
using RowsByKey = std::map<std::pair<std::string, std::string>, std::string>;

Result<RowsByKey, store::Error> read_rows(store::Database& database, const std::string& sql) {
  RowsByKey rows;
  CG_TRY_ASSIGN(auto query, database.prepare(sql));
  while (true) {
    CG_TRY_ASSIGN(const bool row, query.step());
    if (!row) return rows;
    const auto value = query.blob(2);
    rows[{query.text(0).value_or(""), query.text(1).value_or("")}] = value.value_or("");
  }
}

}  // namespace

Result<Draft, Error> Index::draft() {
  auto query = database_.prepare("SELECT source, id, bytes FROM record");
  if (!query) return fail(from_store(query.error(), path_));
  Draft draft;
  Tally tally;
  while (true) {
    const auto row = query->step();
    if (!row) return fail(from_store(row.error(), path_));
    if (!*row) break;
    const std::string source = query->text(0).value_or("");
    const std::string text = query->text(2).value_or("");
    const auto json = json::parse_json(text, {.max_bytes = text.size()});
    if (!json)
      return fail(corrupt("the record of " + query->text(1).value_or("?") + " is damaged"));
    draft.add(source, {text, *json, "index"}, tally);
  }
  if (!tally.rejected.empty() || tally.withdrawn + tally.superseded != 0) {
    return fail(corrupt("it holds a record that would not have been taken in"));
  }
  return draft;
}

Result<Done, Error> Index::verify() {
  if (const auto sound = database_.check_integrity(); !sound) {
    return fail(from_store(sound.error(), path_));
  }
  CG_TRY_ASSIGN(const Draft all, draft());
  if ("blake3:" + to_hex(digest_of(all)) != summary_.digest) {
    return fail(corrupt("its records do not have the digest it was made with"));
  }
  const Tables tables = tables_of(all);
  RowsByKey packages;
  RowsByKey briefs;
  RowsByKey names;
  for (const auto& [name, rules] : tables.packages) packages[{name, ""}] = rules;
  for (const auto& [group, brief] : tables.briefs)
    briefs[{group, ""}] = advisory::encode_brief(brief);
  for (const auto& [id, group] : tables.groups) names[{id, group}] = "";
  const struct {
    const char* sql;
    const RowsByKey& expected;
    const char* what;
  } checks[] = {{"SELECT name, '', rules FROM package", packages, "rules"},
                {"SELECT grp, '', bytes FROM brief", briefs, "summaries"},
                {"SELECT id, grp, NULL FROM name", names, "names"}};
  for (const auto& check : checks) {
    const auto rows = read_rows(database_, check.sql);
    if (!rows) return fail(from_store(rows.error(), path_));
    if (*rows != check.expected) {
      return fail(corrupt(std::string("its ") + check.what + " do not follow from its records"));
    }
  }
  const bool counts = summary_.advisories == tables.briefs.size() &&
                      summary_.packages == tables.packages.size() &&
                      summary_.malware == tables.malware;
  if (!counts) return fail(corrupt("its counts do not follow from its records"));
  return Done{};
}

}  // namespace cg::vulnindex
