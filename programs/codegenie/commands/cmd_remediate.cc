// codegenie remediate
#include <memory>
#include <utility>

#include "commands.h"
#include "flow/remediate/remediate.h"
#include "flow/repository/enclosing.h"
#include "text/gate_display.h"
#include "text/remediate_text.h"

namespace cg::program {

namespace {

using cli::Format;

Result<Report, Problem> run_remediate(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(job::Request request, job::read_request(invocation));
  const std::string named = std::exchange(request.repo, repository::repository_of(request.repo));
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  GateDisplay display(invocation, session);
  CG_TRY_ASSIGN(
      remediate::Remediation done,
      remediate::remediate(request, {session.environment, settings, session.tools, session.machine},
                           display));
  Report report;
  report.exit = static_cast<ExitCode>(done.outcome.exit);
  report.warnings = done.warnings;
  if (named != request.repo) {
    report.warnings.insert(report.warnings.begin(), repository::taken_instead(named, request.repo));
  }
  if (request.extent == job::Extent::preview && !done.outcome.branches.empty()) {
    std::string again = "codegenie remediate " + request.repo;
    for (const std::string& id : request.advisories) again += " --cve " + id;
    if (request.advisories.empty()) again += " --all";
    if (!request.diff) report.hints.push_back(again + " --dry-run --diff    (the edits)");
    report.hints.push_back(again);
  }
  // Shared, since a proof that a fix passed is not to be copied, and functions are.
  report.render = [done = std::make_shared<const remediate::Remediation>(std::move(done)),
                   request = std::move(request)](Format format, const cli::Style& style) {
    if (format == Format::json || format == Format::jsonl)
      return json_text(remediation_json(*done), format);
    return remediation_text(*done, request, style);
  };
  return report;
}

std::vector<cli::Flag> flags() {
  return {
      {.name = "cve", .value_name = "ID", .help = "fix this advisory", .repeatable = true},
      {.name = "advisory", .value_name = "ID", .help = "the same as --cve", .repeatable = true},
      {.name = "all", .help = "fix everything that can be fixed"},
      {.name = "job", .value_name = "FILE", .help = "take repository and flags from a job file"},
      {.name = "dry-run", .help = "say what would be done; write no file and no branch"},
      {.name = "diff", .help = "with --dry-run: print the edits too"},
      {.name = "plan-only", .help = "stop before branches; the outcome is `planned`"},
      {.name = "worktree",
       .value_name = "DIR",
       .help = "with --plan-only: write the edited files here",
       .touch = cli::Touch::writes_folder},
      {.name = "max-tier",
       .value_name = "TIER",
       .choices = {"recipe", "rag", "llm"},
       .help = "how far to go for a fix; policy can only make it less"},
      {.name = "budget-tokens",
       .value_name = "N",
       .help = "what a model may read and write in all; policy can only make it less"},
      {.name = "budget-usd", .value_name = "USD", .help = "what it may cost; likewise"},
      {.name = "allow-overrun", .help = "spend more than policy allows, with --operator-ack"},
      {.name = "operator-ack",
       .value_name = "FILE",
       .help = "a permission to spend more, signed (FILE.sig) by an allowed signer",
       .touch = cli::Touch::reads_signed},
      {.name = "cassette",
       .value_name = "FILE",
       .help = "take a model's answers from this file, where they were recorded",
       .touch = cli::Touch::reads_tape},
      {.name = "unsafe-record",
       .help = "record them into it instead; never in CI, since prompts hold source code"},
      {.name = "strategy",
       .value_name = "WHICH",
       .choices = {"lowest", "highest"},
       .help = "which safe version to choose; lowest by default"},
      {.name = "group",
       .value_name = "HOW",
       .choices = {"safe", "each", "one"},
       .help = "one branch for all that stays inside ranges and one for each other fix "
               "(safe, default), a branch per fix (each), or one for all"},
      {.name = "unproven",
       .value_name = "WHAT",
       .choices = {"drop", "keep"},
       .help = "where the repository cannot be run as it is: nothing (drop, default), or a "
               "branch under PREFIX-unproven/ that nothing was shown of (keep)"},
      {.name = "prod", .help = "leave out what only development needs"},
      {.name = "base",
       .value_name = "REF",
       .help = "branch, tag or commit to start from; HEAD by default"},
      {.name = "branch-prefix", .value_name = "PREFIX/", .help = "codegenie/ by default"},
      {.name = "sign",
       .value_name = "ssh:KEYFILE",
       .help = "sign commits and evidence",
       .touch = cli::Touch::reads_key},
      {.name = "sbom",
       .value_name = "FILE",
       .help = "an SBOM of the image: what comes from there is refused, not fixed"},
      {.name = "registry", .value_name = "URL", .help = "ask this registry instead of npm's"},
      {.name = "attempts",
       .value_name = "N",
       .help = "try at most N ways to fix what the gates turn down; 3 by default"},
      {.name = "jobs",
       .value_name = "N",
       .help = "prove at most N fixes at once; as many as processors and memory allow by "
               "default"},
      {.name = "time-limit",
       .value_name = "TIME",
       .help = "begin no proof after that long, such as 20m; what was done is kept"},
      {.name = "fresh",
       .help = "run every step again, also those that an earlier run has seen on the same "
               "files"},
      {.name = "isolation",
       .value_name = "CLASS",
       .choices = {"userns", "microvm"},
       .help = "where the repository's own steps run: a jail (default), or a machine"},
      {.name = "unsafe-no-sandbox",
       .help = "run them on this host as it is; what ran so can never pass"}};
}

}  // namespace

Entry remediate_command() {
  return {
      {.path = {"remediate"},
       .group = cli::Group::everyday,
       .summary = "Fix advisories on local branches, with evidence",
       .about =
           {"Plans a fix for every vulnerable copy, the least change first: another version within "
            "every dependent's range, a new range in the manifest, a newer dependent, a scoped "
            "override that says why. What cannot be fixed is named with what stands in its way.",
            "Package metadata comes from the registry that npm is configured with.",
            "Before a branch is made, the repository's own install, build, tests and type check "
            "run "
            "in a sandbox without network, at the base and with the fix: what passed must still "
            "pass, no advisory may be new, and nothing new may be executed or connected to. What "
            "fails is tried in another way, three times at most.",
            "The result is one local branch per fix, made from the base commit: your checkout, "
            "index "
            "and stash are not touched, and nothing is pushed. --dry-run says what would be done "
            "and "
            "writes nothing, --diff shows the edits as well; --plan-only --worktree DIR writes the "
            "edited files into a folder.",
            "A fix that was judged by an exit code alone, or in a repository without tests, is "
            "called "
            "weak, not proven. Where the repository cannot be run as it is, nothing can be shown: "
            "the outcome is unproven, the cause is told first, and the exit code is 5. --unproven "
            "keep then writes what is planned to branches of a name of their own, for those whose "
            "other checks are the proof; they count nowhere as fixed.",
            "A second run on the same base finds the branches of the first."},
       .arguments = {{.name = "REPO_DIR",
                      .help = "the repository",
                      .presence = cli::Presence::optional}},
       .flags = flags(),
       .formats = {Format::table, Format::json, Format::jsonl},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::not_applicable, ExitCode::integrity,
                 ExitCode::not_fixed, ExitCode::guard, ExitCode::needs_human, ExitCode::busy,
                 ExitCode::stale_data, ExitCode::unavailable},
       .examples = {{"codegenie remediate . --cve CVE-2021-44906", "one advisory"},
                    {"codegenie remediate . --all --dry-run", "what would be done"},
                    {"codegenie remediate . --all --dry-run --diff", "to the byte"},
                    {"codegenie remediate shop --all --group one", "everything on one branch"},
                    {"codegenie remediate shop --all --plan-only --worktree out",
                     "files instead of branches"}}},
      run_remediate,
      Sealing::sealed,
      {Reach::plugins, Reach::npm_settings, Reach::repository, Reach::package_managers}};
}

}  // namespace cg::program
