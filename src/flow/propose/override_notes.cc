#include "flow/propose/override_notes.h"

#include <algorithm>

#include "base/json/json.h"

namespace cg::propose {

namespace {

using json::Value;

constexpr std::size_t kMaxNotesBytes = 4U << 20U;
constexpr std::int64_t kDay = 86'400'000;

bool is_of(const Value& row, const std::string& lockfile) {
  const Value* file = row.is_object() ? row.find("lockfile") : nullptr;
  return file != nullptr && file->is_string() && *file->as_string() == lockfile;
}

std::vector<std::string> path_of(const Value& row) {
  std::vector<std::string> out;
  const Value* path = row.is_object() ? row.find("path") : nullptr;
  if (path == nullptr || !path->is_array()) return out;
  for (const Value& key : *path->as_array()) {
    if (!key.is_string()) return {};
    out.push_back(*key.as_string());
  }
  return out;
}

}  // namespace

OverrideNotes::OverrideNotes(const os::Dir& repo) {
  const auto text = repo.read(kOverrideNotes, kMaxNotesBytes);
  const auto parsed = text ? json::parse_json(*text) : json::parse_json("null");
  const Value* rows = parsed && parsed->is_object() ? parsed->find("overrides") : nullptr;
  if (rows != nullptr && rows->is_array()) rows_ = *rows->as_array();
}

std::vector<std::vector<std::string>> OverrideNotes::paths(const std::string& lockfile) const {
  std::vector<std::vector<std::string>> out;
  for (const Value& row : rows_) {
    if (!is_of(row, lockfile)) continue;
    if (auto path = path_of(row); !path.empty()) out.push_back(std::move(path));
  }
  return out;
}

void OverrideNotes::add(const plan::Plan& plan, Time dated) {
  for (const std::vector<std::string>& path : plan.redundant) drop(plan.lockfile, path);
  for (const plan::OverrideNote& note : plan.overrides) {
    drop(plan.lockfile, note.path);
    Value::Array path(note.path.begin(), note.path.end());
    Value::Array advisories(note.advisories.begin(), note.advisories.end());
    rows_.push_back(Value::Object{{"lockfile", plan.lockfile},
                                  {"path", path},
                                  {"value", note.value},
                                  {"reason", note.reason},
                                  {"advisories", advisories},
                                  {"review", to_date(Time{dated.ms + note.days * kDay})}});
  }
}

std::string OverrideNotes::text() const {
  return json::write_json_pretty(
      Value::Object{{"schema", "codegenie/overrides/v1"}, {"overrides", rows_}});
}

void OverrideNotes::drop(const std::string& lockfile, const std::vector<std::string>& path) {
  std::erase_if(rows_,
                [&](const Value& row) { return is_of(row, lockfile) && path_of(row) == path; });
}

}  // namespace cg::propose
