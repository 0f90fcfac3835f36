#include "flow/propose/proposer.h"

namespace cg::propose {

namespace {

std::vector<plan::Tried> tried_of(const std::vector<gate::AttemptSummary>& history) {
  std::vector<plan::Tried> out;
  for (const gate::AttemptSummary& attempt : history) {
    for (const std::string& word : attempt.tried) {
      const std::size_t space = word.rfind(' ');
      if (space != std::string::npos)
        out.push_back({word.substr(0, space), word.substr(space + 1)});
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> brought_by(const Situation& situation, const Candidate& candidate) {
  std::set<std::string> moved;
  for (const LockPlan& one : candidate.plans) {
    std::set<std::string_view> known;
    for (const npm::Node& node : situation.lock(one.lock).graph.nodes()) {
      known.insert(node.location);
    }
    for (const edit::PutCopy& put : one.plan.lock.put) {
      if (known.contains(put.location))
        moved.insert(put.release->name + " " + put.release->version);
    }
  }
  std::vector<std::string> out(moved.begin(), moved.end());
  for (const auto& [path, bytes] : candidate.rewritten) out.push_back("rewritten " + path);
  return out;
}

std::vector<LockPlan> plans_as(Situation& situation, const Group& group, const Leeway& leeway,
                               const char* recipe) {
  std::vector<LockPlan> out =
      make_plans(situation, wanted_of(situation.base.scanned, group.copies), leeway);
  for (LockPlan& one : out) {
    for (plan::Fix& fix : one.plan.fixes) fix.recipe = recipe;
  }
  return out;
}

Result<Answer, Problem> Recipes::propose(const Group& group, unsigned /*number*/,
                                         const std::vector<gate::AttemptSummary>& history,
                                         record::Events& /*events*/) {
  Candidate out;
  out.leeway.tried = tried_of(history);
  out.plans = plans_for(situation_, plans_, group.fixes, out.leeway);
  out.brings = brought_by(situation_, out);
  Answer answer(GivenUp{history.empty()
                            ? "the fix does not stand alone; --group one may help"
                            : "there is no other fix that does not bring the same versions"});
  if (fixes_all(out.plans)) answer = std::move(out);
  return answer;
}

}  // namespace cg::propose
