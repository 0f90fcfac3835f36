#include "vuln/advisory/osv.h"

#include <algorithm>
#include <utility>

#include "base/base/text.h"
#include "base/json/json.h"
#include "vuln/advisory/cvss.h"
#include "vuln/advisory/version_key.h"

namespace cg::advisory {

namespace {

using json::Value;
using Kind = RecordError::Kind;

constexpr std::size_t kMaxOsvBytes = 4U << 20U;
constexpr std::size_t kMaxSummary = 1024;
constexpr std::size_t kMaxDetails = 64 * 1024;
constexpr std::size_t kMaxAliases = 1000;
constexpr std::size_t kMaxReferences = 2000;
constexpr std::size_t kMaxAffected = 10'000;
constexpr std::size_t kMaxRanges = 10'000;
constexpr std::size_t kMaxVersions = 100'000;
constexpr std::size_t kMaxName = 214;
constexpr std::size_t kMaxOthers = 8;  // packages of other ecosystems

RecordError bad_value(std::string_view field, std::string_view found) {
  return {Kind::bad_value, std::string(field), printable(cut_utf8(found, 80))};
}

Result<semver::Version, RecordError> version_of(std::string_view key, const Value& value) {
  const std::string* text = value.as_string();
  if (text == nullptr) return fail(RecordError{Kind::wrong_type, std::string(key)});
  auto version = parse_bound(*text);
  if (!version) return fail(bad_value(key, *text));
  return *std::move(version);
}

/// One object of `events`. Old records put two turns into one.
Result<Done, RecordError> read_event(const Value& object, Range& range) {
  static constexpr std::pair<std::string_view, Event::Kind> kKinds[] = {
      {"introduced", Event::Kind::introduced},
      {"fixed", Event::Kind::fixed},
      {"last_affected", Event::Kind::last_affected},
      {"limit", Event::Kind::limit},
  };
  bool any = false;
  for (const auto& [key, kind] : kKinds) {
    const Value* value = member(object, key);
    if (value == nullptr) continue;
    any = true;
    const bool no_limit = value->as_string() != nullptr && *value->as_string() == "*";
    if (kind == Event::Kind::limit && no_limit) continue;
    CG_TRY_ASSIGN(semver::Version version, version_of(key, *value));
    range.push_back({kind, std::move(version)});
  }
  if (!any) return fail(RecordError{Kind::bad_value, "", "an event of no known kind"});
  return Done{};
}

Result<Done, RecordError> read_range(const Value& object, Affected& out) {
  CG_TRY_ASSIGN(const std::string_view type, required_text(object, "type", 32));
  if (type == "GIT") return Done{};
  if (type != "SEMVER" && type != "ECOSYSTEM") return fail(bad_value("type", type));
  CG_TRY_ASSIGN(const Value::Array* events, array_of(object, "events", kMaxRanges));
  Range range;
  for (std::size_t i = 0; i < events->size(); ++i) {
    const auto read = read_event((*events)[i], range);
    if (!read) return fail(within("events", i, read.error()));
  }
  out.ranges.push_back(std::move(range));
  return Done{};
}

Result<Done, RecordError> read_versions(const Value& object, Affected& out) {
  CG_TRY_ASSIGN(const Value::Array* versions, array_of(object, "versions", kMaxVersions));
  for (std::size_t i = 0; i < versions->size(); ++i) {
    auto version = version_of("", (*versions)[i]);
    if (!version) return fail(within("versions", i, version.error()));
    out.versions.push_back(*std::move(version));
  }
  return Done{};
}

void add_cwe(const Value* value, Advisory& out) {
  const std::string* text = value == nullptr ? nullptr : value->as_string();
  if (text != nullptr && is_record_id(*text)) out.cwes.push_back(*text);
}

/// The malicious-packages project lists weaknesses per package.
Result<Done, RecordError> read_package_notes(const Value& object, Affected& out,
                                             Advisory& advisory) {
  const Value* notes = member(object, "database_specific");
  if (notes == nullptr) return Done{};
  CG_TRY_ASSIGN(out.last_known_affected,
                cut_text(*notes, "last_known_affected_version_range", kMaxSummary));
  CG_TRY_ASSIGN(const Value::Array* cwes, array_of(*notes, "cwes", kMaxAliases));
  for (const Value& cwe : *cwes) add_cwe(cwe.find("cweId"), advisory);
  return Done{};
}

bool is_package_name(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

/// Adds the entry if it is npm's; of another ecosystem its name alone.
Result<Done, RecordError> read_affected(const Value& object, Advisory& advisory,
                                        std::vector<std::string>& others) {
  const Value* package = member(object, "package");
  if (package == nullptr) return Done{};  // commits of a repository, no package at all
  const auto ecosystem = required_text(*package, "ecosystem", 128);
  if (!ecosystem) return fail(within("package", ecosystem.error()));
  if (*ecosystem != "npm") {
    const auto named = cut_text(*package, "name", kMaxName);
    std::string other(*ecosystem);
    if (named && !named->empty()) other += " " + *named;
    const bool known = std::find(others.begin(), others.end(), other) != others.end();
    if (!known && others.size() < kMaxOthers) others.push_back(std::move(other));
    return Done{};
  }
  const auto name = required_text(*package, "name", kMaxName);
  if (!name) return fail(within("package", name.error()));
  if (!is_package_name(*name)) return fail(bad_value("package.name", *name));
  Affected out;
  out.package = *name;
  CG_TRY_ASSIGN(const Value::Array* ranges, array_of(object, "ranges", kMaxRanges));
  for (std::size_t i = 0; i < ranges->size(); ++i) {
    const auto read = read_range((*ranges)[i], out);
    if (!read) return fail(within("ranges", i, read.error()));
  }
  CG_TRY(read_versions(object, out));
  CG_TRY(read_package_notes(object, out, advisory));
  advisory.affected.push_back(std::move(out));
  return Done{};
}

Result<Done, RecordError> read_aliases(const Value& record, Advisory& out) {
  CG_TRY_ASSIGN(const Value::Array* aliases, array_of(record, "aliases", kMaxAliases));
  for (std::size_t i = 0; i < aliases->size(); ++i) {
    const std::string* text = (*aliases)[i].as_string();
    if (text == nullptr || !is_record_id(*text)) {
      return fail(within("aliases", i, {Kind::bad_value, ""}));
    }
    if (*text != out.id) out.aliases.push_back(*text);
  }
  sort_unique(out.aliases);
  return Done{};
}

/// Links are for people: one that is no text or too long is left out.
Result<Done, RecordError> read_references(const Value& record, Advisory& out) {
  CG_TRY_ASSIGN(const Value::Array* references, array_of(record, "references", kMaxReferences));
  for (const Value& reference : *references) {
    const auto url = required_text(reference, "url", kMaxUrl);
    const auto type = required_text(reference, "type", 32);
    if (url) out.references.push_back({type ? std::string(*type) : "WEB", std::string(*url)});
  }
  return Done{};
}

/// Takes over each readable vector that is of a higher version than what is there.
void read_vectors(const Value& holder, std::optional<CvssScore>& best, Severity& out) {
  const Value* list = member(holder, "severity");
  const Value::Array* vectors = list == nullptr ? nullptr : list->as_array();
  if (vectors == nullptr) return;
  for (const Value& item : *vectors) {
    const Value* text = item.find("score");
    if (text == nullptr || text->as_string() == nullptr) continue;
    const auto score = score_cvss(*text->as_string());
    if (!score || (best && best->version >= score->version)) continue;
    best = *score;
    out.vector = *text->as_string();
    out.tenths = score->tenths;
  }
}

void read_severity(const Value& record, const Value::Array& affected, Advisory& out) {
  std::optional<CvssScore> best;
  read_vectors(record, best, out.severity);
  for (const Value& entry : affected) {
    if (!best) read_vectors(entry, best, out.severity);
  }
  const Value* notes = member(record, "database_specific");
  const Value* word = notes == nullptr ? nullptr : notes->find("severity");
  const std::string* text = word == nullptr ? nullptr : word->as_string();
  const auto level = text == nullptr ? std::nullopt : parse_level(*text);
  if (level) {
    out.severity.level = *level;
    out.severity.source = SeveritySource::database;
  } else if (best) {
    out.severity.level = best->level;
    out.severity.source = SeveritySource::cvss;
  } else if (out.malware) {
    out.severity.level = Level::critical;
    out.severity.source = SeveritySource::malicious;
  }
}

Source source_of(std::string_view id) {
  if (id.starts_with("GHSA-")) return Source::ghsa;
  return id.starts_with("MAL-") ? Source::malicious_packages : Source::osv;
}

Result<Done, RecordError> read_notes(const Value& record, Advisory& out) {
  const auto is_malware = [](std::string_view id) { return id.starts_with("MAL-"); };
  out.malware =
      is_malware(out.id) || std::any_of(out.aliases.begin(), out.aliases.end(), is_malware);
  const Value* notes = member(record, "database_specific");
  if (notes == nullptr) return Done{};
  out.malware = out.malware || notes->find("malicious-packages-origins") != nullptr;
  const auto cwes = array_of(*notes, "cwe_ids", kMaxAliases);
  if (!cwes) return fail(within("database_specific", cwes.error()));
  for (const Value& cwe : **cwes) add_cwe(&cwe, out);
  return Done{};
}

Result<Done, RecordError> read_times(const Value& record, Advisory& out) {
  CG_TRY_ASSIGN(const std::optional<Time> modified, optional_time(record, "modified"));
  if (!modified) return fail(RecordError{Kind::missing, "modified"});
  out.modified = *modified;
  CG_TRY_ASSIGN(out.published, optional_time(record, "published"));
  CG_TRY_ASSIGN(out.withdrawn, optional_time(record, "withdrawn"));
  return Done{};
}

}  // namespace

Result<OsvRecord, RecordError> read_osv(const Value& record) {
  if (!record.is_object()) return fail(RecordError{Kind::wrong_type, ""});
  CG_TRY_ASSIGN(const std::string_view id, required_text(record, "id", 128));
  if (!is_record_id(id)) return fail(bad_value("id", id));
  CG_TRY_ASSIGN(const Value::Array* affected, array_of(record, "affected", kMaxAffected));
  Advisory out;
  out.id = id;
  out.source = source_of(id);
  std::vector<std::string> others;
  for (std::size_t i = 0; i < affected->size(); ++i) {
    const auto read = read_affected((*affected)[i], out, others);
    if (!read) return fail(within("affected", i, read.error()));
  }
  if (out.affected.empty()) {
    // No more is asked of what does not count than that its names can be looked up.
    static_cast<void>(read_aliases(record, out));
    const auto modified = optional_time(record, "modified");
    return OsvRecord(OtherEcosystem{std::move(out.id), std::move(out.aliases),
                                    modified ? modified->value_or(Time{}) : Time{},
                                    std::move(others)});
  }
  CG_TRY_ASSIGN(out.summary, cut_text(record, "summary", kMaxSummary));
  CG_TRY_ASSIGN(out.details, cut_text(record, "details", kMaxDetails));
  CG_TRY(read_times(record, out));
  CG_TRY(read_aliases(record, out));
  CG_TRY(read_references(record, out));
  CG_TRY(read_notes(record, out));
  read_severity(record, *affected, out);
  sort_unique(out.cwes);
  if (out.withdrawn) return OsvRecord(Withdrawn{std::move(out)});
  return OsvRecord(std::move(out));
}

Result<OsvRecord, RecordError> parse_osv(std::string_view json) {
  const auto value = json::parse_json(json, {.max_bytes = kMaxOsvBytes});
  if (!value) return fail(RecordError{Kind::not_json, "", json::describe(value.error())});
  return read_osv(*value);
}

}  // namespace cg::advisory
