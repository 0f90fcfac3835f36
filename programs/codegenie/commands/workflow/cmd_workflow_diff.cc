// codegenie workflow diff
#include "access.h"
#include "base/base/assert.h"
#include "commands.h"
#include "flow/history/workflows.h"

namespace cg::program {

namespace {

/// The patch of all branches, from evidence that holds.
Result<std::string, Problem> patch_of(const Access& access, const history::Workflow& workflow,
                                      const cli::Invocation& invocation, const Session& session) {
  const auto id = WorkflowId::parse(workflow.id);
  CG_ASSERT(id.has_value());  // read_workflows() takes no other
  auto files = sound_evidence(access, *id, invocation, session);
  if (files && files->contains("patch.diff")) return std::move((*files)["patch.diff"]);
  if (!files && files.error().code != ErrorCode::evidence_missing) return fail(files.error());
  const std::string path = evidence::folder_of(workflow.id) + "/patch.diff";
  return fail(Problem{ErrorCode::workflow_no_patch,
                      "workflow " + workflow.id + " kept no patch",
                      {{"looked for", access.workspace.home.path_of(path)}},
                      "nothing was done",
                      {"codegenie workflow show " + workflow.id}});
}

Result<Report, Problem> run_workflow_diff(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const history::Workflows workflows, history::read_workflows(access));
  CG_TRY_ASSIGN(const history::Workflow workflow,
                history::find_workflow(workflows, invocation.arguments.at(0)));
  CG_TRY_ASSIGN(std::string patch, patch_of(access, workflow, invocation, session));
  Report report = text_report(std::move(patch));
  report.exit = workflows.problem ? workflows.problem->exit() : ExitCode::ok;
  report.problem = workflows.problem;
  report.bytes = Bytes::exact;
  return report;
}

}  // namespace

Entry workflow_diff_command() {
  return {{.path = {"workflow", "diff"},
           .summary = "Print the patch that a workflow made",
           .about = {"As kept in evidence/ID of the workspace, which is checked first; of several "
                     "branches, one patch after the other. The bytes are those that git applies, "
                     "unless they go to a terminal or CI reads along: there control characters and "
                     "markers that a runner obeys are made visible. Files of -o are always exact."},
           .arguments = {{.name = "ID", .help = "the id, or its first 7 letters or more"}},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie workflow diff 01JCN4Q | git apply --stat",
                         "what would change where"}}},
          run_workflow_diff};
}

}  // namespace cg::program
