#include "flow/history/workflows.h"

#include <algorithm>

#include "base/base/text.h"
#include "flow/history/entries.h"

namespace cg::history {

namespace {

constexpr std::size_t kShortestPrefix = 7;
constexpr std::string_view kOpen = "open";
constexpr std::uint64_t kMostCounted = 1000;  // violations of a protocol that three end

Workflow* find(std::vector<Workflow>& workflows, const std::string& id) {
  const auto it = std::find_if(workflows.rbegin(), workflows.rend(),
                               [&](const Workflow& workflow) { return workflow.id == id; });
  return it == workflows.rend() ? nullptr : &*it;
}

void take(std::vector<Workflow>& workflows, const audit::Held& held) {
  if (const auto* started = held.event.as<record::WorkflowStarted>()) {
    // The id becomes part of paths.
    if (!WorkflowId::parse(started->workflow)) return;
    workflows.push_back(
        {started->workflow, started->task, held.entry.t, std::nullopt, std::string(kOpen), 0});
  }
  if (const auto* ended = held.event.as<record::WorkflowEnded>()) {
    if (Workflow* workflow = find(workflows, ended->workflow)) {
      workflow->ended = held.entry.t;
      workflow->status = ended->outcome;
      workflow->entries = ended->count;
    }
  }
}

void take(Story& story, const audit::Held& held) {
  ++story.entries;
  const record::Event& event = held.event;
  if (const auto* e = event.as<record::RemediationStarted>()) story.about = *e;
  if (const auto* e = event.as<record::PlanMade>()) story.plan = *e;
  if (const auto* e = event.as<record::AttemptEnded>()) story.attempts.push_back(*e);
  if (const auto* e = event.as<record::BranchWritten>()) story.branches.push_back(*e);
  if (const auto* e = event.as<record::UnprovenWritten>()) story.unproven.push_back(*e);
  if (const auto* e = event.as<record::BaseUnprovable>()) {
    const bool known =
        std::any_of(story.causes.begin(), story.causes.end(),
                    [&](const auto& other) { return other.lockfile == e->lockfile; });
    if (!known) story.causes.push_back(*e);
  }
  if (const auto* e = event.as<record::PlanCommitted>()) story.plans.push_back(*e);
  if (const auto* e = event.as<record::PlanProposalAccepted>()) story.accepted.push_back(*e);
  if (const auto* e = event.as<record::EvidenceWritten>()) story.evidence = *e;
  if (const auto* e = event.as<record::HandoffWritten>()) story.handoff = *e;
  if (const auto* e = event.as<record::RemediationRefused>()) story.refused = *e;
  if (const auto* e = event.as<record::BudgetPrecharged>()) story.precharged.push_back(*e);
  if (const auto* e = event.as<record::BudgetReconciled>()) story.reconciled.push_back(*e);
  if (const auto* e = event.as<record::BudgetOverrideGranted>()) story.overruns.push_back(*e);
  if (event.as<record::CassetteLoaded>() != nullptr) story.replayed = story.precharged.empty();
  if (const auto* e = event.as<record::PlanProposalRejected>()) {
    story.violations = static_cast<unsigned>(std::min<std::uint64_t>(e->violations, kMostCounted));
  }
}

std::string upper_ascii(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::size_t common_length(std::string_view a, std::string_view b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  static_cast<void>(other);
  return static_cast<std::size_t>(end - a.begin());
}

}  // namespace

Result<Workflows, Problem> read_workflows(const workspace::Access& access) {
  Workflows out;
  CG_TRY_ASSIGN(out.problem,
                for_each_entry(access, [&](const audit::Held& held) { take(out.all, held); }));
  return out;
}

std::size_t telling_length(const std::vector<Workflow>& workflows) {
  std::vector<std::string_view> ids;
  for (const Workflow& workflow : workflows) ids.push_back(workflow.id);
  std::sort(ids.begin(), ids.end());
  std::size_t length = kShortestPrefix;
  for (std::size_t i = 1; i < ids.size(); ++i) {
    length = std::max(length, common_length(ids[i - 1], ids[i]) + 1);
  }
  return length;
}

Result<Workflow, Problem> find_workflow(const Workflows& workflows, const std::string& prefix) {
  const std::string wanted = upper_ascii(prefix);
  if (wanted.size() < kShortestPrefix) {
    return fail(bad_value("a workflow id needs at least 7 letters", "codegenie workflow list"));
  }
  const Workflow* found = nullptr;
  for (const Workflow& workflow : workflows.all) {
    if (!workflow.id.starts_with(wanted)) continue;
    if (found != nullptr) {
      return fail(bad_value("more than one workflow begins with " + printable(wanted),
                            "codegenie workflow list"));
    }
    found = &workflow;
  }
  if (found != nullptr) return *found;
  if (workflows.problem) return fail(*workflows.problem);
  return fail(Problem{ErrorCode::audit_no_entry,
                      "no workflow begins with " + printable(cut_utf8(wanted, 40)),
                      {},
                      "nothing was done",
                      {"codegenie workflow list"}});
}

Result<Story, Problem> read_story(const workspace::Access& access, const Workflow& workflow) {
  Story story;
  CG_TRY_ASSIGN(story.problem, for_each_entry_of(access, workflow.id, [&](const audit::Held& held) {
                  take(story, held);
                }));
  return story;
}

}  // namespace cg::history
