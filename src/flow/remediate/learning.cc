#include "flow/remediate/learning.h"

#include <algorithm>
#include <utility>

#include "base/base/text.h"
#include "base/os/interrupt.h"
#include "flow/handmade/proposer.h"
#include "flow/propose/handing_on.h"
#include "trust/audit/anchor.h"

namespace cg::remediate {

namespace {

/// What recipes leave to others, and what they have a plan for: that it has one says nothing of
/// whether it passes.
std::vector<propose::Group> groups_of(const Given& given, propose::Situation& situation,
                                      const std::vector<propose::LockPlan>& plans) {
  record::Events& events = given.recording.events();
  std::vector<propose::Group> out = propose::handed_on_groups(situation, plans, events);
  for (propose::Group& group : propose::parent_groups(situation, plans, events)) {
    out.push_back(std::move(group));
  }
  for (const propose::Group& group : propose::planned_groups(given.out.outcome)) {
    if (auto asked = propose::asked_after(situation, group, 0)) out.push_back(*std::move(asked));
  }
  return out;
}

std::string version_in(const propose::Candidate& candidate) {
  return candidate.leeway.targets.empty() ? "" : candidate.leeway.targets.front().version;
}

ExitCode exit_of(const std::vector<Taught>& all) {
  if (all.empty()) return ExitCode::not_applicable;
  const auto is_in = [](const Taught& one) { return !one.record.empty(); };
  return std::all_of(all.begin(), all.end(), is_in) ? ExitCode::ok : ExitCode::not_fixed;
}

/// Into the store, one by one, so that each is told with what became of it.
void remember(const Given& given, const workspace::Policy& policy, Taught& one) {
  precedent::Lessons lessons;
  lessons.lessons.push_back(
      {*one.attempted.candidate.lesson, std::move(one.attempted.proof), one.attempted.attempts});
  record::Events& events = given.recording.events();
  const std::size_t before = events.size();
  const std::vector<std::string> made = precedent::teach(
      given.access, policy, given.recording.id(), std::move(lessons), events, given.out.warnings);
  given.out.learned.insert(given.out.learned.end(), made.begin(), made.end());
  if (!made.empty()) one.record = made.front();
  for (std::size_t i = before; i < events.size(); ++i) {
    const auto* skipped = events[i].as<record::SolvedExampleSkipped>();
    if (skipped == nullptr) continue;
    one.record = skipped->record;
    one.known = !one.record.empty();
    if (!one.known) one.attempted.why = skipped->reason;
  }
}

}  // namespace

Result<handmade::Fix, Problem> read_handmade(const workspace::Access& access, job::Request& request,
                                             Time now) {
  CG_TRY_ASSIGN(const os::Dir repo, scan::open_repository(request.repo));
  CG_TRY_ASSIGN(const sign::AllowedSigners signers,
                audit::read_allowed_signers(access.workspace.home));
  CG_TRY_ASSIGN(handmade::Fix out, handmade::read_fix(repo.path(), request.lesson, signers, now));
  if (request.base.empty()) request.base = out.parent.hex();
  return out;
}

Result<Done, Problem> learn_from(const handmade::Fix& fix, const Given& given,
                                 propose::Situation& situation,
                                 const std::vector<propose::LockPlan>& plans) {
  const os::Interrupts caught;
  given.recording.events().emplace_back(record::PersonsFixRead{
      situation.base.checkout.base(), fix.commit.hex(), cut(fix.signer, 128)});
  const std::vector<propose::Group> groups = groups_of(given, situation, plans);
  Remediation& out = given.out;
  if (!groups.empty()) {
    handmade::Proposer proposer(situation, fix, out.warnings);
    CG_TRY_ASSIGN(proving::Proving proving, open_proving(given, situation));
    record::Events& events = given.recording.events();
    for (const propose::Group& group : groups) {
      Fixing fixing(group, {}, 1);
      while (const auto number = fixing.next()) {
        CG_TRY(try_once({given.access, situation, proposer, proving, events, events}, group,
                        *number, fixing));
        // Whoever wants to learn of a workflow reads what it has told.
        CG_TRY(given.recording.write());
      }
      if (os::interrupted() != 0) break;
      Taught one{*group.handed_on, "", {}, std::move(fixing).take(), "", false};
      one.to = version_in(one.attempted.candidate);
      for (const auto& [path, text] : one.attempted.candidate.rewritten) one.files.push_back(path);
      if (one.attempted.passed) remember(given, situation.base.policy, one);
      out.taught.push_back(std::move(one));
    }
    for (const std::string& line : proving.notes()) out.warnings.push_back(line);
  }
  out.outcome.exit = static_cast<int>(exit_of(out.taught));
  const int signal = os::interrupted();
  if (signal != 0) {
    out.outcome.outcome = report::Outcome::interrupted;
    out.outcome.exit = 128 + signal;
  }
  return given.recording.end(signal != 0 ? "interrupted" : "looked at");
}

}  // namespace cg::remediate
