// codegenie scan
#include <utility>

#include "base/base/text.h"
#include "base/json/json.h"
#include "commands.h"
#include "flow/repository/enclosing.h"
#include "flow/scan/index.h"
#include "flow/scan/scan.h"
#include "text/audit_text.h"
#include "text/scan_text.h"
#include "vuln/formats/formats.h"

namespace cg::program {

namespace {

using cli::Format;

constexpr std::size_t kMaxBaselineBytes = 256U << 20U;

std::string render(const findings::Scan& scan, Suppressed suppressed, Format format,
                   const cli::Style& style) {
  switch (format) {
    case Format::table:
      return scan_text(scan, suppressed, style);
    case Format::json:
      return json::write_json_pretty(formats::json(scan));
    case Format::jsonl:
      return formats::jsonl(scan);
    case Format::markdown:
      return formats::markdown(scan);
    case Format::sarif:
      return json::write_json_pretty(formats::sarif(scan));
    case Format::cyclonedx:
      return json::write_json_pretty(formats::cyclonedx(scan));
    case Format::openvex:
      return json::write_json_pretty(formats::openvex(scan));
    case Format::gh_annotations:
      return formats::gh_annotations(scan);
    case Format::html:
    case Format::pr_body:
    case Format::commit_message:
      break;  // not among the formats of this command
  }
  return {};
}

/// The level from which on a finding fails the run: the flag's, or the policy's where
/// that is stricter. Without a flag nothing fails, except high ones where CI is set.
std::optional<advisory::Level> fail_level(const cli::Invocation& invocation, const Session& session,
                                          const workspace::Policy& policy) {
  const bool ci = !cli::variable(session.environment, "CI").empty();
  const std::string word = invocation.value("fail-on").value_or(ci ? "high" : "none");
  std::optional<advisory::Level> level;
  if (word != "none") level = advisory::parse_level(word);
  if (!policy.fail_on) return level;
  return level ? std::min(*level, *policy.fail_on) : policy.fail_on;
}

bool wants(const cli::Invocation& invocation, Format format) {
  return invocation.format == format ||
         std::any_of(invocation.outputs.begin(), invocation.outputs.end(),
                     [&](const cli::Output& output) { return output.format == format; });
}

scan::Request request_of(const cli::Invocation& invocation, Time now) {
  scan::Request request;
  request.repo = invocation.argument(0).value_or(".");
  request.now = now;
  request.selection.advisories = invocation.values("advisory");
  request.selection.package = invocation.value("package").value_or("");
  request.selection.production_only = invocation.has("prod");
  request.selection.fixable_only = invocation.has("fixable");
  request.order = *findings::parse_order(invocation.value("sort").value_or("risk"));
  request.sbom = invocation.value("sbom").value_or("");
  request.components = wants(invocation, Format::cyclonedx);
  return request;
}

Result<std::size_t, Problem> use_baseline(const std::string& file, findings::Scan& scan) {
  CG_TRY_ASSIGN(const std::string text, read_user_file(file, kMaxBaselineBytes));
  const auto baseline = findings::read_baseline(text);
  if (!baseline) {
    return fail(Problem{ErrorCode::repo_baseline,
                        baseline.error(),
                        {{"file", file}},
                        "nothing was compared",
                        {"codegenie scan --format json > baseline.json"}});
  }
  return findings::drop_known(scan, *baseline);
}

/// Why the result does not tell all there is.
std::optional<Problem> problem_of(const scan::Scanned& scanned) {
  return scanned.incomplete ? scanned.incomplete : scanned.skipped;
}

ExitCode exit_of(const scan::Scanned& scanned, std::optional<advisory::Level> level) {
  const auto& findings = scanned.scan.findings;
  const bool failed =
      level && std::any_of(findings.begin(), findings.end(), [&](const auto& finding) {
        return findings::is_at_least(finding, *level);
      });
  if (const auto problem = problem_of(scanned)) return problem->exit();
  return failed ? ExitCode::findings : ExitCode::ok;
}

/// In a workspace that was just made there is none yet: what was made is told with it.
Result<vulnindex::Index, Problem> open_index(const Access& access, const workspace::Policy& policy,
                                             Time now, const std::string& made) {
  auto index = scan::open_fresh_index(access, policy, now);
  if (index || made.empty()) return index;
  Problem problem = std::move(index).error();
  problem.where = {{"made", "the workspace " + made}};
  problem.effect = "nothing was scanned (exit 9)";
  return fail(std::move(problem));
}

Result<Report, Problem> run_scan(const cli::Invocation& invocation, Session& session) {
  const Time now = os::SystemClock().now();
  scan::Request request = request_of(invocation, now);
  const std::string named = std::exchange(request.repo, repository::repository_of(request.repo));
  CG_TRY_ASSIGN(const os::Dir repo, scan::open_repository(request.repo));
  std::string made;
  CG_TRY_ASSIGN(const Access access, open_first_workspace(session, made));
  CG_TRY_ASSIGN(const workspace::Policy policy, scan::policy_for(access.workspace, repo));
  CG_TRY_ASSIGN(vulnindex::Index index, open_index(access, policy, now, made));
  CG_TRY_ASSIGN(scan::Scanned scanned,
                scan::scan_repository(repo, access.workspace, policy, index, request));
  Report report;
  if (const auto file = invocation.value("baseline")) {
    CG_TRY_ASSIGN(scanned.scan.known, use_baseline(*file, scanned.scan));
    report.hints.push_back(counted(scanned.scan.known, "finding is", "findings are") +
                           " in the baseline and not shown");
  }
  report.exit = exit_of(scanned, fail_level(invocation, session, policy));
  report.problem = problem_of(scanned);
  if (named != request.repo) {
    scanned.scan.warnings.insert(scanned.scan.warnings.begin(),
                                 repository::taken_instead(named, request.repo));
  }
  report.warnings = scanned.scan.warnings;
  if (!scanned.scan.findings.empty() && !scanned.incomplete) {
    report.hints.push_back("codegenie explain " + public_id(scanned.scan.findings.front()) +
                           " --repo " + request.repo);
  }
  const Suppressed suppressed =
      invocation.has("show-suppressed") ? Suppressed::listed : Suppressed::counted;
  report.render = [scan = std::move(scanned.scan), suppressed](Format format,
                                                               const cli::Style& style) {
    return render(scan, suppressed, format, style);
  };
  return report;
}

}  // namespace

Entry scan_command() {
  return {
      {.path = {"scan"},
       .group = cli::Group::everyday,
       .summary = "List vulnerable packages and what could be done about each",
       .about =
           {"Reads every lockfile of the repository (npm, yarn, pnpm) and lists each installed "
            "copy "
            "that an advisory of the index speaks of. Nothing of the repository is run, nothing in "
            "it is written, and the network is not used. Who never had a workspace gets the "
            "default one.",
            "The plan is what the lockfile and the advisory allow to say; whether the version "
            "exists, and what it brings along, is checked by `remediate`.",
            "Ignores are read from policy/ignore.yaml of the workspace, and from "
            ".codegenie/ignore.yaml of the repository if policy allows it."},
       .arguments = {{.name = "REPO_DIR",
                      .help = "the repository; the current folder if none is given",
                      .presence = cli::Presence::optional}},
       .flags = {{.name = "fail-on",
                  .value_name = "LEVEL",
                  .choices = {"none", "low", "moderate", "high", "critical"},
                  .help = "exit 1 from this level on; none by default, high if CI is set"},
                 {.name = "advisory",
                  .value_name = "ID",
                  .help = "only this advisory",
                  .repeatable = true},
                 {.name = "package", .value_name = "NAME", .help = "only this package"},
                 {.name = "prod", .help = "leave out what only development needs"},
                 {.name = "fixable", .help = "only what codegenie sees a way to fix"},
                 {.name = "show-suppressed", .help = "list what ignores hide, and why"},
                 {.name = "baseline",
                  .value_name = "FILE",
                  .help = "only what is not in this earlier JSON output"},
                 {.name = "sbom",
                  .value_name = "FILE",
                  .help = "also look into an image: CycloneDX, SPDX or syft JSON"},
                 {.name = "sort",
                  .value_name = "ORDER",
                  .choices = {"risk", "severity", "depth"},
                  .help = "risk by default"}},
       .formats = {Format::table, Format::json, Format::jsonl, Format::markdown, Format::sarif,
                   Format::cyclonedx, Format::openvex, Format::gh_annotations},
       .exits = {ExitCode::ok, ExitCode::findings, ExitCode::usage, ExitCode::integrity,
                 ExitCode::guard, ExitCode::needs_human, ExitCode::stale_data},
       .examples = {{"codegenie scan", "the repository in this folder"},
                    {"codegenie scan shop --prod --fail-on high -o sarif=scan.sarif",
                     "in a pipeline: a table in the log, SARIF in a file"},
                    {"codegenie scan --baseline before.json", "only what is new"}}},
      run_scan,
      Sealing::sealed,
      {Reach::first_workspace}};
}

}  // namespace cg::program
