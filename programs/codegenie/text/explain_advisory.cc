#include "text/explain_advisory.h"

#include "access.h"
#include "base/base/text.h"
#include "flow/repository/enclosing.h"
#include "flow/scan/index.h"
#include "flow/scan/scan.h"
#include "text/scan_text.h"
#include "trust/hash/sha256.h"
#include "vuln/formats/formats.h"

namespace cg::program {

namespace {

using findings::Finding;

constexpr std::size_t kShortDigest = 12;

struct Explained {
  advisory::Brief brief;
  std::vector<vulnindex::Record> records;
  findings::Scan scan;
};

std::string heading(const Explained& explained, const cli::Style& style) {
  const advisory::Brief& brief = explained.brief;
  std::string out = style.paint(cli::Role::heading, printable(brief.id));
  std::string aliases;
  for (const std::string& alias : brief.aliases) {
    aliases += (aliases.empty() ? "" : ", ") + printable(alias);
  }
  if (!aliases.empty()) out += " (" + aliases + ")";
  const std::string level = brief.malware ? "malware" : std::string(name(brief.severity.level));
  out += style.words(" · ") + style.paint(role_of(brief.severity.level), level);
  if (brief.severity.tenths) {
    out += " " + std::to_string(*brief.severity.tenths / 10) + "." +
           std::to_string(*brief.severity.tenths % 10);
  }
  if (brief.exploited)
    out += style.words(" · ") + style.paint(cli::Role::error, "exploited in the wild");
  return out + "\n" + printable(brief.summary) + "\n";
}

std::string chain(const Finding& finding) {
  std::string out = "this repository";
  for (const std::string& step : finding.via) out += " > " + printable(step);
  return out + " > " + printable(finding.alias.empty() ? finding.package : finding.alias);
}

std::string fix_text(const Finding& finding) {
  if (finding.fixed_in.empty()) return "none is known";
  std::string all;
  for (const std::string& fix : finding.fixed_in) all += (all.empty() ? "" : ", ") + printable(fix);
  return "fixed in " + all;
}

std::string finding_text(const Finding& finding, const Explained& explained,
                         const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  rows.push_back({{"Where"},
                  {finding.package + " " + finding.version + "  " + finding.lockfile + ":" +
                   std::to_string(finding.at.line) + "  " + finding.location}});
  rows.push_back({{""}, {chain(finding)}});
  rows.push_back({{"Source"},
                  {std::string(provenance::kind_name(finding.provenance)) + ": " +
                   provenance::describe(finding.provenance)}});
  std::string why = finding.version + " is in " + finding.affected;
  if (!explained.records.empty()) {
    const vulnindex::Record& record = explained.records.front();
    why += "   record of " + explained.brief.modified.substr(0, 10) + ", sha256 " +
           to_hex(hash::sha256(as_bytes(record.text))).substr(0, kShortDigest);
  }
  rows.push_back({{"Why"}, {why}});
  rows.push_back({{"Fix"}, {fix_text(finding)}});
  rows.push_back({{"Plan"}, {plan_text(finding.outlook)}});
  if (!finding.outlook.reason.empty() && finding.outlook.strategy != findings::Strategy::none) {
    rows.push_back({{"Because"}, {finding.outlook.reason}});
  }
  if (finding.suppression) {
    rows.push_back({{"Ignored"},
                    {std::string(finding.suppression->expired ? "expired " : "until ") +
                     finding.suppression->expires + ": " + finding.suppression->reason +
                     ", owner " + finding.suppression->owner}});
  }
  return "\n" + cli::layout({{}, {}}, rows, style);
}

std::string explained_text(const Explained& explained, const cli::Style& style) {
  std::string out = heading(explained, style);
  for (const auto* list : {&explained.scan.findings, &explained.scan.suppressed}) {
    for (const Finding& finding : *list) out += finding_text(finding, explained, style);
  }
  if (explained.scan.findings.empty() && explained.scan.suppressed.empty()) {
    out += "\nNot affected: no installed copy lies in a range of this advisory\n";
  }
  return out;
}

json::Value explained_json(const Explained& explained) {
  const json::Value scan = formats::json(explained.scan);
  json::Value::Array aliases;
  for (const std::string& alias : explained.brief.aliases) aliases.emplace_back(alias);
  return json::Value::Object{
      {"schema", "codegenie/explain-advisory/v1"},
      {"advisory", explained.brief.id},
      {"aliases", std::move(aliases)},
      {"severity", name(explained.brief.severity.level)},
      {"malware", explained.brief.malware},
      {"exploited", explained.brief.exploited},
      {"summary", explained.brief.summary},
      {"affected", !explained.scan.findings.empty() || !explained.scan.suppressed.empty()},
      {"findings", *scan.find("findings")},
      {"suppressed", *scan.find("suppressed")}};
}

}  // namespace

Result<Report, Problem> explain_advisory(const std::string& id, const std::string& named,
                                         Session& session) {
  const std::string repo_path = repository::repository_of(named);
  const Time now = os::SystemClock().now();
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const os::Dir repo, scan::open_repository(repo_path));
  CG_TRY_ASSIGN(const workspace::Policy policy, scan::policy_for(access.workspace, repo));
  CG_TRY_ASSIGN(vulnindex::Index index, scan::open_fresh_index(access, policy, now));
  CG_TRY_ASSIGN(const std::string group, scan::find_group(index, id));
  scan::Request request;
  request.repo = repo_path;
  request.now = now;
  request.selection.advisories = {group};
  CG_TRY_ASSIGN(scan::Scanned scanned,
                scan::scan_repository(repo, access.workspace, policy, index, request));
  auto brief = index.brief(group);
  auto records = index.records(group);
  if (!brief) return fail(scan::problem_of(brief.error()));
  if (!records) return fail(scan::problem_of(records.error()));
  Explained explained{brief->value_or(advisory::Brief{}), *std::move(records),
                      std::move(scanned.scan)};
  const bool affected = !explained.scan.findings.empty() || !explained.scan.suppressed.empty();
  json::Value json = explained_json(explained);
  Report report = json_report(
      std::move(json),
      [explained](const cli::Style& style) { return explained_text(explained, style); },
      affected ? ExitCode::ok : ExitCode::not_applicable);
  if (named != repo_path) report.warnings.push_back(repository::taken_instead(named, repo_path));
  const auto& problem = scanned.incomplete ? scanned.incomplete : scanned.skipped;
  if (problem) {
    report.exit = problem->exit();
    report.problem = problem;
  }
  return report;
}

}  // namespace cg::program
