// perf_bare_scan LOCK INDEX: the least a scan can be. Parses a package-lock with
// simdjson, looks every package up in the index by name, and counts the rows.
//
// It checks no checksum, compares no version, knows no graph, no policy, no ignores,
// and prints one number: the floor that row 1 is held against.
#include <simdjson.h>
#include <sqlite3.h>

#include <cstdio>
#include <string>
#include <unordered_set>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  simdjson::ondemand::parser parser;
  const auto text = simdjson::padded_string::load(argv[1]);
  if (text.error() != simdjson::SUCCESS) return 1;
  std::unordered_set<std::string> names;
  auto document = parser.iterate(text.value_unsafe());
  std::string_view version;
  for (auto field : document["packages"].get_object()) {
    const std::string_view location = field.unescaped_key();
    const std::size_t at = location.rfind("node_modules/");
    if (field.value()["version"].get(version) != simdjson::SUCCESS) continue;
    if (at != std::string_view::npos) names.emplace(location.substr(at + 13));
  }
  sqlite3* database = nullptr;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_open_v2(argv[2], &database, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) return 1;
  sqlite3_exec(database, "BEGIN", nullptr, nullptr, nullptr);
  sqlite3_prepare_v2(database, "SELECT rules FROM package WHERE name = ?", -1, &statement, nullptr);
  int found = 0;
  for (const std::string& name : names) {
    sqlite3_bind_text(statement, 1, name.data(), static_cast<int>(name.size()), SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW) ++found;
    sqlite3_reset(statement);
  }
  std::printf("%zu %d\n", names.size(), found);
  return 0;
}
