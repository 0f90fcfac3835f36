#include "prove/evidence/tale.h"

#include <algorithm>
#include <utility>

#include "base/base/text.h"

namespace cg::evidence {

std::vector<const Tried*> Tale::last_tries() const {
  std::vector<const Tried*> out;
  for (const Tried& tried : tries) {
    if (tried.signals.empty()) continue;  // nothing was proposed, so no gate saw it
    const auto same = std::find_if(out.begin(), out.end(), [&](const Tried* other) {
      return other->ended.group == tried.ended.group;
    });
    if (same == out.end()) {
      out.push_back(&tried);
    } else {
      *same = &tried;
    }
  }
  return out;
}

void Telling::fault(std::string what) {
  if (tale_.fault.empty()) tale_.fault = std::move(what);
}

void Telling::end_attempt(const record::AttemptEnded& ended) {
  Tried tried{std::exchange(open_, {}), std::exchange(weak_, {}), ended};
  tried.weak.resize(tried.signals.size());
  for (const record::SignalJudged& signal : tried.signals) {
    if (signal.group != ended.group || signal.attempt != ended.attempt) {
      fault("has a verdict on " + printable(signal.signal) + " in an attempt that is not its own");
    }
  }
  if (tried.passed() && tried.signals.empty()) fault("has an attempt that passed without a gate");
  tale_.tries.push_back(std::move(tried));
  used_.push_back(false);
}

/// Told right after the signal that it is about.
void Telling::take_weak(const record::ProofWeak& weak) {
  if (open_.empty() || open_.back().signal != weak.signal || open_.back().group != weak.group) {
    return fault("calls weak what it does not judge: " + printable(weak.signal));
  }
  weak_.resize(open_.size());
  weak_.back() = weak.reason;
}

void Telling::begin_branch(const record::BranchWritten& written) {
  const bool proven = !tale_.tries.empty() && tale_.tries.back().passed() && !used_.back();
  if (!proven) {
    return fault("has branch " + printable(written.branch) +
                 " without an attempt that passed right before it");
  }
  used_.back() = true;
  tale_.branches.push_back({written, std::nullopt, tale_.tries.size() - 1, false});
}

void Telling::begin_unproven(const record::UnprovenWritten& written) {
  const bool known = !tale_.tries.empty() && tale_.tries.back().unprovable() && !used_.back();
  if (!known) {
    return fault("has unproven branch " + printable(written.branch) +
                 " without an attempt right before it that could not be judged");
  }
  used_.back() = true;
  tale_.branches.push_back({{written.branch, written.commit, written.state},
                            std::nullopt,
                            tale_.tries.size() - 1,
                            true});
}

void Telling::take_plan(const record::PlanCommitted& plan) {
  if (tale_.branches.empty() || tale_.branches.back().plan ||
      tale_.branches.back().written.commit != plan.commit) {
    return fault("has a plan of commit " + printable(plan.commit) + ", of which it has no branch");
  }
  tale_.branches.back().plan = plan;
}

void Telling::take(const record::Event& event) {
  const auto keep = [&](auto& list) {
    using E = typename std::remove_reference_t<decltype(list)>::value_type;
    if (const auto* e = event.as<E>()) list.push_back(*e);
  };
  keep(tale_.started);
  keep(tale_.provenance);
  keep(tale_.plugins);
  keep(tale_.plans);
  keep(tale_.sandboxes);
  keep(tale_.unprovable);
  keep(tale_.steps);
  keep(tale_.accepted);
  keep(tale_.set_aside);
  if (event.as<record::CassetteLoaded>() != nullptr && !tale_.played_from) {
    tale_.played_from = tale_.set_aside.size();
  }
  keep(tale_.settled);
  keep(tale_.signers);
  keep(tale_.evidence);
  keep(open_);
  // Seen by an earlier workflow: as good as run, and told apart by its own kind.
  if (const auto* e = event.as<record::StepRecalled>()) {
    tale_.sandboxes.push_back({e->isolation, "", e->side});
    tale_.steps.push_back({e->ending, e->err, 0, e->out, e->side, e->step});
  }
  // What a model said to an earlier workflow is a model's all the same.
  if (const auto* e = event.as<record::PlanRecalled>()) {
    tale_.accepted.push_back({e->attempt, {}, e->group, e->kind, {}});
  }
  if (const auto* e = event.as<record::RagHit>(); e != nullptr && e->status == record::kCarried) {
    tale_.carried.push_back(*e);
  }
  if (const auto* e = event.as<record::AttemptEnded>()) end_attempt(*e);
  if (const auto* e = event.as<record::ProofWeak>()) take_weak(*e);
  if (const auto* e = event.as<record::BranchWritten>()) begin_branch(*e);
  if (const auto* e = event.as<record::UnprovenWritten>()) begin_unproven(*e);
  if (const auto* e = event.as<record::PlanCommitted>()) take_plan(*e);
  tale_.ends_with_evidence = event.as<record::EvidenceWritten>() != nullptr;
}

Tale Telling::finish() && {
  if (!open_.empty()) fault("has verdicts of an attempt that never ended");
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (tale_.tries[i].passed() && !used_[i]) fault("has an attempt that passed without a branch");
  }
  return std::move(tale_);
}

}  // namespace cg::evidence
