// codegenie workflow list
#include <algorithm>

#include "base/base/text.h"
#include "commands.h"
#include "flow/history/workflows.h"
#include "text/audit_text.h"

namespace cg::program {

namespace {

using json::Value;

struct Listed {
  history::Workflow workflow;
  std::string repo;  // empty: not about one
};

struct Wanted {
  std::optional<std::string> repo;
  std::optional<std::string> status;
  Time since{INT64_MIN};
  std::uint64_t limit = 50;
};

Result<Wanted, Problem> wanted_of(const cli::Invocation& invocation) {
  Wanted wanted;
  wanted.repo = invocation.value("repo");
  wanted.status = invocation.value("status");
  if (const auto since = invocation.value("since")) {
    CG_TRY_ASSIGN(wanted.since, parse_since(*since, os::SystemClock().now()));
  }
  if (const auto text = invocation.value("limit")) {
    const auto limit = parse_u64(*text);
    if (!limit || *limit == 0) {
      return fail(bad_value("--limit takes a number above 0", "codegenie workflow list --help"));
    }
    wanted.limit = *limit;
  }
  return wanted;
}

/// "shop" is .../shop as well as shop itself.
bool is_repo(std::string_view repo, std::string_view wanted) {
  return repo == wanted || (!wanted.empty() && repo.ends_with("/" + std::string(wanted)));
}

/// Newest first, so that no stream is opened beyond the limit.
Result<std::vector<Listed>, Problem> select(const Access& access, const Wanted& wanted,
                                            history::Workflows& workflows) {
  std::vector<Listed> out;
  for (auto it = workflows.all.rbegin(); it != workflows.all.rend(); ++it) {
    if (out.size() == wanted.limit) break;
    if (it->started < wanted.since || (wanted.status && it->status != *wanted.status)) continue;
    CG_TRY_ASSIGN(const history::Story story, history::read_story(access, *it));
    if (story.problem && !workflows.problem) workflows.problem = story.problem;
    const std::string repo = story.about ? story.about->repo : "";
    if (wanted.repo && !is_repo(repo, *wanted.repo)) continue;
    out.push_back({*it, repo});
  }
  return out;
}

Value list_json(const std::vector<Listed>& rows) {
  Value::Array list;
  for (const auto& [workflow, repo] : rows) {
    list.emplace_back(
        Value::Object{{"workflow", workflow.id},
                      {"task", workflow.task},
                      {"repo", repo.empty() ? Value() : Value(repo)},
                      {"started", to_iso(workflow.started)},
                      {"ended", workflow.ended ? Value(to_iso(*workflow.ended)) : Value()},
                      {"status", workflow.status}});
  }
  return Value::Object{{"schema", "codegenie/workflows/v1"}, {"workflows", std::move(list)}};
}

std::string list_text(const std::vector<Listed>& rows, std::size_t length,
                      const cli::Style& style) {
  if (rows.empty()) return "No workflow\n";
  std::vector<std::vector<cli::Cell>> cells;
  for (const auto& [workflow, repo] : rows) {
    cells.push_back({{workflow.id.substr(0, length), cli::Role::code},
                     {to_iso(workflow.started), cli::Role::faint},
                     {printable(workflow.task)},
                     {printable(workflow.status)},
                     {printable(repo)}});
  }
  return cli::layout({{.title = "WORKFLOW"},
                      {.title = "STARTED"},
                      {.title = "TASK"},
                      {.title = "STATUS"},
                      {.title = "REPOSITORY", .max_width = 60}},
                     cells, style);
}

Result<Report, Problem> run_workflow_list(const cli::Invocation& invocation, Session& session) {
  CG_TRY_ASSIGN(const Wanted wanted, wanted_of(invocation));
  CG_TRY_ASSIGN(const Access access, open_workspace(session));
  CG_TRY_ASSIGN(history::Workflows workflows, history::read_workflows(access));
  const std::size_t length = history::telling_length(workflows.all);
  CG_TRY_ASSIGN(const std::vector<Listed> rows, select(access, wanted, workflows));
  Report report = json_report(
      list_json(rows),
      [rows, length](const cli::Style& style) { return list_text(rows, length, style); },
      workflows.problem ? workflows.problem->exit() : ExitCode::ok);
  report.problem = workflows.problem;
  return report;
}

}  // namespace

Entry workflow_list_command() {
  return {
      {.path = {"workflow", "list"},
       .summary = "List workflows, newest first",
       .about = {"What the audit log holds, up to the first break in it, and the break. A "
                 "workflow is open until its end is in the log; one whose process died stays "
                 "so."},
       .flags =
           {{.name = "repo",
             .value_name = "NAME",
             .help = "only of this repository: its path, or the end of it"},
            {.name = "status",
             .value_name = "WORD",
             .help = "only those that ended like this: fixed, weak, unproven, refused, …; or open"},
            {.name = "since",
             .value_name = "TIME",
             .help = "only those begun from this time on: a date, 7d, 12h"},
            {.name = "limit", .value_name = "N", .help = "the newest N; 50 by default"}},
       .formats = {cli::Format::table, cli::Format::json},
       .exits = {ExitCode::ok, ExitCode::usage, ExitCode::integrity, ExitCode::guard},
       .examples = {{"codegenie workflow list --since 7d", "the last week"},
                    {"codegenie wf list --repo shop --status fixed",
                     "what was fixed in one repository"}}},
      run_workflow_list};
}

}  // namespace cg::program
