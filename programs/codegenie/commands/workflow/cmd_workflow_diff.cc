// codegenie workflow diff
#include "access.h"
#include "base/base/assert.h"
#include "base/base/text.h"
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
  if (files) return std::move((*files)["patch.diff"]);
  if (files.error().code != ErrorCode::evidence_missing) return fail(files.error());
  const std::string path = evidence::folder_of(workflow.id) + "/patch.diff";
  return fail(Problem{ErrorCode::workflow_no_patch,
                      "workflow " + workflow.id + " kept no patch",
                      {{"looked for", access.workspace.home.path_of(path)}},
                      "nothing was done",
                      {"codegenie workflow show " + workflow.id}});
}

/// Files under repair may hold anything; on a terminal it is shown, not obeyed.
std::string for_terminal(const std::string& patch) {
  std::string out;
  auto lines = split(patch, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (const std::string_view line : lines) out += printable(line) + "\n";
  return out;
}

Result<Report, Problem> run_workflow_diff(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const history::Workflows workflows, history::read_workflows(access));
  CG_TRY_ASSIGN(const history::Workflow workflow,
                history::find_workflow(workflows, invocation.arguments.at(0)));
  CG_TRY_ASSIGN(std::string patch, patch_of(access, workflow, invocation, session));
  const bool shown = session.out == cli::Terminal::yes && invocation.outputs.empty();
  Report report = text_report(shown ? for_terminal(patch) : std::move(patch));
  report.exit = workflows.problem ? workflows.problem->exit() : ExitCode::ok;
  report.problem = workflows.problem;
  return report;
}

}  // namespace

Entry workflow_diff_command() {
  return {{.path = {"workflow", "diff"},
           .summary = "Print the patch that a workflow made",
           .about = {"As kept in evidence/ID of the workspace, which is checked first; of several "
                     "branches, one patch after the other. The bytes are those that git applies, "
                     "unless they go to a "
                     "terminal: there control characters are made visible."},
           .arguments = {{.name = "ID", .help = "the id, or its first 7 letters or more"}},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie workflow diff 01JCN4Q | git apply --stat",
                         "what would change where"}}},
          run_workflow_diff};
}

}  // namespace cg::program
