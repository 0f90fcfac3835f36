// codegenie self-check
#include "checking/keyring_check.h"
#include "checking/model_check.h"
#include "checks.h"
#include "commands.h"
#include "progress.h"
#include "sealing/probes.h"
#include "sealing/sandbox_check.h"
#include "trust/audit/workflow_log.h"

namespace cg::program {

namespace {

using json::Value;

Value findings_json(const std::vector<Finding>& findings, ExitCode exit,
                    const std::string& workflow) {
  Value::Array rows;
  for (const Finding& f : findings) {
    rows.push_back(Value::Object{
        {"check", f.check}, {"what", f.what}, {"status", name(f.status)}, {"detail", f.detail}});
  }
  return Value::Object{{"schema", "codegenie/self-check/v1"},
                       {"checks", rows},
                       {"workflow", workflow.empty() ? Value() : Value(workflow)},
                       {"exit", static_cast<int>(exit)}};
}

std::string findings_text(const std::vector<Finding>& findings, const std::string& workflow,
                          const cli::Style& style) {
  std::vector<std::vector<cli::Cell>> rows;
  std::size_t warnings = 0;
  std::size_t failures = 0;
  for (const Finding& f : findings) {
    warnings += f.status == Status::warn ? 1 : 0;
    failures += f.status == Status::fail ? 1 : 0;
    const auto [glyph, role] = f.status == Status::ok ? std::pair(cli::Glyph::ok, cli::Role::good)
                               : f.status == Status::warn
                                   ? std::pair(cli::Glyph::warn, cli::Role::warning)
                                   : std::pair(cli::Glyph::fail, cli::Role::error);
    rows.push_back({{std::string(style.glyph(glyph)), role}, {f.check}, {f.what}, {f.detail}});
  }
  std::string out = cli::layout({{}, {}, {}, {}}, rows, style);
  if (!workflow.empty()) out += "Recorded as workflow " + workflow + "\n";
  if (failures > 0) return out + std::to_string(failures) + " failed\n";
  if (warnings == 0) return out + "All checks passed\n";
  return out + std::to_string(warnings) + (warnings == 1 ? " warning" : " warnings") +
         ". `--strict` would exit 6\n";
}

Result<std::string, Problem> write_down(const Access& access, const std::vector<Finding>& findings,
                                        const std::string& outcome) {
  os::SystemClock clock;
  os::SystemRandom random;
  CG_TRY_ASSIGN(audit::Log log, open_log(access, clock));
  CG_TRY_ASSIGN(audit::WorkflowLog workflow,
                audit::WorkflowLog::start(log, "self_check", clock, random));
  const std::string id = workflow.id().str();
  record::Events events;
  for (const Finding& f : findings) {
    events.emplace_back(
        record::CheckRan{f.check + "." + f.what, f.detail, std::string(name(f.status))});
  }
  CG_TRY(workflow.append(events));
  CG_TRY(std::move(workflow).end(log, outcome));
  CG_TRY(log.checkpoint());
  return id;
}

/// Checks of the machine and of this process: they need no workspace.
bool is_about_machine(const std::string& which) {
  return which == "kernel" || which == "egress" || which == "sandbox" || which == "keyring";
}

std::vector<Finding> findings_of(const std::string& which, const Result<Access, Problem>& access,
                                 const Seal& seal) {
  std::vector<Finding> findings;
  const auto add = [&](std::vector<Finding> more) {
    findings.insert(findings.end(), more.begin(), more.end());
  };
  if (!access && !is_about_machine(which)) {
    const bool none = access.error().code == ErrorCode::home_missing;
    add({{"modes", "workspace", none ? Status::warn : Status::fail,
          std::string(row(access.error().code).code) + " " + access.error().what}});
  }
  if (access && (which == "all" || which == "modes")) add(check_modes(*access));
  if (access && (which == "all" || which == "clock")) add(check_clock(*access));
  if (access && (which == "all" || which == "log")) add(check_log(*access));
  if (which == "all" || which == "kernel") {
    const auto grants = seal.host->grants();
    add(check_kernel(grants ? *grants : spawn::KernelGrants{}));
  }
  if (which == "all" || which == "egress") add(check_egress(seal));
  if (which == "all" || which == "sandbox") add(check_sandbox());
  // Only where it is asked for: a store may be a desktop's, and most machines ask no model.
  if (which == "keyring") {
    const auto grants = seal.host->grants();
    add(check_keyring(*seal.host, grants ? *grants : spawn::KernelGrants{}));
  }
  return findings;
}

Status worst_of(const std::vector<Finding>& findings) {
  Status worst = Status::ok;
  for (const Finding& f : findings) worst = std::max(worst, f.status);
  return worst;
}

Report report_of(const std::vector<Finding>& findings, const cli::Invocation& invocation,
                 const std::string& workflow) {
  const Status worst = worst_of(findings);
  const bool bad = worst == Status::fail || (worst == Status::warn && invocation.has("strict"));
  const ExitCode exit = bad ? ExitCode::guard : ExitCode::ok;
  return json_report(
      findings_json(findings, exit, workflow),
      [findings, workflow](const cli::Style& style) {
        return findings_text(findings, workflow, style);
      },
      exit);
}

/// A question that costs something is a workflow of its own, whether --record is given or not.
Result<Report, Problem> run_model_check(const cli::Invocation& invocation, const Session& session,
                                        const Access& access) {
  ProgressLine line(invocation, session);
  const Askable who = invocation.has("offline") ? Askable::this_machine : Askable::anybody;
  CG_TRY_ASSIGN(const ModelChecked checked,
                check_model(access, who, [&](const std::string& text) { line.keep(text); }));
  return report_of(checked.findings, invocation, checked.workflow);
}

Result<Report, Problem> run_self_check(const cli::Invocation& invocation, Session& session) {
  const std::string which = invocation.argument(0).value_or("all");
  const auto access = open_workspace(session);
  if (which == "model" && access) return run_model_check(invocation, session, *access);
  const std::vector<Finding> findings = findings_of(which, access, *session.seal);
  std::string workflow;
  if (invocation.has("record")) {
    if (!access) return fail(access.error());
    CG_TRY_ASSIGN(workflow, write_down(*access, findings, std::string(name(worst_of(findings)))));
  }
  return report_of(findings, invocation, workflow);
}

}  // namespace

Entry self_check_command() {
  return {
      {.path = {"self-check"},
       .alias = "doctor",
       .group = cli::Group::trust,
       .summary = "Check egress, sandbox, keyring, model, log and machine",
       .about = {"Tells what is true of this machine and this workspace and changes nothing, "
                 "unless --record "
                 "is given: then the findings go into the audit log as a workflow of their "
                 "own, as evidence "
                 "of the state the machine was in.",
                 "`model` asks the model that policy names one harmless question, which costs what "
                 "it says before; it is recorded in any case. `keyring` looks where a key could "
                 "lie. Neither is part of `all`."},
       .arguments = {{.name = "CHECK",
                      .help = "which check; all but keyring and model by default",
                      .presence = cli::Presence::optional,
                      .choices = {"all", "modes", "clock", "log", "kernel", "egress", "sandbox",
                                  "keyring", "model"}}},
       .flags = {{.name = "strict", .help = "warnings are failures too"},
                 {.name = "record", .help = "write the findings into the audit log"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::guard},
       .examples = {{"codegenie self-check", "everything"},
                    {"codegenie self-check egress", "what the program itself can still do"},
                    {"codegenie self-check model", "whether a model can be asked; costs a little"},
                    {"codegenie doctor kernel --strict", "before trusting a new machine"}}},
      run_self_check,
      Sealing::sealed,
      {Reach::plugins}};
}

}  // namespace cg::program
