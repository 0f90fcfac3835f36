// json() and jsonl().
#include "base/json/json.h"

#include <limits>

#include "vuln/formats/formats.h"
#include "vuln/formats/words.h"

namespace cg::formats {

namespace {

using json::Value;

Value count(std::uint64_t value) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(value < kMost ? value : kMost);
}

Value index_of(const findings::IndexFacts& index) {
  return Value::Object{{"digest", utf8(index.digest)},
                       {"built", to_iso(index.built)},
                       {"advisories", count(index.advisories)},
                       {"sources", texts(index.sources)}};
}

Value repo_of(const findings::RepoFacts& repo) {
  Value::Array locks;
  for (const findings::LockFacts& lock : repo.locks) {
    locks.emplace_back(Value::Object{{"path", utf8(lock.path)},
                                     {"kind", utf8(lock.kind)},
                                     {"version", utf8(lock.version)},
                                     {"packages", count(lock.packages)},
                                     {"production", count(lock.production)}});
  }
  const auto unread = [](const std::vector<findings::SkippedLock>& files) {
    Value::Array out;
    for (const findings::SkippedLock& file : files) {
      out.emplace_back(Value::Object{{"path", utf8(file.path)}, {"why", utf8(file.why)}});
    }
    return out;
  };
  return Value::Object{{"path", utf8(repo.path)},
                       {"head", repo.head.empty() ? Value() : Value(utf8(repo.head))},
                       {"locks", std::move(locks)},
                       {"skipped", unread(repo.skipped)},
                       {"unreadable", unread(repo.unreadable)}};
}

Value suppression_of(const findings::Suppression& suppression) {
  Value::Object out{{"id", utf8(suppression.id)}, {"reason", utf8(suppression.reason)}};
  add_text(out, "justification", suppression.justification);
  add_text(out, "owner", suppression.owner);
  add_text(out, "expires", suppression.expires);
  add_text(out, "file", suppression.file);
  out.emplace_back("expired", suppression.expired);
  return out;
}

/// What a finding need not have.
void add_optional(Value::Object& out, const findings::Finding& finding) {
  add_text(out, "alias", finding.alias);
  if (finding.severity.tenths) out.emplace_back("score", *finding.severity.tenths / 10.0);
  add_text(out, "vector", finding.severity.vector);
  add_text(out, "summary", finding.summary);
  add_text(out, "modified", finding.modified);
  if (!finding.cwes.empty()) out.emplace_back("cwes", texts(finding.cwes));
  if (!finding.references.empty()) out.emplace_back("references", texts(finding.references));
  add_text(out, "affected", finding.affected);
  add_text(out, "origin", provenance::describe(finding.provenance));
  add_text(out, "target", finding.outlook.target);
  add_text(out, "reason", finding.outlook.reason);
  if (finding.suppression) out.emplace_back("suppression", suppression_of(*finding.suppression));
}

void add_members(Value::Object& out, const findings::Finding& finding) {
  out.emplace_back("advisory", utf8(finding.advisory));
  out.emplace_back("aliases", texts(finding.aliases));
  out.emplace_back("package", utf8(finding.package));
  out.emplace_back("version", utf8(finding.version));
  out.emplace_back("lockfile", utf8(finding.lockfile));
  out.emplace_back("location", utf8(finding.location));
  out.emplace_back("line", count(finding.at.line));
  out.emplace_back("direct", finding.direct);
  out.emplace_back("dev", finding.dev);
  out.emplace_back("optional", finding.optional);
  out.emplace_back("malware", finding.malware);
  out.emplace_back("severity", advisory::name(finding.severity.level));
  out.emplace_back("fixed_in", texts(finding.fixed_in));
  out.emplace_back("provenance", provenance::kind_name(finding.provenance));
  out.emplace_back("via", texts(finding.via));
  out.emplace_back("plan", findings::name(finding.outlook.strategy));
  add_optional(out, finding);
}

Value list(const std::vector<findings::Finding>& findings) {
  Value::Array out;
  out.reserve(findings.size());
  for (const findings::Finding& finding : findings) {
    Value::Object object;
    add_members(object, finding);
    out.emplace_back(std::move(object));
  }
  return out;
}

}  // namespace

Value json(const findings::Scan& scan) {
  Value::Object out{{"schema", "codegenie/scan/v1"},
                    {"index", index_of(scan.index)},
                    {"repo", repo_of(scan.repo)},
                    {"findings", list(scan.findings)},
                    {"suppressed", list(scan.suppressed)}};
  if (!scan.warnings.empty()) out.emplace_back("warnings", texts(scan.warnings));
  return out;
}

std::string jsonl(const findings::Scan& scan) {
  std::string out;
  for (const findings::Finding& finding : scan.findings) {
    Value::Object line{{"schema", "codegenie/scan-finding/v1"}};
    add_members(line, finding);
    out += json::write_json(std::move(line)) + "\n";
  }
  return out;
}

}  // namespace cg::formats
