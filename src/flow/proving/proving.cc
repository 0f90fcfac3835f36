#include "flow/proving/proving.h"

#include <algorithm>
#include <set>

#include "base/base/text.h"
#include "flow/proving/loading.h"
#include "flow/repository/files.h"
#include "prove/gate/flaky.h"
#include "prove/gate/run_trial.h"
#include "prove/preflight/preflight.h"
#include "prove/runners/tsconfig.h"

namespace cg::proving {

namespace {

/// The registries that are configured for these packages, and the origins that the base
/// trusted already.
std::vector<std::string> known_registries(const catalog::Catalog& catalog, const npm::Graph& before,
                                          const npm::Graph& after) {
  std::set<std::string> out;
  for (const npm::Node& node : after.nodes()) {
    const registry::Choice* choice = catalog.config().registry_for(node.name);
    if (choice != nullptr) out.insert(choice->url.str());
  }
  for (const npm::Node& node : before.nodes()) {
    if (node.source != npm::Source::registry) continue;
    const std::size_t scheme = node.resolved.find("://");
    if (scheme == std::string_view::npos) continue;
    const std::size_t end = node.resolved.find('/', scheme + 3);
    if (end != std::string_view::npos) out.emplace(node.resolved.substr(0, end + 1));
  }
  return {out.begin(), out.end()};
}

std::vector<gate::AdvisoryAt> advisories_of(const npm::Graph& graph,
                                            const std::vector<findings::Hit>& hits) {
  std::vector<gate::AdvisoryAt> out;
  for (const findings::Hit& hit : hits) {
    const npm::Node& node = graph.node(hit.node);
    out.push_back({hit.advisory, std::string(node.name), std::string(node.location)});
  }
  std::sort(out.begin(), out.end());
  return out;
}

gate::Checks checks_of(const os::Dir& repo, const repository::LoadedLock& lock) {
  const auto read = [&](const std::string& path) -> std::optional<std::string> {
    auto text = repo.read(repository::join(lock.folder(), path), runners::kMaxTsconfigBytes);
    return text ? std::optional(*std::move(text)) : std::nullopt;
  };
  static const npm::Manifest kNone;
  return gate::checks_of(lock.manifests.empty() ? kNone : lock.manifests.front(), lock.graph,
                         runners::projects_of(read));
}

}  // namespace

void Proving::note(std::string line) {
  if (std::find(notes_.begin(), notes_.end(), line) == notes_.end()) {
    notes_.push_back(std::move(line));
  }
}

/// A base that fails in part can be compared, and may still fail for want of an install script.
void Proving::note_failures(const repository::LoadedLock& lock, const gate::Trial& base) {
  const std::string hint = preflight::scripts_hint(obstacles_, lock.path);
  if (hint.empty()) return;
  for (const std::string_view name : {"typecheck.typescript", "build", "tests"}) {
    const gate::StepRun* step = base.step(name);
    if (step == nullptr || step->success) continue;
    return note(printable(lock.path) + ": " + step->name + " fails at the base (" +
                step->facts.ending + ")" + hint);
  }
}

void Proving::take_told(Staged& staged, record::Events& events) {
  for (std::string& line : std::exchange(staged.told->notes, {})) note(std::move(line));
  for (record::Event& event : std::exchange(staged.told->events, {})) {
    events.push_back(std::move(event));
  }
  for (record::Event& event : staged.room->take_events()) {
    if (event.as<record::RecallRefused>() != nullptr) {
      note(
          "what was kept of an earlier run is not what the log says it was, and was not used: "
          "codegenie audit verify");
    }
    events.push_back(std::move(event));
  }
  for (const std::string& workflow : staged.room->recalled()) {
    if (workflow == memory_->workflow()) continue;
    note("steps that workflow " + workflow +
         " ran on the same files were not run again; --fresh runs everything");
  }
}

Result<gate::Trial, Problem> Proving::run(Staged& staged, const gate::Setup& setup,
                                          record::Events& events) {
  auto trial = gate::run_trial(
      *staged.room, setup, [&](const gate::Progress& at) { watcher_.step(at); },
      [&](std::string_view bytes) { watcher_.output(bytes); });
  take_told(staged, events);
  if (trial) {
    kept_.take(*trial, name(staged.side));
    for (const gate::StepRun& step : trial->steps) {
      if (step.no_git.empty()) continue;
      note("in the sandbox the tree is no git repository, so tests that call git fail: " +
           printable(step.no_git));
    }
    return *std::move(trial);
  }
  if (staged.room->problem()) return fail(*staged.room->problem());
  return fail(chamber_problem(trial.error()));
}

/// The tests alone, added to what the trial has of them.
Result<Done, Problem> Proving::run_again(Staged& staged, gate::Trial& trial,
                                         record::Events& events) {
  auto tests = gate::run_tests_again(
      *staged.room, staged.setup, static_cast<unsigned>(trial.again.size()) + 1,
      [&](const gate::Progress& at) { watcher_.step(at); },
      [&](std::string_view bytes) { watcher_.output(bytes); });
  take_told(staged, events);
  if (!tests) return fail(chamber_problem(tests.error()));
  trial.again.push_back(*std::move(tests));
  return Done{};
}

Result<Proving::Base*, Problem> Proving::base_of(std::size_t lock, gate::Checks checks,
                                                 record::Events& events) {
  const auto known = bases_.find(lock);
  if (known != bases_.end()) return &known->second;
  const repository::LoadedLock& loaded = situation_.lock(lock);
  watcher_.head("at the base: " + loaded.path);
  checks.load = false;
  std::vector<std::string> notes;
  CG_TRY_ASSIGN(Staged staged, staging_->stage({.side = Side::base,
                                                .slot = "base-" + std::to_string(lock),
                                                .lock = &loaded,
                                                .checks = std::move(checks)},
                                               notes));
  for (std::string& line : notes) note(std::move(line));
  // Nothing of a fix is there yet to whom this could tell when its own challenge is.
  staged.setup.challenge.turn = gate::Challenge::Turn::second;
  CG_TRY_ASSIGN(gate::Trial trial, run(staged, staged.setup, events));
  return &bases_.emplace(lock, Base{std::move(staged), std::move(trial)}).first->second;
}

/// What the packages that `loading` names answer at the base, added to `trial`.
Result<Done, Problem> Proving::load(Base& base, gate::Trial& trial, const gate::Loading& loading,
                                    record::Events& events) {
  if (loading.targets.empty()) return Done{};
  gate::Setup setup = base.staged.setup;
  setup.checks = {};
  setup.checks.lock = base.staged.setup.checks.lock;
  setup.checks.load = true;
  for (const gate::LoadTarget& target : loading.targets) setup.load.push_back(target.before);
  watcher_.head("at the base: what the fix wants loaded");
  CG_TRY_ASSIGN(gate::Trial loaded, run(base.staged, setup, events));
  if (const gate::StepRun* step = loaded.step("load")) trial.steps.push_back(*step);
  trial.loads = std::move(loaded.loads);
  return Done{};
}

/// Until it is clear which of the new failures are there now and then, on both sides.
Result<Done, Problem> Proving::look_again(Base& base, gate::Trial& before, Staged& fixed,
                                          gate::Trial& after, record::Events& events) {
  using runners::Outcome;
  const std::vector<std::string> open = gate::suspects(before, after);
  if (open.empty()) return Done{};
  watcher_.head("again, for " + counted(open.size(), "new failure", "new failures"));
  std::vector<std::string> passing;
  while (after.again.size() < gate::kMaxReruns && passing.size() < open.size()) {
    CG_TRY(run_again(fixed, after, events));
    passing = gate::with_outcome(open, after.again, Outcome::passed);
    if (passing.empty()) return Done{};  // they fail each time
  }
  while (before.again.size() < gate::kMaxReruns &&
         gate::with_outcome(passing, before.again, Outcome::failed).size() < passing.size()) {
    CG_TRY(run_again(base.staged, before, events));
  }
  return Done{};
}

/// By policy; where that leaves it to us, by how much a weak proof has to carry: a version that
/// hardly anybody has used yet, or one that brings an install script, is for a person.
gate::WeakProof Proving::weak_proof(const propose::LockPlan& plan) const {
  switch (situation_.base.policy.weak_tests) {
    case workspace::WeakTests::allow:
      return gate::WeakProof::allow;
    case workspace::WeakTests::handoff:
      return gate::WeakProof::handoff;
    case workspace::WeakTests::refuse:
      return gate::WeakProof::refuse;
    case workspace::WeakTests::by_risk:
      break;
  }
  const npm::Graph& before = situation_.lock(plan.lock).graph;
  const int days = std::max(situation_.base.policy.cooldown_days, workspace::kYoungDays);
  const std::int64_t young = situation_.now.ms - std::int64_t{days} * 24 * 3600 * 1000;
  for (const edit::PutCopy& put : plan.plan.lock.put) {
    const registry::Release& release = *put.release;
    const bool had_script =
        std::any_of(before.nodes().begin(), before.nodes().end(), [&](const npm::Node& node) {
          return node.name == release.name && node.flags.install_script;
        });
    if (release.install_script && !had_script) return gate::WeakProof::handoff;
    const registry::Packument* packument = situation_.catalog->get(release.name);
    const auto version = semver::Version::parse(release.version, {.loose = true});
    const auto at = packument != nullptr && version ? packument->find(*version) : std::nullopt;
    const auto published = at ? packument->published(*at) : std::nullopt;
    if (published && published->ms > young) return gate::WeakProof::handoff;
  }
  return gate::WeakProof::allow;
}

gate::Comparison Proving::comparison_of(const propose::LockPlan& plan, const scan::Scanned& fixed,
                                        gate::Checks checks) const {
  const npm::Graph& before = situation_.lock(plan.lock).graph;
  const npm::Graph& after = fixed.loaded.locks[plan.lock].graph;
  gate::Comparison out;
  out.checks = std::move(checks);
  out.lock_before = gate::lock_side(before);
  out.lock_after = gate::lock_side(after);
  out.registries = known_registries(*situation_.catalog, before, after);
  out.advisories_before = advisories_of(before, situation_.base.scanned.hits[plan.lock]);
  out.advisories_after = advisories_of(after, fixed.hits[plan.lock]);
  out.weak = weak_proof(plan);
  for (const plan::Copy& copy : plan.plan.copies) {
    if (copy.fate == plan::Fate::fixed) {
      out.to_fix.push_back({copy.advisory, copy.package, copy.location});
    }
  }
  return out;
}

Proving::Plan Proving::plan_of(const propose::LockPlan& plan, const Applied& applied) const {
  const repository::LoadedLock& before = situation_.lock(plan.lock);
  const npm::Graph& after = applied.after.loaded.locks[plan.lock].graph;
  Plan out;
  out.moved = gate::moved_between(before.graph, after);
  out.checks = checks_of(situation_.base.checkout.files(), before);
  gate::set_load(out.checks, out.moved);
  out.loading = gate::targets_of(out.moved, before.graph, after);
  return out;
}

Result<Staged, Problem> Proving::stage_fix(const propose::LockPlan& plan, const Applied& applied,
                                           const Plan& planned, const std::string& slot) {
  std::vector<std::string> known;  // the base told of them
  CG_TRY_ASSIGN(Staged out, staging_->stage({.side = Side::fix,
                                             .slot = slot,
                                             .lock = &applied.after.loaded.locks[plan.lock],
                                             .checks = planned.checks,
                                             .files = applied.files},
                                            known));
  for (const gate::LoadTarget& target : planned.loading.targets) {
    out.setup.load.push_back(target.after);
  }
  return out;
}

Result<std::set<std::string>, Problem> Proving::stuck_among(const std::set<std::string>& lockfiles,
                                                            record::Events& events) {
  std::set<std::string> out;
  for (std::size_t i = 0; i < situation_.base.scanned.loaded.locks.size(); ++i) {
    const repository::LoadedLock& lock = situation_.lock(i);
    if (!lockfiles.contains(lock.path)) continue;
    bool stuck = !preflight::why_blocked(obstacles_, lock.path).empty();
    if (!stuck) {
      const gate::Checks checks = checks_of(situation_.base.checkout.files(), lock);
      CG_TRY_ASSIGN(const Base* base, base_of(i, checks, events));
      stuck = !gate::why_unprovable(base->trial, checks).empty();
    }
    if (stuck) out.insert(lock.path);
  }
  return out;
}

Result<std::vector<Proof>, Problem> Proving::prove(const std::string& title,
                                                   const propose::Candidate& candidate,
                                                   const Applied& applied, record::Events& events) {
  std::vector<Proof> out;
  for (const propose::LockPlan& one : candidate.plans) {
    const repository::LoadedLock& before = situation_.lock(one.lock);
    const npm::Graph& after = applied.after.loaded.locks[one.lock].graph;
    Plan planned = plan_of(one, applied);
    if (std::string why = preflight::why_blocked(obstacles_, before.path); !why.empty()) {
      out.push_back(
          {before.path, gate::unprovable({}, std::move(why),
                                         comparison_of(one, applied.after, planned.checks))});
      continue;
    }
    CG_TRY_ASSIGN(Base * base, base_of(one.lock, planned.checks, events));
    if (std::string why = gate::why_unprovable(base->trial, planned.checks); !why.empty()) {
      // An install that runs no scripts does not fail for want of them.
      const gate::StepRun* install = base->trial.step("install");
      if (install == nullptr || install->success) {
        why += preflight::scripts_hint(obstacles_, before.path);
      }
      out.push_back(
          {before.path, gate::unprovable(base->trial, std::move(why),
                                         comparison_of(one, applied.after, planned.checks))});
      continue;
    }
    note_failures(before, base->trial);
    gate::Trial at_base = base->trial;
    CG_TRY(load(*base, at_base, planned.loading, events));
    CG_TRY(add_faults(planned.loading, planned.moved, before.graph, after, *situation_.catalog));
    CG_TRY(add_own_faults(planned.loading, planned.moved, before.graph, after, one.lock, situation_,
                          candidate.rewritten));

    watcher_.head(title);
    CG_TRY_ASSIGN(Staged staged, stage_fix(one, applied, planned, "fix"));
    const bool by_name = candidate.shows == propose::Shows::by_name;
    staged.setup.base = &at_base;
    // What fails of a version alone, or of a model's plan, is told to a model: all of it is run.
    if (!by_name && candidate.kind.empty()) staged.setup.loading = &planned.loading;
    CG_TRY_ASSIGN(gate::Trial fix, run(staged, staged.setup, events));
    CG_TRY(look_again(*base, at_base, staged, fix, events));

    gate::Comparison comparison = comparison_of(one, applied.after, std::move(planned.checks));
    comparison.loading = std::move(planned.loading);
    if (by_name && comparison.weak == gate::WeakProof::allow) {
      comparison.weak = gate::WeakProof::handoff;
    }
    out.push_back({before.path, gate::judge(at_base, fix, comparison)});
  }
  return out;
}

}  // namespace cg::proving
