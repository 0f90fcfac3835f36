// codegenie prompt show
#include <algorithm>
#include <utility>

#include "access.h"
#include "base/base/text.h"
#include "commands.h"
#include "flow/history/workflows.h"
#include "flow/propose/sources.h"
#include "flow/remediate/remediate.h"
#include "flow/repository/enclosing.h"
#include "text/gate_display.h"
#include "text/prompt_text.h"

namespace cg::program {

namespace {

using cli::Format;

constexpr const char* kHelp = "codegenie prompt show --help";

Result<job::Showing, Problem> read_showing(const cli::Invocation& invocation) {
  job::Showing out;
  out.gates = !invocation.has("no-gates");
  out.package = invocation.value("package").value_or("");
  if (const auto word = invocation.value("attempt")) {
    const auto number = parse_u64(*word);
    if (!number || *number < 1 || *number > gate::kMaxAttempts) {
      return fail(bad_value("an attempt is a number from 1 to 3", kHelp));
    }
    out.attempt = static_cast<unsigned>(*number);
  }
  if (const auto word = invocation.value("part")) {
    const auto number = parse_u64(*word);
    if (!number || *number < 1 || *number > propose::kMaxParts) {
      return fail(bad_value("a part is a number from 1 to 8", kHelp));
    }
    out.part = *number;
  }
  return out;
}

/// Why there is nothing to show, as far as it is known.
Problem nothing_asked(const remediate::Remediation& done) {
  const auto exit = static_cast<ExitCode>(done.outcome.exit);
  Problem out{
      exit == ExitCode::not_applicable ? ErrorCode::model_no_question : ErrorCode::model_not_asked,
      "no model would be asked",
      {},
      "nothing was sent",
      {"codegenie remediate " + printable(done.outcome.repo) + " --dry-run --all"}};
  for (const std::string& why : done.refusals) out.where.emplace_back("refused", printable(why));
  for (const remediate::Shown& one : done.shown) {
    out.where.emplace_back(printable(one.about.package), printable(one.why));
  }
  if (out.where.empty()) {
    out.where.emplace_back("why", "recipes leave nothing that a breaking version would fix");
  }
  return out;
}

/// "attempt 2 at marked: codegenie audit show 0123456789ab".
std::string line_of(const history::SentPrompt& one) {
  return "attempt " + std::to_string(remediate::model_attempt(one.question.invoked.attempt)) +
         " at " + one.about.package + ": codegenie audit show " +
         to_hex(one.question.invoked.digest).substr(0, 12);
}

/// The one that is wanted of an attempt, in the order in which they were sent, and in a line each
/// the others: its other parts, and questions that were asked to mend an answer that was none.
Result<PromptPage, Problem> sent_page(const Access& access, const std::string& workflow,
                                      const cli::Invocation& invocation,
                                      const job::Showing& wanted) {
  CG_TRY_ASSIGN(auto questions, history::questions_of(access, workflow));
  std::vector<std::string> ids = invocation.values("cve");
  const auto more = invocation.values("advisory");
  ids.insert(ids.end(), more.begin(), more.end());
  std::vector<history::SentPrompt> all;
  for (history::Question& question : questions) {
    if (wanted.attempt && remediate::model_attempt(question.invoked.attempt) != *wanted.attempt) {
      continue;
    }
    CG_TRY_ASSIGN(history::SentPrompt sent, history::sent_prompt(access, std::move(question)));
    if (!wanted.package.empty() && sent.about.package != wanted.package) continue;
    const bool named = std::find(ids.begin(), ids.end(), sent.about.advisory) != ids.end();
    if (ids.empty() || named) all.push_back(std::move(sent));
  }
  if (wanted.part <= all.size()) {
    PromptPage out = page_of(workflow, all[wanted.part - 1]);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i + 1 != wanted.part) out.others.push_back(line_of(all[i]));
    }
    return out;
  }
  return fail(Problem{ErrorCode::audit_no_entry,
                      "workflow " + workflow + " sent no such question to a model",
                      {},
                      "nothing was shown",
                      {"codegenie workflow log " + workflow}});
}

Result<Report, Problem> run_sent(const cli::Invocation& invocation, Session& session,
                                 const std::string& prefix) {
  if (invocation.argument(0) || invocation.has("all") || invocation.has("no-gates")) {
    return fail(
        bad_value("--workflow shows what was sent: it takes --attempt, --part, --cve "
                  "and --package alone",
                  kHelp));
  }
  CG_TRY_ASSIGN(const job::Showing wanted, read_showing(invocation));
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const audit::LogReport log, verify_log(access, invocation, session));
  if (!log.breaks.empty()) return fail(log.breaks.front());
  CG_TRY_ASSIGN(const history::Workflows workflows, history::read_workflows(access));
  CG_TRY_ASSIGN(const history::Workflow workflow, history::find_workflow(workflows, prefix));
  CG_TRY_ASSIGN(const PromptPage page, sent_page(access, workflow.id, invocation, wanted));
  return json_report(prompt_json(page),
                     [page](const cli::Style& style) { return prompt_text(page, style); });
}

Result<Report, Problem> run_prompt_show(const cli::Invocation& invocation, Session& session) {
  if (const auto workflow = invocation.value("workflow")) {
    return run_sent(invocation, session, *workflow);
  }
  CG_TRY_ASSIGN(job::Request request, job::read_request(invocation));
  CG_TRY_ASSIGN(request.showing, read_showing(invocation));
  request.extent = job::Extent::question;
  const std::string named = std::exchange(request.repo, repository::repository_of(request.repo));
  CG_TRY_ASSIGN(const cli::Settings settings, session.settings());
  GateDisplay display(invocation, session);
  CG_TRY_ASSIGN(
      const remediate::Remediation done,
      remediate::remediate(request, {session.environment, settings, session.tools, session.machine},
                           display));
  const auto is_shown = [&](const remediate::Shown& one) {
    return one.prompt && one.part == request.showing.part;
  };
  const bool asks = std::any_of(done.shown.begin(), done.shown.end(),
                                [](const auto& one) { return one.prompt.has_value(); });
  if (asks && std::none_of(done.shown.begin(), done.shown.end(), is_shown)) {
    return fail(
        bad_value("it takes fewer questions than " + std::to_string(request.showing.part), kHelp));
  }
  if (!asks && done.outcome.outcome == report::Outcome::interrupted) {
    Report ended = text_report("Interrupted: nothing was shown\n");
    ended.exit = static_cast<ExitCode>(done.outcome.exit);
    return ended;
  }
  if (!asks) return fail(nothing_asked(done));
  const PromptPage page = page_of(done, request.showing);
  Report report = json_report(
      prompt_json(page), [page](const cli::Style& style) { return prompt_text(page, style); },
      static_cast<ExitCode>(done.outcome.exit));
  report.warnings = done.warnings;
  if (named != request.repo) {
    report.warnings.insert(report.warnings.begin(), repository::taken_instead(named, request.repo));
  }
  return report;
}

std::vector<cli::Flag> prompt_flags() {
  return {
      {.name = "cve", .value_name = "ID", .help = "about this advisory", .repeatable = true},
      {.name = "advisory", .value_name = "ID", .help = "the same as --cve", .repeatable = true},
      {.name = "all", .help = "about everything, as `remediate --all` would ask"},
      {.name = "package",
       .value_name = "NAME",
       .help = "about this package, where a model would be asked about several"},
      {.name = "attempt",
       .value_name = "N",
       .help = "the model's attempt N, from 1; without --workflow only the next can be known"},
      {.name = "part",
       .value_name = "K",
       .help = "question K of the attempt, where the files do not fit into one"},
      {.name = "workflow",
       .value_name = "ID",
       .help = "what this workflow did send, as it was kept; no repository is looked at"},
      {.name = "no-gates",
       .help = "do not try the version alone first; what would fail with it is then left out"},
      {.name = "strategy",
       .value_name = "WHICH",
       .choices = {"lowest", "highest"},
       .help = "as for `remediate`"},
      {.name = "prod", .help = "leave out what only development needs"},
      {.name = "base",
       .value_name = "REF",
       .help = "branch, tag or commit to start from; HEAD by default"},
      {.name = "sbom",
       .value_name = "FILE",
       .help = "an SBOM of the image: nobody is asked about what comes from there"},
      {.name = "registry", .value_name = "URL", .help = "ask this registry instead of npm's"},
      {.name = "fresh", .help = "run every step again, also those that an earlier run has seen"},
      {.name = "isolation",
       .value_name = "CLASS",
       .choices = {"userns", "microvm"},
       .help = "where the repository's own steps run: a jail (default), or a machine"}};
}

}  // namespace

Entry prompt_show_command() {
  return {
      {.path = {"prompt", "show"},
       .summary = "Print exactly what a model would be asked",
       .about =
           {"Does what `remediate` does up to the first question to a model, and prints that "
            "question instead of sending it: system and user text to the byte, but for the nonces "
            "of the fences, which are drawn anew each time. Nothing is sent, no key is needed, no "
            "budget is spent and no branch is made.",
            "The version alone is tried through the gates first, as before any question; steps "
            "that were run before are remembered. With --no-gates it is not, and what would fail "
            "with it is missing.",
            "With --workflow it prints what an earlier run sent: questions are kept in prompts/ of "
            "the workspace, the last 500, and each is held against the digest that the log has.",
            "Beside it: what it may cost at most, as the budget counts, and of each text its kind, "
            "label and bytes, whether it was cut or left out, how many secrets were withheld, and "
            "whether it gives orders to its reader."},
       .arguments = {{.name = "REPO_DIR",
                      .help = "the repository",
                      .presence = cli::Presence::optional}},
       .flags = prompt_flags(),
       .formats = {Format::table, Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::not_applicable, ExitCode::integrity,
                 ExitCode::guard, ExitCode::needs_human, ExitCode::busy, ExitCode::stale_data,
                 ExitCode::unavailable},
       .examples = {{"codegenie prompt show . --cve CVE-2021-44906", "what would be asked"},
                    {"codegenie prompt show . --all --no-gates --format json",
                     "without running anything"},
                    {"codegenie prompt show --workflow 01JCN4Q --attempt 2", "what was sent"}}},
      run_prompt_show,
      Sealing::sealed,
      {Reach::plugins, Reach::npm_settings, Reach::repository, Reach::package_managers}};
}

}  // namespace cg::program
