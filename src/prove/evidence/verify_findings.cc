#include <map>
#include <set>

#include "base/base/text.h"
#include "base/json/json.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/verify_parts.h"

namespace cg::evidence {

namespace {

using json::Value;

const std::string kScanBefore = "scan/before.json";
const std::string kScanAfter = "scan/after.json";

/// How many copies are under an advisory, by where they come from.
using ByOrigin = std::map<std::pair<std::string, std::string>, std::uint64_t>;

/// What is read of a scan.
struct ScanFacts {
  std::string head;
  std::string index;
  std::uint64_t findings = 0;
  ByOrigin by_origin;
};

std::optional<ScanFacts> read_scan(const Files& files, const std::string& path, BundleReport& out) {
  const auto found = files.find(path);
  json::Limits limits;
  limits.max_bytes = report::kMaxCaseBytes;
  limits.max_nodes = 8'000'000;
  limits.max_depth = 16;
  const auto parsed = found == files.end() ? Result<Value, json::ParseError>(Value())
                                           : json::parse_json(found->second, limits);
  const Value* list = parsed ? parsed->find("findings") : nullptr;
  const Value* repo = parsed ? parsed->find("repo") : nullptr;
  const Value* index = parsed ? parsed->find("index") : nullptr;
  if (list == nullptr || !list->is_array() || repo == nullptr || index == nullptr) {
    out.breaks.push_back({path, "is not a scan"});
    return std::nullopt;
  }
  ScanFacts facts{repo->text("head"), index->text("digest"), list->as_array()->size(), {}};
  for (const Value& one : *list->as_array()) {
    ++facts.by_origin[{cut(one.text("advisory"), 64), one.text("provenance")}];
  }
  return facts;
}

}  // namespace

void judge_findings(const Files& files, const report::Case& c, const Tale& tale,
                    BundleReport& out) {
  const auto before = read_scan(files, kScanBefore, out);
  const auto after = read_scan(files, kScanAfter, out);
  if (!before || !after) return;
  const std::size_t breaks = out.breaks.size();
  const auto wrong = [&](const std::string& file, const char* what) {
    out.breaks.push_back({file, what});
  };
  ByOrigin told;
  for (const record::ProvenanceClassified& row : tale.provenance) {
    told[{row.advisory, row.kind}] += row.count;
  }
  if (told != before->by_origin) {
    wrong(kScanBefore, "has other findings, or of other provenance, than the events");
  }
  std::set<std::string> advisories;
  for (const auto& [origin, count] : told) advisories.insert(origin.first);
  std::set<std::string> named;
  for (const report::Advisory& advisory : c.advisories) named.insert(cut(advisory.id, 64));
  if (advisories != named) wrong(std::string(kCase), "names other advisories than the events");
  if (before->findings != c.findings.before || after->findings != c.findings.after) {
    wrong(std::string(kCase), "counts other findings than the scans");
  }
  // What is scanned after the fix are files that no commit has yet.
  if (before->head != c.base) wrong(kScanBefore, "is of another commit than the case");
  if (before->index != c.index.digest || after->index != c.index.digest) {
    wrong(std::string(kCase), "names another advisory index than the scans");
  }
  if (out.breaks.size() != breaks) return;
  out.checked.push_back(counted(c.findings.before, "finding", "findings") + " before, " +
                        grouped(c.findings.after) + " after: as the scans and events have them");
}

}  // namespace cg::evidence
