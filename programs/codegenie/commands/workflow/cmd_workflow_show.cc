// codegenie workflow show
#include "access.h"
#include "base/base/assert.h"
#include "base/base/text.h"
#include "commands.h"
#include "flow/history/workflows.h"
#include "text/gate_text.h"

namespace cg::program {

namespace {

using json::Value;

Value or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

Value plan_json(const record::PlanMade& plan) {
  return Value::Object{{"digest", blake3_name(plan.digest)}, {"fixed", number(plan.fixed)},
                       {"blocked", number(plan.blocked)},    {"handed_on", number(plan.handed_on)},
                       {"no_fix", number(plan.no_fix)},      {"entries", number(plan.entries)}};
}

Value show_json(const history::Workflow& workflow, const history::Story& story) {
  Value::Array branches;
  for (const record::BranchWritten& b : story.branches) {
    branches.emplace_back(
        Value::Object{{"branch", b.branch}, {"commit", b.commit}, {"state", b.state}});
  }
  Value::Array unproven;
  for (const record::UnprovenWritten& b : story.unproven) {
    unproven.emplace_back(
        Value::Object{{"branch", b.branch}, {"commit", b.commit}, {"state", b.state}});
  }
  Value::Array causes;
  for (const record::BaseUnprovable& one : story.causes) {
    causes.emplace_back(Value::Object{{"lockfile", one.lockfile}, {"cause", one.cause}});
  }
  const auto about = story.about.value_or(record::RemediationStarted{});
  return Value::Object{{"schema", "codegenie/workflow/v1"},
                       {"workflow", workflow.id},
                       {"task", workflow.task},
                       {"repo", or_null(about.repo)},
                       {"head", or_null(about.head)},
                       {"request", or_null(about.request)},
                       {"started", to_iso(workflow.started)},
                       {"ended", workflow.ended ? Value(to_iso(*workflow.ended)) : Value()},
                       {"status", workflow.status},
                       {"entries", number(story.entries)},
                       {"plan", story.plan ? plan_json(*story.plan) : Value()},
                       {"branches", std::move(branches)},
                       {"unproven", std::move(causes)},
                       {"unproven_branches", std::move(unproven)},
                       {"evidence", story.evidence ? Value(story.evidence->path) : Value()},
                       {"handoff", story.handoff ? Value(story.handoff->path) : Value()},
                       {"refused", story.refused ? Value(story.refused->reason) : Value()}};
}

using Rows = std::vector<std::vector<cli::Cell>>;

void add(Rows& rows, std::string label, const std::string& value) {
  if (!value.empty()) rows.push_back({{std::move(label)}, {printable(value)}});
}

/// In findings: what was thought of before anything was tried.
std::string plan_words(const record::PlanMade& plan) {
  return grouped(plan.fixed) + " to fix, " + grouped(plan.blocked) + " blocked, " +
         grouped(plan.handed_on) + " handed on, " + grouped(plan.no_fix) + " without a fix";
}

/// What is in the repository now; a plan that came to nothing must not read like a fix.
std::string result_words(const history::Workflow& workflow, const history::Story& story) {
  if (!story.branches.empty()) {
    return counted(story.branches.size(), "branch", "branches") + " written";
  }
  if (!workflow.ended) return "";
  if (workflow.status == "not_applicable") return "nothing to fix";
  if (workflow.status == "planned") return "a plan, no branch";
  const std::string kept = story.unproven.empty() ? std::string("no branch")
                                                  : counted(story.unproven.size(),
                                                            "unproven branch", "unproven branches");
  return (workflow.status == "unproven" ? "unproven, unfixed, " : "unfixed, ") + kept;
}

std::string show_text(const history::Workflow& workflow, const history::Story& story,
                      const cli::Style& style) {
  Rows rows;
  add(rows, "Workflow", workflow.id);
  add(rows, "Task", workflow.task);
  if (story.about) {
    add(rows, "Repository", story.about->repo);
    add(rows, "At commit", story.about->head);
    add(rows, "Asked for", story.about->request);
  }
  add(rows, "Started", to_iso(workflow.started));
  if (workflow.ended) add(rows, "Ended", to_iso(*workflow.ended));
  add(rows, "Status", workflow.status);
  for (const record::BaseUnprovable& one : story.causes) {
    add(rows, "Unproven", one.lockfile + ": " + one.cause);
  }
  if (story.plan) add(rows, "Findings", plan_words(*story.plan));
  if (story.about) add(rows, "Result", result_words(workflow, story));
  for (const record::BranchWritten& b : story.branches) {
    add(rows, "Branch",
        b.branch + " (" + std::string(cut_utf8(b.commit, 12)) + ", " + b.state + ")");
  }
  for (const record::UnprovenWritten& b : story.unproven) {
    add(rows, "Not proven",
        b.branch + " (" + std::string(cut_utf8(b.commit, 12)) + ", " + b.state + ")");
  }
  if (story.evidence) add(rows, "Evidence", story.evidence->path);
  if (story.handoff) add(rows, "For a person", story.handoff->path);
  if (story.refused) add(rows, "Refused", story.refused->reason);
  add(rows, "Entries", grouped(story.entries));
  return cli::layout({{}, {}}, rows, style);
}

/// What one gate said, from evidence that holds.
Result<Report, Problem> show_gate(const Access& access, const history::Workflow& workflow,
                                  const std::string& gate, const cli::Invocation& invocation,
                                  const Session& session) {
  const auto id = WorkflowId::parse(workflow.id);
  CG_ASSERT(id.has_value());  // read_workflows() takes no other
  CG_TRY_ASSIGN(const evidence::Files files, sound_evidence(access, *id, invocation, session));
  const auto side = invocation.value("side");
  std::vector<GateView> views = gate_views(files, gate, side ? std::optional(*side) : std::nullopt);
  if (views.empty()) {
    std::string names;
    for (const std::string& name : gate_names(files)) {
      names += (names.empty() ? "" : ", ") + printable(name);
    }
    return fail(bad_value("workflow " + workflow.id + " has no gate `" + printable(gate) +
                              "`; it has " + (names.empty() ? "none" : names),
                          "codegenie workflow show " + workflow.id));
  }
  json::Value document = gates_json(workflow.id, gate, views);
  return json_report(std::move(document),
                     [gate, views = std::move(views)](const cli::Style& style) {
                       return gates_text(gate, views, style);
                     });
}

Result<Report, Problem> run_workflow_show(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const history::Workflows workflows, history::read_workflows(access));
  CG_TRY_ASSIGN(const history::Workflow workflow,
                history::find_workflow(workflows, invocation.arguments.at(0)));
  if (const auto gate = invocation.value("gate")) {
    return show_gate(access, workflow, *gate, invocation, session);
  }
  if (invocation.has("side")) {
    return fail(bad_value("--side goes with --gate", "codegenie workflow show --help"));
  }
  CG_TRY_ASSIGN(const history::Story story, history::read_story(access, workflow));
  const auto problem = workflows.problem ? workflows.problem : story.problem;
  Report report = json_report(
      show_json(workflow, story),
      [workflow, story](const cli::Style& style) { return show_text(workflow, story, style); },
      problem ? problem->exit() : ExitCode::ok);
  report.problem = problem;
  return report;
}

}  // namespace

Entry workflow_show_command() {
  return {
      {.path = {"workflow", "show"},
       .summary = "Show what a workflow was about and what came of it",
       .arguments = {{.name = "ID", .help = "the id, or its first 7 letters or more"}},
       .flags = {{.name = "gate",
                  .value_name = "NAME",
                  .help = "what this gate said instead: numbers, reasons, failing tests and the "
                          "end of the log"},
                 {.name = "side",
                  .value_name = "SIDE",
                  .choices = {"base", "fix"},
                  .help = "with --gate: whose log; by default where it went wrong"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie workflow show 01JCN4Q", "branch, evidence and what is left"},
                    {"codegenie workflow show 01JCN4Q --gate tests", "why tests failed"}}},
      run_workflow_show};
}

}  // namespace cg::program
