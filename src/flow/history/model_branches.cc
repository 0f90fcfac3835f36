#include "flow/history/model_branches.h"

#include <algorithm>

#include "flow/history/workflows.h"

namespace cg::history {

namespace {

/// The attempt at `group` that passed; nullptr if none did.
const record::AttemptEnded* passed_in(const Story& story, const std::string& group) {
  const auto found = std::find_if(
      story.attempts.rbegin(), story.attempts.rend(),
      [&](const auto& attempt) { return attempt.group == group && attempt.failing.empty(); });
  return found == story.attempts.rend() ? nullptr : &*found;
}

const record::PlanProposalAccepted* asked_for(const Story& story, const std::string& group) {
  const record::AttemptEnded* passed = passed_in(story, group);
  const auto found =
      std::find_if(story.accepted.begin(), story.accepted.end(), [&](const auto& accepted) {
        return passed != nullptr && accepted.group == group && accepted.attempt == passed->attempt;
      });
  return found == story.accepted.end() ? nullptr : &*found;
}

void add_branches(const Workflow& workflow, const Story& story, std::vector<ModelBranch>& out) {
  if (!story.about || !story.evidence) return;
  for (const record::PlanCommitted& plan : story.plans) {
    const auto written =
        std::find_if(story.branches.begin(), story.branches.end(),
                     [&](const auto& branch) { return branch.commit == plan.commit; });
    const record::PlanProposalAccepted* asked = asked_for(story, plan.group);
    if (written == story.branches.end() || asked == nullptr) continue;
    out.push_back({workflow.id, story.about->head, plan.group, written->branch, written->commit,
                   asked->kind, story.evidence->digest});
  }
}

}  // namespace

Result<std::vector<ModelBranch>, Problem> model_branches(const workspace::Access& access) {
  CG_TRY_ASSIGN(const Workflows workflows, read_workflows(access));
  if (workflows.problem) return fail(*workflows.problem);
  std::vector<ModelBranch> out;
  for (auto it = workflows.all.rbegin(); it != workflows.all.rend(); ++it) {
    if (it->task != "remediate" || !it->ended) continue;
    CG_TRY_ASSIGN(const Story story, read_story(access, *it));
    if (story.problem) return fail(*story.problem);
    add_branches(*it, story, out);
  }
  return out;
}

}  // namespace cg::history
