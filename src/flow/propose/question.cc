#include "flow/propose/question.h"

#include <algorithm>

#include "flow/scan/index.h"
#include "npm/semver/version.h"
#include "prove/gate/attempts.h"
#include "vuln/advisory/osv.h"

namespace cg::propose {

namespace {

constexpr std::size_t kMaxChoices = 50;

void join(std::string& out, const std::string& line) {
  if (line.empty()) return;
  if (!out.empty()) out += "\n";
  out += line;
}

/// Why the last attempt came to nothing, in words.
std::string summary_of(const gate::AttemptSummary& failed) {
  if (!failed.told.empty()) return failed.told;
  std::string out = "Turned down by:";
  for (const std::string& gate : failed.failing) out += " " + gate;
  for (const std::string& test : failed.failing_tests) join(out, "fails now: " + test);
  for (const std::string& tried : failed.tried) join(out, "had tried: " + tried);
  return out;
}

}  // namespace

std::vector<std::string> choices_for(Situation& situation, const HandedOn& group) {
  const registry::Packument* packument = situation.catalog->get(group.package);
  if (packument == nullptr) return {};
  std::vector<semver::Version> installed;
  for (const std::string& text : group.versions) {
    if (auto version = semver::Version::parse(text, {.loose = true})) {
      installed.push_back(*std::move(version));
    }
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < packument->size() && out.size() < kMaxChoices; ++i) {
    const semver::Version& version = packument->version(i);
    const bool newer = std::all_of(installed.begin(), installed.end(),
                                   [&](const semver::Version& old) { return old < version; });
    if (!newer || version.has_prerelease() || packument->deprecated(i)) continue;
    if (!situation.book.affected(group.package, version)) out.push_back(version.str());
  }
  return out;
}

Result<std::vector<advisory::Advisory>, Problem> advisories_of(const Situation& situation,
                                                               const HandedOn& group) {
  std::vector<advisory::Advisory> out;
  for (const std::string& id : group.advisories) {
    auto records = situation.base.index->records(id);
    if (!records) return fail(scan::problem_of(records.error()));
    for (const vulnindex::Record& record : *records) {
      auto parsed = advisory::parse_osv(record.text);
      auto* one = parsed ? std::get_if<advisory::Advisory>(&*parsed) : nullptr;
      if (one != nullptr) out.push_back(std::move(*one));
    }
  }
  return out;
}

Result<tiers::Question, Problem> question_for(Situation& situation, const Group& asked) {
  const HandedOn& group = *asked.handed_on;
  tiers::Question out;
  out.group = asked.id;
  out.task.advisory = group.advisories.front();
  out.task.package = group.package;
  for (const std::string& version : group.versions) {
    out.task.installed += (out.task.installed.empty() ? "" : ", ") + version;
  }
  out.task.manifest = group.manifest;
  out.task.brings = group.vulnerable;
  // Which versions of a package free what it brings in, only a plan can tell: the target does.
  if (group.vulnerable.empty()) out.task.published = choices_for(situation, group);
  if (!out.task.published.empty()) out.task.target = out.task.published.front();
  std::string description;
  CG_TRY_ASSIGN(const std::vector<advisory::Advisory> advisories, advisories_of(situation, group));
  for (const advisory::Advisory& advisory : advisories) {
    join(description, advisory.id + ": " + advisory.summary);
    join(description, advisory.details);
  }
  out.texts.push_back({SourceKind::cve_description, std::move(description), ""});
  return out;
}

std::vector<tiers::Text> failure_texts(const std::vector<gate::AttemptSummary>& history,
                                       const std::string& diff) {
  std::vector<tiers::Text> out;
  if (history.empty()) return out;
  out.push_back({SourceKind::prior_attempt_summary, summary_of(history.back()), ""});
  const auto judged =
      std::find_if(history.rbegin(), history.rend(),
                   [](const gate::AttemptSummary& attempt) { return !attempt.errors.empty(); });
  if (judged != history.rend()) {
    out.push_back({SourceKind::sandbox_stderr, judged->errors, ""});
  }
  if (!diff.empty()) out.push_back({SourceKind::prior_diff, diff, ""});
  return out;
}

}  // namespace cg::propose
