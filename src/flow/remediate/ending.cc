#include "flow/remediate/ending.h"

#include "base/base/text.h"
#include "base/domain/tool.h"
#include "base/json/json.h"
#include "fix/report/report.h"
#include "flow/propose/model_proposer.h"
#include "flow/remediate/telling.h"
#include "flow/repository/context.h"
#include "trust/audit/anchor.h"
#include "trust/sign/sshsig.h"

namespace cg::remediate {

namespace {

/// Of the groups that became branches, in their order.
std::vector<std::vector<std::pair<std::string, std::string>>> documents_of(
    const std::vector<SettledGroup>& groups) {
  std::vector<std::vector<std::pair<std::string, std::string>>> out;
  for (const SettledGroup& group : groups) {
    if (!group.branch.commit.empty()) out.push_back(group.attempted.documents);
  }
  return out;
}

Result<Done, Problem> keep(const workspace::Access& access, const std::string& path,
                           const std::string& text) {
  auto made = access.workspace.home.make_dir("handoff");
  if (made) made = access.workspace.home.write_atomic(path, text);
  if (made) return Done{};
  return fail(Problem{ErrorCode::home_io,
                      "the handoff cannot be written",
                      {{"path", os::describe(made.error())}},
                      "the branches are there",
                      {}});
}

/// What is left for a person, if anything is.
Result<Done, Problem> hand_off(const job::Request& request, const workspace::Access& access,
                               workspace::Recording& recording, Remediation& out) {
  const std::string handoff = report::handoff(out.outcome);
  if (handoff.empty() || request.extent != job::Extent::branch) return Done{};
  out.handoff = "handoff/" + out.outcome.workflow + ".md";
  CG_TRY(keep(access, out.handoff, handoff));
  recording.events().emplace_back(record::HandoffWritten{out.handoff});
  return Done{};
}

}  // namespace

void add_untried(const std::vector<propose::Group>& all, std::vector<SettledGroup>& settled) {
  std::set<std::size_t> known;
  for (const SettledGroup& group : settled) {
    known.insert(group.group.fixes.begin(), group.group.fixes.end());
  }
  for (const propose::Group& group : all) {
    SettledGroup untried{group, {}, {}};
    std::erase_if(untried.group.fixes, [&](std::size_t fix) { return known.contains(fix); });
    untried.attempted.why = "the run was ended before this was settled";
    untried.attempted.untried = true;
    if (!untried.group.fixes.empty()) settled.push_back(std::move(untried));
  }
}

Together together(propose::Situation& situation, const std::vector<SettledGroup>& groups) {
  Together out;
  propose::Leeway leeway;
  std::set<std::string> fixed;
  const auto add = [](auto& list, const auto& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  for (const SettledGroup& group : groups) {
    const propose::Candidate& candidate = group.attempted.candidate;
    add(leeway.tried, candidate.leeway.tried);
    if (!group.attempted.passed) continue;
    add(leeway.targets, candidate.leeway.targets);
    out.rewritten.insert(candidate.rewritten.begin(), candidate.rewritten.end());
    out.authors.merge(authors_of(candidate));
    for (const propose::LockPlan& one : candidate.plans) {
      for (const plan::Copy& copy : one.plan.copies) {
        fixed.insert(propose::copy_key(one.plan.lockfile, copy.location, copy.advisory));
      }
    }
  }
  out.plans =
      propose::make_plans(situation, propose::wanted_of(situation.base.scanned, fixed), leeway);
  return out;
}

void heed_stops(Remediation& out, record::Events& events) {
  const report::Outcome outcome = out.outcome.outcome;
  const bool nothing =
      outcome == report::Outcome::not_fixed || outcome == report::Outcome::unproven;
  bool told = false;
  for (const SettledGroup& group : out.groups) {
    const auto& stopped = group.attempted.stopped;
    if (!stopped) continue;
    const ExitCode exit = propose::exit_of(*stopped);
    if (exit == ExitCode::guard || nothing) out.outcome.exit = static_cast<int>(exit);
    if (told || !nothing || stopped->ends_workflow()) continue;
    told = true;
    events.emplace_back(record::RemediationRefused{static_cast<std::uint64_t>(exit),
                                                   cut(group.attempted.why, 500)});
  }
}

Result<Done, Problem> end_refused(const job::Request& request, const workspace::Access& access,
                                  const propose::Base& base, workspace::Recording& recording,
                                  Remediation& out) {
  report::Case& c = out.outcome;
  const std::size_t found = base.scanned.scan.findings.size();
  c.repo = request.repo;
  c.base = base.checkout.base();
  c.index = base.scanned.scan.index;
  c.tool = tool_name();
  c.outcome = report::Outcome::refused;
  c.exit = static_cast<int>(ExitCode::needs_human);
  c.not_checked = out.refusals;
  c.findings = {found, found, 0};
  c.ended = os::SystemClock().now();
  recording.events().emplace_back(record::RemediationRefused{static_cast<std::uint64_t>(c.exit),
                                                             cut(out.refusals.front(), 500)});
  CG_TRY(hand_off(request, access, recording, out));
  return recording.end("refused");
}

Problem end_failed(const job::Request& request, const workspace::Access& access, Problem problem,
                   workspace::Recording& recording, Remediation& out) {
  tell_alarm(problem, recording.events());
  if (problem.exit() == ExitCode::needs_human) {
    out.outcome.repo = request.repo;
    out.outcome.outcome = report::Outcome::refused;
    out.outcome.not_checked = {problem.what};
    for (const auto& [label, value] : problem.where) {
      out.outcome.not_checked.push_back(label + ": " + value);
    }
    // If even that cannot be written, the problem itself is what has to be told.
    const auto kept = hand_off(request, access, recording, out);
    if (kept && !out.handoff.empty()) problem.where.emplace_back("handoff", out.handoff);
  }
  recording.give_up(problem);
  return problem;
}

Result<Done, Problem> end(const job::Request& request, const workspace::Access& access,
                          const propose::Situation& situation, const scan::Scanned& after,
                          std::vector<evidence::Commit> commits, workspace::Recording& recording,
                          Remediation& out) {
  report::Case& c = out.outcome;
  c.ended = os::SystemClock().now();
  CG_TRY(hand_off(request, access, recording, out));
  if (commits.empty() && out.failed.empty())
    return recording.end(std::string(report::name(c.outcome)));
  c.evidence = evidence::folder_of(c.workflow);
  const plugin::Plugin& plugin = situation.plugin();
  const evidence::Parts parts{situation.base.scanned.scan,
                              after.scan,
                              std::move(commits),
                              documents_of(out.groups),
                              std::move(out.failed),
                              out.kept.files(),
                              out.kept.left_out(),
                              json::write_json_pretty(repository::to_json(
                                  repository::gather(situation.base.checkout.files()))),
                              plugin.manifest.name,
                              "sha256:" + to_hex(plugin.digest)};
  std::optional<sign::Seed> key;
  if (!request.sign.empty()) {
    CG_TRY_ASSIGN(key, audit::read_signing_key(request.sign.substr(4)));
    recording.events().emplace_back(
        record::EvidenceSigned{sign::ssh_fingerprint(sign::public_key(*key))});
  }
  // What came of the plan that the stream began with. The digest of the evidence is its last word.
  recording.events().emplace_back(evidence::settled(c));
  evidence::Draft draft = evidence::draft_bundle(c, parts);
  recording.events().emplace_back(record::EvidenceWritten{draft.digest, c.evidence});
  CG_TRY(recording.end(std::string(report::name(c.outcome))));
  CG_TRY(evidence::write_bundle(access.workspace.home, std::move(draft), key));
  return Done{};
}

}  // namespace cg::remediate
