#include "vuln/vulnindex/draft.h"

#include <algorithm>
#include <set>

#include "base/base/bytes.h"
#include "base/base/match.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "trust/hash/blake3.h"
#include "vuln/advisory/osv.h"
#include "vuln/advisory/rule.h"
#include "vuln/vulnindex/groups.h"

namespace cg::vulnindex {

namespace {

constexpr std::string_view kContext = "codegenie 2026 advisory index v1";
constexpr std::string_view kRowContext = "codegenie 2026 advisory row v1";
constexpr std::size_t kCheckBytes = 8;
constexpr std::size_t kSizeBytes = 4;
constexpr std::size_t kMaxSummary = 256;
constexpr std::size_t kMaxReferences = 5;
constexpr std::string_view kNvd = "nvd";

void hash_text(hash::Blake3& hash, std::string_view text) {
  const auto size = to_le64(text.size());
  hash.update(size).update(as_bytes(text));
}

std::string check_of(std::string_view package, std::string_view body) {
  // Deriving the key costs as much as hashing a row; a fresh copy of the state does not.
  static const hash::Blake3 start(kRowContext);
  hash::Blake3 hash = start;
  hash_text(hash, package);
  const auto digest = hash.update(as_bytes(body)).finish();
  return std::string(as_text(digest).substr(0, kCheckBytes));
}

/// The text of a record without what may be different in every download: nothing so
/// far, but one spelling per record keeps the digest independent of line ends.
std::string_view record_text(std::string_view text) { return trim(text); }

/// A record that says no more than this of the same record, and reads as the same again.
std::string names_of(const advisory::OtherEcosystem& other) {
  json::Value::Array aliases(other.aliases.begin(), other.aliases.end());
  json::Value::Array affected;
  for (const std::string& package : other.packages) {
    const std::size_t space = package.find(' ');
    json::Value::Object about{{"ecosystem", package.substr(0, space)}};
    if (space != package.npos) about.emplace_back("name", package.substr(space + 1));
    affected.push_back(json::Value::Object{{"package", std::move(about)}});
  }
  return json::write_json(json::Value::Object{{"affected", std::move(affected)},
                                              {"aliases", std::move(aliases)},
                                              {"id", other.id},
                                              {"modified", to_iso(other.modified)}});
}

advisory::Brief brief_of(const std::string& group, const advisory::Advisory& advisory,
                         const std::set<std::string>& ids) {
  advisory::Brief brief;
  brief.id = group;
  for (const std::string& id : ids) {
    if (id != group) brief.aliases.push_back(id);
  }
  brief.summary = std::string(cut_utf8(advisory.summary, kMaxSummary));
  brief.severity = advisory.severity;
  brief.malware = advisory.malware;
  brief.modified = to_iso(advisory.modified);
  brief.cwes = advisory.cwes;
  for (const advisory::Reference& reference : advisory.references) {
    if (reference.url.starts_with("https://") && brief.references.size() < kMaxReferences) {
      brief.references.push_back(reference.url);
    }
  }
  return brief;
}

/// Two records of one group: the one whose id the group bears leads; the other fills
/// in what it lacks.
void merge(advisory::Brief& brief, const advisory::Brief& other) {
  if (brief.summary.empty()) brief.summary = other.summary;
  if (brief.severity.level == advisory::Level::unknown) brief.severity = other.severity;
  brief.malware = brief.malware || other.malware;
  brief.modified = std::max(brief.modified, other.modified);
  if (brief.cwes.empty()) brief.cwes = other.cwes;
  if (brief.references.empty()) brief.references = other.references;
}

/// An id that a record of npm bears means that one, whoever else bears it.
void add_elsewhere(const std::vector<advisory::OtherEcosystem>& others, Tables& tables) {
  std::set<std::string> ours;
  for (const auto& [id, group] : tables.groups) ours.insert(id);
  const auto add = [&](const std::string& id, const std::string& group) {
    std::string name = lower_ascii(id);
    if (!ours.contains(name)) tables.groups.emplace(std::move(name), group);
  };
  for (const advisory::OtherEcosystem& other : others) {
    add(other.id, other.id);
    for (const std::string& alias : other.aliases) add(alias, other.id);
  }
}

}  // namespace

bool is_source(std::string_view name) {
  return std::find(std::begin(kSources), std::end(kSources), name) != std::end(kSources);
}

bool Draft::keep(std::string_view source, std::string id, std::string_view text, Time modified,
                 Tally& tally) {
  auto [at, fresh] = records_.try_emplace({std::string(source), std::move(id)});
  if (!fresh) ++tally.superseded;
  if (fresh || !(modified < at->second.modified)) {
    at->second = {std::string(record_text(text)), modified};
  }
  return fresh;
}

void Draft::add(std::string_view source, const RawRecord& record, Tally& tally) {
  const json::Value* id = record.json.find("id");
  const std::string named = id != nullptr && id->is_string() ? *id->as_string() : "";
  const auto refuse = [&](const advisory::RecordError& error) {
    reject({record.where, named, advisory::describe(error)}, tally);
  };
  if (source == kNvd || record.json.find("vulnStatus") != nullptr) {
    auto cve = advisory::read_cve(record.json);
    if (!cve) return refuse(cve.error());
    if (cve->rejected) {
      ++tally.withdrawn;
    } else if (keep(kNvd, cve->id, record.text, cve->modified.value_or(Time{}), tally)) {
      ++tally.kept;
    }
    return;
  }
  auto parsed = advisory::read_osv(record.json);
  if (!parsed) return refuse(parsed.error());
  match(
      *parsed,
      [&](const advisory::Advisory& advisory) {
        if (keep(source, advisory.id, record.text, advisory.modified, tally)) ++tally.kept;
      },
      [&](const advisory::Withdrawn&) { ++tally.withdrawn; },
      [&](const advisory::OtherEcosystem& other) {
        ++tally.other_ecosystem;
        if (other.packages.empty()) return;
        keep(source, other.id, names_of(other), other.modified, tally);
      });
}

std::uint64_t Draft::count(std::string_view source) const {
  return static_cast<std::uint64_t>(
      std::count_if(records_.begin(), records_.end(),
                    [&](const auto& row) { return row.first.first == source; }));
}

hash::Digest digest_of(const Draft& draft) {
  hash::Blake3 hash(kContext);
  for (const auto& [key, kept] : draft.records()) {
    hash_text(hash, key.first);
    hash_text(hash, key.second);
    hash_text(hash, kept.text);
  }
  return hash.finish();
}

Tables tables_of(const Draft& draft) {
  std::map<std::string, advisory::CveRecord> cves;
  std::vector<advisory::Advisory> advisories;
  std::vector<advisory::OtherEcosystem> others;
  Groups groups;
  for (const auto& [key, kept] : draft.records()) {
    if (key.first == kNvd) {
      if (auto json = json::parse_json(kept.text, {.max_bytes = kept.text.size()})) {
        auto cve = advisory::read_cve(*json);
        const std::string id = cve ? cve->id : "";
        if (cve) cves.emplace(id, *std::move(cve));
      }
      continue;
    }
    auto parsed = advisory::parse_osv(kept.text);
    if (auto* other = parsed ? std::get_if<advisory::OtherEcosystem>(&*parsed) : nullptr) {
      others.push_back(std::move(*other));
      continue;
    }
    auto* advisory = parsed ? std::get_if<advisory::Advisory>(&*parsed) : nullptr;
    if (advisory == nullptr) continue;
    groups.add(advisory->id, advisory->aliases);
    advisories.push_back(std::move(*advisory));
  }

  groups.settle();

  Tables tables;
  std::map<std::string, std::vector<std::string>> rules;
  for (advisory::Advisory& advisory : advisories) {
    const std::string& group = groups.leader(advisory.id);
    const std::set<std::string>& ids = groups.members(group);
    bool exploited = false;
    for (const std::string& id : ids) {
      const auto cve = cves.find(id);
      if (cve == cves.end()) continue;
      advisory::enrich(advisory, cve->second);
      exploited = exploited || cve->second.exploited.has_value();
    }
    advisory::Brief brief = brief_of(group, advisory, ids);
    brief.exploited = exploited;
    const auto [at, fresh] = tables.briefs.try_emplace(group, brief);
    if (!fresh) {
      if (advisory.id == group) std::swap(at->second, brief);
      merge(at->second, brief);
    }
    for (auto& [package, rule] : advisory::rules_of(advisory)) {
      rule.advisory = group;
      rules[package].push_back(advisory::encode_rule(rule));
    }
    for (const std::string& id : ids) tables.groups.emplace(lower_ascii(id), group);
  }
  add_elsewhere(others, tables);
  for (auto& [package, encoded] : rules) {
    std::sort(encoded.begin(), encoded.end());
    encoded.erase(std::unique(encoded.begin(), encoded.end()), encoded.end());
    tables.packages.emplace(package, seal_rules(package, encoded));
  }
  tables.malware =
      static_cast<std::uint64_t>(std::count_if(tables.briefs.begin(), tables.briefs.end(),
                                               [](const auto& row) { return row.second.malware; }));
  return tables;
}

std::string seal_rules(std::string_view package, const std::vector<std::string>& rules) {
  std::string body;
  for (const std::string& rule : rules) {
    const auto size = to_le64(rule.size());
    body += as_text(size).substr(0, kSizeBytes);
    body += rule;
  }
  return check_of(package, body) + body;
}

std::optional<std::vector<std::string_view>> open_rules(std::string_view package,
                                                        std::string_view sealed) {
  if (sealed.size() < kCheckBytes) return std::nullopt;
  std::string_view body = sealed.substr(kCheckBytes);
  if (check_of(package, body) != sealed.substr(0, kCheckBytes)) return std::nullopt;
  std::vector<std::string_view> rules;
  while (!body.empty()) {
    if (body.size() < kSizeBytes) return std::nullopt;
    std::array<Byte, 8> size{};
    std::copy_n(as_bytes(body).begin(), kSizeBytes, size.begin());
    body.remove_prefix(kSizeBytes);
    const std::uint64_t bytes = from_le64(size);
    if (bytes > body.size()) return std::nullopt;
    rules.push_back(body.substr(0, bytes));
    body.remove_prefix(bytes);
  }
  return rules;
}

}  // namespace cg::vulnindex
