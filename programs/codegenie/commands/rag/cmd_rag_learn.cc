// codegenie rag learn
#include <memory>
#include <utility>

#include "commands.h"
#include "flow/remediate/remediate.h"
#include "flow/repository/enclosing.h"
#include "text/gate_display.h"
#include "text/taught_text.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_rag_learn(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(job::Request request, job::read_request(invocation));
  request.extent = job::Extent::lesson;
  request.lesson = invocation.value("from-branch").value_or("");
  if (request.lesson.empty()) {
    return fail(bad_value("--from-branch names the branch or commit with the fix",
                          "codegenie rag learn --help"));
  }
  const std::string named = std::exchange(request.repo, repository::repository_of(request.repo));
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  GateDisplay display(invocation, session);
  CG_TRY_ASSIGN(
      remediate::Remediation done,
      remediate::remediate(request, {session.environment, settings, session.tools, session.machine},
                           display));
  Report report;
  report.exit = static_cast<ExitCode>(done.outcome.exit);
  report.warnings = done.refusals;
  report.warnings.insert(report.warnings.end(), done.warnings.begin(), done.warnings.end());
  if (named != request.repo) {
    report.warnings.insert(report.warnings.begin(), repository::taken_instead(named, request.repo));
  }
  // Shared, since a proof that a fix passed is not to be copied, and functions are.
  report.render = [done = std::make_shared<const remediate::Remediation>(std::move(done))](
                      cli::Format format, const cli::Style& style) {
    return format == cli::Format::table ? taught_text(*done, style)
                                        : json_text(taught_json(*done), format);
  };
  return report;
}

}  // namespace

Entry rag_learn_command() {
  return {
      {.path = {"rag", "learn"},
       .summary = "Remember a person's own fix, once it has passed the gates",
       .about =
           {"For a copy that was handed on and that somebody fixed by hand: the fix is proven like "
            "any other, and what it does to call sites becomes a solved example. No branch is made "
            "and the repository is not touched.",
            "Of the commit two things count: the version that its lockfile moves the package to, "
            "and the sources that it rewrites. Manifest and lockfile are made from that version, "
            "and tests and configuration stay as they are at the base, so that what is remembered "
            "is what was proven.",
            "The commit has to be signed with an SSH key that policy/allowed_signers lets sign in "
            "the namespace git: `git commit -S` where gpg.format is ssh. It is compared with its "
            "parent; --base names the commit before the first of several."},
       .arguments = {{.name = "REPO_DIR",
                      .help = "the repository",
                      .presence = cli::Presence::optional}},
       .flags = {{.name = "from-branch",
                  .value_name = "REF",
                  .help = "branch, tag or commit with the fix"},
                 {.name = "cve", .value_name = "ID", .help = "that it fixes", .repeatable = true},
                 {.name = "advisory",
                  .value_name = "ID",
                  .help = "the same as --cve",
                  .repeatable = true},
                 {.name = "base",
                  .value_name = "REF",
                  .help = "what it is compared with; the commit's parent by default"},
                 {.name = "registry",
                  .value_name = "URL",
                  .help = "ask this registry instead of npm's"},
                 {.name = "fresh",
                  .help = "run every step again, also those that an earlier run has seen"},
                 {.name = "isolation",
                  .value_name = "CLASS",
                  .choices = {"userns", "microvm"},
                  .help = "where the repository's own steps run: a jail (default), or a machine"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::not_applicable, ExitCode::integrity,
                 ExitCode::not_fixed, ExitCode::guard, ExitCode::needs_human, ExitCode::busy,
                 ExitCode::stale_data, ExitCode::unavailable},
       .examples = {{"codegenie rag learn . --cve CVE-2021-44906 --from-branch fix/minimist",
                     "what somebody did by hand"}}},
      run_rag_learn,
      Sealing::sealed,
      {Reach::plugins, Reach::npm_settings, Reach::repository, Reach::package_managers}};
}

}  // namespace cg::program
