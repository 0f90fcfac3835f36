// codegenie audit log
#include "text/audit_text.h"
#include "text/entry_rows.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_audit_log(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(EntryFilter filter, entry_filter(invocation, "kind"));
  const auto stream = invocation.value("workflow");
  if (stream && !WorkflowId::parse(*stream)) {
    return fail(bad_value("--workflow takes a whole workflow id",
                          "codegenie audit log --kind workflow_started"));
  }
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  EntryRows rows(std::move(filter));
  const auto take = [&](const audit::Held& held) { rows.take(held); };
  CG_TRY_ASSIGN(auto problem,
                stream ? for_each_entry_of(access, *stream, take) : for_each_entry(access, take));
  return std::move(rows).report(std::move(problem));
}

}  // namespace

Entry audit_log_command() {
  return {
      {.path = {"audit", "log"},
       .summary = "List entries of the log, oldest first",
       .about =
           {"Lists what holds up to the first break, and tells the break. The spanning stream by "
            "default; a workflow's own stream with --workflow."},
       .flags = {{.name = "kind", .value_name = "KIND", .help = "only events of this kind"},
                 {.name = "severity",
                  .value_name = "LEVEL",
                  .choices = {"note", "warning", "block"},
                  .help = "only events at least that severe"},
                 {.name = "since",
                  .value_name = "TIME",
                  .help = "only entries from this time on: a date, 7d, 12h"},
                 {.name = "limit", .value_name = "N", .help = "only the last N of them"},
                 {.name = "workflow", .value_name = "ID", .help = "the stream of this workflow"}},
       .formats = {cli::Format::table, cli::Format::json, cli::Format::jsonl},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie audit log --since 7d", "the last week"},
                    {"codegenie audit log --kind anchor_published --format jsonl",
                     "for a script"}}},
      run_audit_log};
}

}  // namespace cg::program
