// codegenie workflow diff
#include "commands.h"
#include "flow/history/workflows.h"

namespace cg::program {

namespace {

constexpr std::size_t kMaxPatch = 64U << 20U;
constexpr std::size_t kMaxBranches = 1000;

/// The patch at `path`; nothing if there is none.
Result<std::optional<std::string>, Problem> read_patch(const Access& access,
                                                       const std::string& path) {
  auto bytes = access.workspace.home.read(path, kMaxPatch);
  if (bytes) return std::optional(*std::move(bytes));
  if (bytes.error().kind == os::Error::Kind::not_found) return std::optional<std::string>();
  return fail(Problem{ErrorCode::workflow_no_patch,
                      "the patch cannot be read: " + os::describe(bytes.error()),
                      {{"file", access.workspace.home.path_of(path)}},
                      "nothing was done",
                      {}});
}

/// Of one branch patch.diff; of several one in each of branches/1, branches/2, ….
Result<std::string, Problem> patches_of(const Access& access, const history::Workflow& workflow) {
  const std::string folder = "evidence/" + workflow.id + "/";
  CG_TRY_ASSIGN(const auto only, read_patch(access, folder + "patch.diff"));
  if (only) return *only;
  std::string out;
  for (std::size_t i = 1; i <= kMaxBranches; ++i) {
    CG_TRY_ASSIGN(const auto one,
                  read_patch(access, folder + "branches/" + std::to_string(i) + "/patch.diff"));
    if (one) {
      out += *one;
      continue;
    }
    if (i > 1) return out;
    break;
  }
  return fail(Problem{ErrorCode::workflow_no_patch,
                      "workflow " + workflow.id + " kept no patch",
                      {{"looked for", access.workspace.home.path_of(folder + "patch.diff")}},
                      "nothing was done",
                      {"codegenie workflow show " + workflow.id}});
}

Result<Report, Problem> run_workflow_diff(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(const history::Workflows workflows, history::read_workflows(access));
  CG_TRY_ASSIGN(const history::Workflow workflow,
                history::find_workflow(workflows, invocation.arguments.at(0)));
  CG_TRY_ASSIGN(std::string patch, patches_of(access, workflow));
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
           .about = {"As kept in evidence/ID of the workspace; of several branches, one patch "
                     "after the other. The bytes are those that git applies, unless they go to a "
                     "terminal or CI reads along: there control characters and markers that a "
                     "runner obeys are made visible. Files of -o are always exact."},
           .arguments = {{.name = "ID", .help = "the id, or its first 7 letters or more"}},
           .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
           .examples = {{"codegenie workflow diff 01JCN4Q | git apply --stat",
                         "what would change where"}}},
          run_workflow_diff};
}

}  // namespace cg::program
