// codegenie workflow log
#include "flow/history/workflows.h"
#include "text/audit_text.h"
#include "text/entry_rows.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_workflow_log(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(EntryFilter filter, entry_filter(invocation, "event"));
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const history::Workflows workflows, history::read_workflows(access));
  CG_TRY_ASSIGN(const history::Workflow workflow,
                history::find_workflow(workflows, invocation.arguments.at(0)));
  EntryRows rows(std::move(filter));
  CG_TRY_ASSIGN(auto problem, for_each_entry_of(access, workflow.id,
                                                [&](const audit::Held& held) { rows.take(held); }));
  if (workflows.problem) problem = workflows.problem;
  return std::move(rows).report(std::move(problem));
}

}  // namespace

Entry workflow_log_command() {
  return {{.path = {"workflow", "log"},
           .summary = "List the entries of a workflow's own stream",
           .about = {"Lists what holds up to the first break, and tells the break."},
           .arguments = {{.name = "ID", .help = "the id, or its first 7 letters or more"}},
           .flags = {{.name = "event", .value_name = "KIND", .help = "only events of this kind"},
                     {.name = "severity",
                      .value_name = "LEVEL",
                      .choices = {"note", "warning", "block"},
                      .help = "only events at least that severe"},
                     {.name = "since",
                      .value_name = "TIME",
                      .help = "only entries from this time on: a date, 7d, 12h"},
                     {.name = "limit", .value_name = "N", .help = "only the last N of them"}},
           .formats = {cli::Format::table, cli::Format::json, cli::Format::jsonl},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie workflow log 01JCN4Q --event recipe_answered",
                         "which recipe said what of which copy"}}},
          run_workflow_log};
}

}  // namespace cg::program
