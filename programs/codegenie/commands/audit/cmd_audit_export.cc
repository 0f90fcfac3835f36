// codegenie audit export
#include "base/base/text.h"
#include "text/audit_text.h"

namespace cg::program {

namespace {

Result<Report, Problem> run_audit_export(const cli::Invocation& invocation, Session& session) {
  std::optional<std::uint64_t> only;
  if (const auto text = invocation.value("entry")) {
    only = parse_u64(*text);
    if (!only)
      return fail(bad_value("--entry takes the number of an entry", "codegenie audit log"));
  }
  Time since{INT64_MIN};
  if (const auto text = invocation.value("since")) {
    CG_TRY_ASSIGN(since, parse_since(*text, os::SystemClock().now()));
  }
  const auto workflow = invocation.value("workflow");
  if (workflow && !WorkflowId::parse(*workflow)) {
    return fail(bad_value("--workflow takes a whole workflow id",
                          "codegenie audit log --kind workflow_started"));
  }
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  std::string lines;
  const auto take = [&](const audit::Held& held) {
    if ((only && held.entry.seq != *only) || held.entry.t < since) return;
    (lines += held.line) += '\n';
  };
  CG_TRY_ASSIGN(const auto problem, workflow ? for_each_entry_of(access, *workflow, take)
                                             : for_each_entry(access, take));
  if (only && lines.empty() && !problem) {
    return fail(Problem{ErrorCode::audit_no_entry,
                        "no entry " + grouped(*only),
                        {},
                        "nothing was done",
                        {"codegenie audit log"}});
  }
  Report report = text_report(std::move(lines));
  report.exit = problem ? problem->exit() : ExitCode::ok;
  report.problem = problem;
  report.bytes = Bytes::exact;
  return report;
}

}  // namespace

Entry audit_export_command() {
  return {
      {.path = {"audit", "export"},
       .summary = "Print entries as the exact bytes stored",
       .about = {"One entry a line. What is printed was checked on the way; at the first break the "
                 "export "
                 "ends, the break is told and the exit code is 4. Where CI reads along, characters "
                 "that a runner would act on are written as escapes, unless the output is a file: "
                 "use -o there."},
       .flags = {{.name = "entry", .value_name = "N", .help = "only this entry"},
                 {.name = "since", .value_name = "TIME", .help = "only entries from this time on"},
                 {.name = "workflow", .value_name = "ID", .help = "the stream of this workflow"}},
       .formats = {cli::Format::jsonl},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie audit export -o jsonl=log.jsonl", "the whole spanning stream"}}},
      run_audit_export};
}

}  // namespace cg::program
