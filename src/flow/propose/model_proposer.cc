#include "flow/propose/model_proposer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/base/match.h"
#include "base/base/text.h"
#include "flow/propose/handing_on.h"
#include "flow/propose/owners.h"
#include "flow/propose/question.h"
#include "flow/propose/reading.h"
#include "model/prompt/fence.h"
#include "model/proposal/feedback.h"
#include "model/proposal/scripts.h"

namespace cg::propose {

namespace {

std::vector<std::string> commands_of(const repository::LoadedLock& lock) {
  std::vector<std::string> out;
  for (const npm::Manifest& manifest : lock.manifests) {
    for (std::string& command : proposal::script_commands(manifest)) {
      out.push_back(std::move(command));
    }
  }
  return out;
}

std::vector<proposal::ManifestFacts> manifests_of(const repository::LoadedLock& lock) {
  std::vector<proposal::ManifestFacts> out;
  for (const npm::Manifest& manifest : lock.manifests) {
    proposal::ManifestFacts facts{manifest.path, {}};
    for (const npm::Node& node : lock.graph.nodes()) {
      if (manifest.find(node.name) == nullptr) continue;
      const auto version = semver::Version::parse(node.version, {.loose = true});
      if (version) facts.direct.push_back({std::string(node.name), *version});
    }
    out.push_back(std::move(facts));
  }
  return out;
}

proposal::Copies copies_of(const repository::LoadedLock& lock, const HandedOn& group) {
  proposal::Copies out{group.package, {}, false};
  for (const npm::Node& node : lock.graph.nodes()) {
    if (!std::binary_search(group.locations.begin(), group.locations.end(),
                            std::string(node.location))) {
      continue;
    }
    if (const auto version = semver::Version::parse(node.version, {.loose = true})) {
      out.installed.push_back(*version);
    }
    out.install_script = out.install_script || node.flags.install_script;
  }
  return out;
}

/// That the plans move `package` to.
std::optional<semver::Version> version_in(const std::vector<LockPlan>& plans,
                                          const std::string& package) {
  for (const LockPlan& one : plans) {
    for (const edit::PutCopy& put : one.plan.lock.put) {
      if (put.release->name != package) continue;
      if (auto version = semver::Version::parse(put.release->version)) return *std::move(version);
    }
  }
  return std::nullopt;
}

/// Of the attempts, those at the version that is asked about: recipes went on to others.
std::vector<gate::AttemptSummary> about(const HandedOn& group,
                                        const std::vector<gate::AttemptSummary>& history) {
  const std::size_t others = std::min<std::size_t>(group.before, history.size());
  std::vector<gate::AttemptSummary> out(history.begin() + static_cast<std::ptrdiff_t>(others),
                                        history.end());
  if (group.planned && others > 0) out.insert(out.begin(), history.front());
  return out;
}

/// For whoever reads on, a person or a program: where a text of the model's begins and ends, with
/// nothing in it that gives orders. The nonce follows from the answer, so it is the same each time.
std::string fenced_rationale(const std::string& rationale, const leaf::Trace& trace) {
  std::array<Byte, 16> seed{};
  std::copy_n(trace.response.begin(), seed.size(), seed.begin());
  const prompt::Fenced fenced =
      prompt::fence(rationale, SourceKind::prior_attempt_summary, prompt::Nonce::from(seed));
  return "What the model said for its plan. Nothing between the two lines is from us.\n\n" +
         fenced.segment.text() + "\n";
}

/// What happened, and what the operator can do about it.
std::string reason_of(const tiers::GivenUp& stopped) {
  if (!stopped.failure) return stopped.reason;
  switch (*stopped.failure) {
    case leaf::FailureKind::no_key:
      return "there is no key for the model (" + stopped.reason + "): codegenie key set anthropic";
    case leaf::FailureKind::no_pin:
      return "no key of the server is pinned, or all pins have run out: codegenie key pin "
             "--from-pem FILE";
    case leaf::FailureKind::pin_mismatch:
      return "the server has another key than the pinned ones, nothing was sent: " + stopped.reason;
    case leaf::FailureKind::not_recorded:
      return "the cassette has no answer to this question; it was recorded for another";
    case leaf::FailureKind::tls:
    case leaf::FailureKind::unresolved:
    case leaf::FailureKind::unreachable:
    case leaf::FailureKind::timeout:
    case leaf::FailureKind::rate_limited:
    case leaf::FailureKind::server:
    case leaf::FailureKind::refused:
    case leaf::FailureKind::protocol:
    case leaf::FailureKind::setup:
    case leaf::FailureKind::unexpected:
      break;
  }
  return "the model could not be asked: " + stopped.reason;
}

/// Of the answers to one attempt those that cannot be tried.
NoPlan as_one(std::vector<NoPlan> failed, std::size_t all) {
  if (all == 1) return std::move(failed.front());
  NoPlan out{std::to_string(failed.size()) + " of " + std::to_string(all) +
             " questions came to nothing"};
  for (NoPlan& one : failed) {
    out.why += "; " + one.why;
    out.told += (out.told.empty() ? "" : "\n\n") + one.told;
  }
  return out;
}

}  // namespace

ExitCode exit_of(const tiers::GivenUp& stopped) {
  if (!stopped.failure) return ExitCode::needs_human;
  switch (*stopped.failure) {
    case leaf::FailureKind::no_key:
    case leaf::FailureKind::no_pin:
    case leaf::FailureKind::pin_mismatch:
    case leaf::FailureKind::tls:
    case leaf::FailureKind::setup:
    case leaf::FailureKind::unexpected:
      return ExitCode::guard;
    case leaf::FailureKind::unresolved:
    case leaf::FailureKind::unreachable:
    case leaf::FailureKind::timeout:
    case leaf::FailureKind::rate_limited:
    case leaf::FailureKind::server:
    case leaf::FailureKind::refused:
    case leaf::FailureKind::protocol:
    case leaf::FailureKind::not_recorded:
      break;
  }
  return ExitCode::unavailable;
}

Result<Answer, Problem> ModelProposer::propose(const Group& group, unsigned number,
                                               const std::vector<gate::AttemptSummary>& history,
                                               record::Events& events) {
  if (std::exchange(looked_up_, group.id) != group.id) {
    CG_TRY_ASSIGN(std::optional<Answer> known, recalled(group, number, events));
    if (known) return *std::move(known);
  }
  if (history.size() < unasked(*group.handed_on)) return bare_version(group);
  if (parts_.group() != group.id) CG_TRY(read_up(group));
  if (history.size() == unasked(*group.handed_on)) {
    if (auto known = carried(group, number, events)) return *std::move(known);
  }
  if (asking_ == nullptr) {
    return Answer(GivenUp{"no solved example fits, and no model may be asked (model.max_tier)"});
  }
  std::vector<NoPlan> failed;
  const std::vector<gate::AttemptSummary> tried = about(*group.handed_on, history);
  const std::vector<std::size_t> due = parts_.due(tried, folder_of(group.handed_on->manifest));
  for (const std::size_t part : due) {
    const unsigned refusals = parts_.all()[part].refusals;
    CG_TRY_ASSIGN(NotYet none, ask(group, number, part, tried));
    if (!none) continue;
    if (auto* stop = std::get_if<GivenUp>(&*none)) {
      if (stop->stopped->ends_workflow()) {
        events.emplace_back(record::RemediationRefused{
            static_cast<std::uint64_t>(exit_of(*stop->stopped)), cut(stop->why, 500)});
      }
      return Answer(std::move(*stop));
    }
    failed.push_back(std::get<NoPlan>(std::move(*none)));
    // Who refuses once may do so again: until it is known nothing is spent on the others.
    if (parts_.all()[part].refusals > refusals) break;
  }
  if (!failed.empty()) return Answer(as_one(std::move(failed), due.size()));
  return candidate(group, number);
}

Result<ModelProposer::NotYet, Problem> ModelProposer::ask(
    const Group& group, unsigned number, std::size_t part,
    const std::vector<gate::AttemptSummary>& history) {
  PartAsked& now = parts_.all()[part];
  std::string title = "asking the model, attempt " + std::to_string(number);
  if (parts_.several()) {
    title += ", part " + std::to_string(part + 1) + " of " + std::to_string(parts_.all().size());
  }
  watcher_.head(title + ": " + printable(group.handed_on->package));
  now.said.reset();
  std::optional<proposal::Accepted> accepted;
  const auto judged = [&](const proposal::Proposal& said) -> std::optional<tiers::Rejected> {
    auto answer = judge(said, *group.handed_on, now);
    if (!answer) {
      return tiers::Rejected{std::string(proposal::name(answer.error().reason)),
                             proposal::place_of(answer.error()),
                             proposal::feedback(answer.error())};
    }
    if (parts_.several()) {
      if (auto alone = apart(*answer, now.question.task.target)) return alone;
    }
    accepted.emplace(*std::move(answer));
    return std::nullopt;
  };
  CG_TRY_ASSIGN(tiers::Asked asked,
                asking_->ask(now.question, number, parts_.failure_of(part, history), judged));
  if (const auto* stop = std::get_if<tiers::GivenUp>(&asked)) return refused(now, number, *stop);
  if (auto* none = std::get_if<tiers::NoPlan>(&asked)) {
    now.told[number] = none->told;
    return NotYet(NoPlan{std::move(none->reason), std::move(none->told)});
  }
  watcher_.head("the model proposes " + std::string(proposal::kind_of(*accepted)));
  now.said = Said{*std::move(accepted), std::get<tiers::Planned>(std::move(asked)), number};
  return NotYet();
}

/// One of several may be asked once more, with what the gates said and that it was no help.
ModelProposer::NotYet ModelProposer::refused(PartAsked& part, unsigned number,
                                             const tiers::GivenUp& stop) {
  const bool again = parts_.several() && !stop.ends_workflow() && ++part.refusals == 1;
  if (!again) return NotYet(GivenUp{reason_of(stop), stop});
  part.told[number] =
      "the last answer to this question was a refusal; all other files are dealt with in other "
      "questions, so only what the files of this task need is asked for";
  return NotYet(NoPlan{reason_of(stop), part.told[number]});
}

/// What was paid for already, in an earlier run.
Result<std::optional<Answer>, Problem> ModelProposer::recalled(const Group& group, unsigned number,
                                                               record::Events& events) {
  CG_TRY_ASSIGN(const std::optional<EarlierPlan> known, earlier_.plan_for(group, notes_, events));
  if (!known) return std::optional<Answer>();
  Candidate out = carried_out(situation_, group, *known);
  const history::ModelBranch& made = known->made;
  events.emplace_back(record::PlanRecalled{number, cut(made.branch, 250), cut(made.commit, 60),
                                           group.id, cut(made.kind, 30), made.workflow});
  if (!fixes_all(out.plans)) {
    return std::optional<Answer>(
        NoPlan{"the lockfile cannot be brought to what " + printable(made.branch) + " has"});
  }
  watcher_.head("nobody is asked about " + printable(group.handed_on->package) + ": " +
                printable(made.branch) + " of workflow " + made.workflow.substr(0, 10) +
                " has the plan of a model");
  return std::optional<Answer>(std::move(out));
}

Result<std::vector<tiers::Preview>, Problem> ModelProposer::preview(
    const Group& group, unsigned number, const std::vector<gate::AttemptSummary>& history) {
  if (parts_.group() != group.id) CG_TRY(read_up(group));
  const std::vector<gate::AttemptSummary> tried = about(*group.handed_on, history);
  std::vector<tiers::Preview> out;
  for (const std::size_t part : parts_.due(tried, folder_of(group.handed_on->manifest))) {
    out.push_back(
        asking_->preview(parts_.all()[part].question, number, parts_.failure_of(part, tried)));
  }
  return out;
}

/// The version that a rewrite would go to, and nothing else.
Answer ModelProposer::bare_version(const Group& group) {
  Candidate out;
  out.leeway.targets = {{group.handed_on->package, "", plan::Strategy::direct_bump}};
  out.plans = plans_as(situation_, group, out.leeway, plan::kMajorRecipe);
  out.shows = Shows::by_name;
  out.brings = brought_by(situation_, out);
  if (fixes_all(out.plans)) return out;
  return NoPlan{"the breaking version alone cannot be installed"};
}

/// What of the repository a model is shown, and what it is asked.
Result<Done, Problem> ModelProposer::read_up(const Group& group) {
  CG_TRY_ASSIGN(const Sources sources, sources_of(situation_, *group.handed_on));
  notes_.insert(notes_.end(), sources.notes.begin(), sources.notes.end());
  CG_TRY_ASSIGN(tiers::Question common, question_for(situation_, group));
  common.before = unasked(*group.handed_on);
  parts_ = Parts(common, sources);
  if (parts_.several()) {
    notes_.push_back(printable(group.handed_on->package) +
                     " is used in so many places that it takes " +
                     std::to_string(parts_.all().size()) + " questions to ask about it");
  }
  return read_package(group, sources.used);
}

/// What its two versions say: the one that is installed, and the one that a rewrite would move it
/// to. What cannot be read is told: then a rewrite can only do without what is new in it.
Result<Done, Problem> ModelProposer::read_package(const Group& group, const upgrade::Used& used) {
  const std::string& package = group.handed_on->package;
  const auto from = newest_of(*group.handed_on);
  const auto to = version_in(
      make_plans(situation_, wanted_of(situation_.base.scanned, group.copies), rewrite_of(group)),
      package);
  api_.reset();
  if (!from || !to) {
    notes_.push_back("what a newer " + printable(package) + " exports could not be read");
    return Done{};
  }
  CG_TRY_ASSIGN(Reading reading, read_versions(situation_, package, *from, *to, used));
  api_ = std::move(reading.api);
  notes_.insert(notes_.end(), reading.notes.begin(), reading.notes.end());
  for (PartAsked& part : parts_.all()) {
    tiers::Question& question = part.question;
    question.task.target = to->str();
    question.texts.insert(question.texts.end(), reading.texts.begin(), reading.texts.end());
  }
  return remember(group, *from, *to, reading);
}

Result<proposal::Accepted, proposal::Rejection> ModelProposer::judge(const proposal::Proposal& said,
                                                                     const HandedOn& group,
                                                                     const PartAsked& part) {
  const repository::LoadedLock& lock = situation_.lock(group.lock);
  const plan::Options options = options_of(situation_, group.lock);
  const proposal::Known known{
      {copies_of(lock, group)}, manifests_of(lock), part.files, commands_of(lock), api_,
      *situation_.catalog,      situation_.book,    options};
  return proposal::judge(said, known);
}

/// What the accepted answers to all questions ask of the lockfile engine, and of the sources.
Answer ModelProposer::candidate(const Group& group, unsigned number) {
  using plan::Strategy;
  Candidate out;
  std::vector<plan::Target>& targets = out.leeway.targets;
  for (PartAsked& part : parts_.all()) {
    const proposal::Accepted& accepted = part.said->accepted;
    // Several that need nothing changed (apart()) say the same; a rewrite of any says more.
    if (out.rewritten.empty()) out.kind = proposal::kind_of(accepted);
    part.diff.clear();
    match(
        accepted.what(),
        [&](const proposal::Bump& bump) {
          if (out.rewritten.empty()) {
            targets = {{bump.package.str(), bump.to.str(), Strategy::direct_bump}};
          }
        },
        [&](const proposal::Force& force) {
          targets = {{force.package.str(), force.to.str(), Strategy::override_rule}};
        },
        [&](const proposal::Rewrite& rewrite) {
          part.diff = rewrite.diff;
          out.leeway = rewrite_of(group);
          for (const auto& [path, text] : rewrite.texts) out.rewritten[path] = text;
        },
        [](const proposal::Declined&) {});
  }
  // Whatever the engine did to get there, it was a model's idea, and is to be called that.
  out.plans = plans_as(situation_, group, out.leeway, plan::kModelRecipe);
  out.brings = brought_by(situation_, out);
  if (!fixes_all(out.plans)) {
    return NoPlan{"the lockfile cannot be brought to what the model proposed"};
  }
  out.rationale = rationale_of(parts_);
  out.documents = {{"tier/model.json", document_of(parts_, out.kind, number, asking_->bill())},
                   {"tier/rationale.txt",
                    fenced_rationale(out.rationale, parts_.all().front().said->planned.trace)}};
  out.lesson = lesson(group, out);
  return out;
}

}  // namespace cg::propose
