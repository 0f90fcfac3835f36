#include "flow/remediate/workshop.h"

#include <algorithm>
#include <set>

#include "base/base/assert.h"
#include "base/os/interrupt.h"
#include "base/os/ports.h"
#include "flow/history/kept_steps.h"
#include "flow/propose/handing_on.h"
#include "flow/remediate/bisection.h"
#include "flow/remediate/case_of.h"
#include "trust/hash/sha256.h"

namespace cg::remediate {

namespace {

/// Of a try that only served to find who is to blame: how it ended, and who answered for somebody
/// else. Verdicts of gates are told of what becomes a branch or is given up.
record::Events in_short(record::Events told) {
  std::erase_if(told, [](const record::Event& event) {
    return event.as<record::AttemptEnded>() == nullptr &&
           event.as<record::AnswerForged>() == nullptr;
  });
  return told;
}

constexpr const char* kLate = "the time limit was reached before it was proven";

}  // namespace

Result<proving::Proving, Problem> open_proving(const Given& given, propose::Situation& situation) {
  const job::Request& request = given.request;
  CG_TRY_ASSIGN(
      supplies::Sandbox sandbox,
      supplies::open_sandbox(request, situation.base.policy, given.access, given.surroundings));
  if (request.place == job::Place::host) {
    const std::string bare =
        "--unsafe-no-sandbox: the repository's own code runs on this machine as it is; nothing "
        "that runs so can pass";
    given.watcher.head(bare);
    given.out.warnings.push_back(bare);
  }
  std::unique_ptr<recall::Memory> memory;
  if (request.place != job::Place::host) {
    memory = std::make_unique<recall::Memory>(
        given.access.workspace.home, given.recording.id(), history::vouching(given.access),
        request.fresh ? recall::Use::fresh : recall::Use::recall);
  }
  return proving::Proving(given.access, situation, std::move(sandbox), std::move(memory),
                          given.out.preflight, given.watcher);
}

Result<Done, Problem> try_once(const Turn& turn, const propose::Group& group, unsigned number,
                               Fixing& fixing) {
  CG_TRY_ASSIGN(propose::Answer answer,
                turn.proposer.propose(group, number, fixing.history(), turn.events));
  const propose::Candidate* candidate = fixing.consider(number, std::move(answer), turn.events);
  if (candidate == nullptr) return Done{};
  CG_TRY_ASSIGN(proving::Applied applied,
                proving::apply(turn.access, turn.situation, candidate->plans));
  applied.files.insert(candidate->rewritten.begin(), candidate->rewritten.end());
  auto proofs = turn.proving.prove(fixing.title(), *candidate, applied, turn.events);
  if (os::interrupted() != 0) {
    fixing.abandon("the run was ended before this was settled");
    return Done{};
  }
  if (!proofs) return fail(std::move(proofs).error());
  fixing.judge(std::move(applied.files), *std::move(proofs), turn.told);
  return Done{};
}

bool Workshop::is_late() const {
  const auto& limit = order_.request.time_limit;
  const std::int64_t since = os::SystemClock().now().ms - out_.outcome.started.ms;
  return limit && since >= std::chrono::milliseconds(*limit).count();
}

Result<Done, Problem> Workshop::fix(const propose::Group& group) {
  if (group.handed_on && !group.fixes.empty()) return fix_on(group);
  const std::vector<propose::Group> parts = propose::parts_of(out_.outcome, group);
  return parts.size() > 1 ? fix_together(group, parts) : fix_alone(group);
}

Result<std::vector<propose::Group>, Problem> Workshop::begin(
    const std::vector<propose::Group>& groups, unsigned at_once) {
  CG_TRY_ASSIGN(std::vector<propose::Group> out, part_stuck(groups));
  CG_TRY(look_ahead(out, order_.request.jobs.value_or(at_once)));
  return out;
}

Result<std::vector<propose::Group>, Problem> Workshop::part_stuck(
    const std::vector<propose::Group>& groups) {
  std::vector<propose::Group> out;
  for (const propose::Group& group : groups) {
    std::set<std::string> lockfiles;
    for (const std::size_t number : group.fixes) {
      lockfiles.insert(out_.outcome.fixes[number - 1].lockfile);
    }
    std::set<std::string> stuck;
    if (lockfiles.size() > 1) {
      CG_TRY_ASSIGN(stuck, hands_.proving.stuck_among(lockfiles, events()));
    }
    if (stuck.empty() || stuck.size() == lockfiles.size()) {
      out.push_back(group);
      continue;
    }
    auto [unproven, others] = propose::split(out_.outcome, group, stuck);
    out.push_back(std::move(unproven));
    out.push_back(std::move(others));
  }
  return out;
}

Result<Done, Problem> Workshop::look_ahead(const std::vector<propose::Group>& groups,
                                           unsigned at_once) {
  if (groups.size() < 2 || at_once < 2) return Done{};
  std::vector<proving::Proving::Ahead> fixes;
  for (const propose::Group& group : groups) {
    // What was tried before, or takes a model, has to wait for its turn.
    if (group.handed_on || !history_[group.id].empty()) continue;
    record::Events none;  // told when it is its turn
    auto answer = hands_.recipes.propose(group, 1, {}, none);
    if (!answer) return fail(std::move(answer).error());
    auto* candidate = std::get_if<propose::Candidate>(&*answer);
    if (candidate == nullptr) continue;
    CG_TRY_ASSIGN(proving::Applied applied,
                  proving::apply(order_.access, order_.situation, candidate->plans));
    fixes.push_back({std::move(candidate->plans), std::move(applied)});
  }
  CG_TRY(hands_.proving.prove_ahead(
      fixes, at_once, [this] { return is_late() || os::interrupted() != 0; }, events()));
  return order_.recording.write();
}

Result<Done, Problem> Workshop::fix_together(const propose::Group& group,
                                             const std::vector<propose::Group>& parts) {
  Bisection bisection(parts.size());
  Tried kept;
  while (!is_late()) {
    const auto some = bisection.next();
    if (!some) break;
    if (os::interrupted() != 0) return leave();
    const propose::Group together = propose::joined(parts, *some);
    Tried tried;
    CG_TRY_ASSIGN(tried.attempted, attempt(together, 1, tried.told));
    if (os::interrupted() != 0) {
      if (!tried.attempted.passed) append(in_short(std::move(tried.told)));
      return leave();
    }
    if (tried.attempted.unprovable) {
      append(std::move(tried.told));
      return settle(group, std::move(tried.attempted));
    }
    if (tried.attempted.passed) {
      bisection.passed();
      kept = std::move(tried);
      continue;
    }
    bisection.failed();
    if (some->size() == 1) {
      alone_[together.id] = std::move(tried);
    } else {
      append(in_short(std::move(tried.told)));
    }
    CG_TRY(order_.recording.write());
  }
  if (kept.attempted.passed) {
    append(std::move(kept.told));
    CG_TRY(settle(propose::joined(parts, bisection.kept()), std::move(kept.attempted)));
  }
  // Those to blame; and if time ran out, those of which nobody knows.
  const std::vector<std::size_t>& settled = bisection.kept();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    if (std::find(settled.begin(), settled.end(), part) != settled.end()) continue;
    if (os::interrupted() != 0) return leave();
    CG_TRY(fix_alone(parts[part]));
  }
  return Done{};
}

/// What was tried to find who is to blame, in short: nothing more comes of it.
Result<Done, Problem> Workshop::leave() {
  for (auto& [group, tried] : alone_) append(in_short(std::move(tried.told)));
  alone_.clear();
  return order_.recording.write();
}

std::vector<propose::Group> Workshop::turned_down() {
  std::vector<propose::Group> out;
  for (const SettledGroup& one : out_.groups) {
    const Attempted& done = one.attempted;
    const bool judged = !done.passed && !done.gates.empty() && !done.unprovable && !done.untried &&
                        !done.for_a_person;
    const auto& history = history_[one.group.id];
    if (!judged || one.group.handed_on || history.empty()) continue;
    // What nobody may probe, a model may not either.
    if (std::holds_alternative<gate::Final>(gate::next({history.back()}))) continue;
    if (auto group = propose::asked_after(order_.situation, one.group,
                                          static_cast<unsigned>(history.size()))) {
      out.push_back(*std::move(group));
    }
  }
  return out;
}

/// What recipes came to stands until a model's plan comes to the gates.
Result<Done, Problem> Workshop::fix_on(const propose::Group& group) {
  if (is_late()) return Done{};
  const auto at = std::find_if(out_.groups.begin(), out_.groups.end(),
                               [&](const SettledGroup& one) { return one.group.id == group.id; });
  if (at != out_.groups.end()) {
    alone_[group.id].attempted = std::move(at->attempted);
    out_.groups.erase(at);
  }
  return fix_alone(group);
}

Result<Done, Problem> Workshop::fix_alone(const propose::Group& group) {
  Tried before = std::move(alone_[group.id]);
  append(std::move(before.told));
  CG_TRY_ASSIGN(Attempted attempted, attempt(group, most_of(group), events()));
  // Nothing else to try: what the gates said when it was told apart from others stands.
  if (!attempted.passed && attempted.gates.empty() && !before.attempted.gates.empty()) {
    before.attempted.why = std::move(attempted.why);
    before.attempted.stopped = std::move(attempted.stopped);
    attempted = std::move(before.attempted);
  }
  return settle(group, std::move(attempted));
}

/// As many as were asked for; those before the first question come on top.
unsigned Workshop::most_of(const propose::Group& group) const {
  return order_.request.attempts + (group.handed_on ? propose::unasked(*group.handed_on) : 0);
}

/// Until it passes, or `most` attempts have failed, those of earlier calls and of an interrupted
/// run included. `told` gets what the gates said.
Result<Attempted, Problem> Workshop::attempt(const propose::Group& group, unsigned most,
                                             record::Events& told) {
  propose::Proposer& proposer = group.handed_on ? *model_ : hands_.recipes;
  Fixing fixing(group, history_[group.id], most);
  while (const auto number = fixing.next()) {
    if (is_late()) {
      fixing.stop(kLate);
      break;
    }
    CG_TRY(try_once({order_.access, order_.situation, proposer, hands_.proving, events(), told},
                    group, *number, fixing));
    CG_TRY(order_.recording.write());
  }
  history_[group.id] = fixing.history();
  Attempted out = std::move(fixing).take();
  for (evidence::FailedAttempt& one : out.failed) out_.failed.push_back(std::move(one));
  out.failed.clear();
  std::move(out.mistakes.begin(), out.mistakes.end(), std::back_inserter(lessons_.mistakes));
  out.mistakes.clear();
  return out;
}

Result<WrittenBranch, Problem> Workshop::write(const report::Case& one, Attempted& attempted) {
  const Authors authors = authors_of(attempted.candidate);
  const BranchOrder order{order_.request, order_.situation.base.checkout, one, attempted.files,
                          authors};
  if (attempted.unprovable) {
    return write_branch(order, *attempted.unprovable, *order_.unproven, events());
  }
  std::optional<Proven> proof = Proven::of(std::move(attempted.proof));
  CG_ASSERT(proof.has_value());  // the types say of what; this, that there is some
  return write_branch(order, *std::move(proof), order_.right, events());
}

/// The branch of a group, if it passed or is to be kept. What a model thought of is for nobody to
/// keep that nothing was shown of.
Result<Done, Problem> Workshop::settle(const propose::Group& group, Attempted attempted) {
  SettledGroup settled{group, {}, std::move(attempted)};
  const bool kept = settled.attempted.unprovable && order_.unproven != nullptr && !group.handed_on;
  if (settled.attempted.passed || kept) {
    const bool recalled = !settled.attempted.candidate.branch.empty();
    report::Case one = case_of_group(out_.outcome, settled.attempted, order_.request);
    if (stale_.contains(one.branches.front().name)) {
      const std::string base = order_.situation.base.checkout.base();
      settled.attempted.candidate.branch = one.branches.front().name + "-on-" + base.substr(0, 12);
      one = case_of_group(out_.outcome, settled.attempted, order_.request);
    }
    CG_TRY_ASSIGN(WrittenBranch written, write(one, settled.attempted));
    if (settled.attempted.candidate.lesson && !written.proof.empty()) {
      lessons_.lessons.push_back({*settled.attempted.candidate.lesson, std::move(written.proof),
                                  settled.attempted.attempts});
    }
    // What is kept unproven has its gates beside its branch.
    if (kept && !out_.failed.empty()) out_.failed.pop_back();
    settled.branch = std::move(written.branch);
    commits_.push_back(std::move(written.commit));
    events().emplace_back(record::PlanCommitted{
        settled.branch.commit, group.id,
        hash::sha256(as_bytes(report::plan_text(one, one.branches.front())))});
    if (written.outcome == gitrepo::Written::Outcome::found) ++out_.found;
    if (recalled) out_.recalled.push_back(settled.branch.name);
    CG_TRY(order_.recording.write());
  } else if (!group.fixes.empty()) {
    // Never the name of a branch: what can be run may move the same packages (part_stuck).
    const std::string prefix = settled.attempted.unprovable ? order_.request.unproven_prefix()
                                                            : order_.request.branch_prefix;
    settled.branch = {name_branch(out_.outcome, group.fixes, order_.request.grouping, prefix), "",
                      group.fixes};
  }
  if (!settled.branch.name.empty()) {
    order_.watcher.head(std::string(standing_of(settled)) + ": " + settled.branch.name +
                        (settled.attempted.why.empty() ? "" : ": " + settled.attempted.why));
  }
  out_.groups.push_back(std::move(settled));
  return Done{};
}

void Workshop::append(record::Events told) {
  for (record::Event& event : told) events().push_back(std::move(event));
}

}  // namespace cg::remediate
