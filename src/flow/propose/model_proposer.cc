#include "flow/propose/model_proposer.h"

#include <algorithm>

#include "base/base/match.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "flow/propose/reading.h"
#include "model/proposal/feedback.h"
#include "model/proposal/scripts.h"
#include "trust/hash/blake3.h"

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

std::optional<semver::Version> newest_of(const std::vector<std::string>& versions) {
  std::optional<semver::Version> out;
  for (const std::string& text : versions) {
    auto version = semver::Version::parse(text, {.loose = true});
    if (version && (!out || *out < *version)) out = *std::move(version);
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

/// The version of a rewrite is ours: the best one that is safe.
Leeway rewriting(const std::string& package) {
  Leeway out;
  out.targets = {{package, "", plan::Strategy::callsite_rewrite}};
  return out;
}

std::string_view kind_of(const proposal::Accepted& accepted) {
  return match(
      accepted.what(), [](const proposal::Bump&) { return "dep_bump"; },
      [](const proposal::Force&) { return "override"; },
      [](const proposal::Rewrite&) { return "callsite_rewrite"; },
      [](const proposal::Declined&) { return "refuse"; });
}

std::string rationale_of(const proposal::Proposal& said) {
  return match(
      said, [](const proposal::DepBump& one) { return one.rationale; },
      [](const proposal::Override& one) { return one.rationale; },
      [](const proposal::CallsiteRewrite& one) { return one.rationale; },
      [](const proposal::Refuse& one) { return one.rationale; });
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
  if (history.empty()) return bare_version(group);
  if (question_.group != group.id) CG_TRY(read_up(group));
  watcher_.head("asking the model, attempt " + std::to_string(number) + ": " +
                printable(group.handed_on->package));
  std::optional<proposal::Accepted> accepted;
  const auto judged = [&](const proposal::Proposal& said) -> std::optional<tiers::Rejected> {
    auto answer = judge(said, *group.handed_on);
    if (!answer) {
      return tiers::Rejected{std::string(proposal::name(answer.error().reason)),
                             proposal::place_of(answer.error()),
                             proposal::feedback(answer.error())};
    }
    accepted.emplace(*std::move(answer));
    return std::nullopt;
  };
  CG_TRY_ASSIGN(const tiers::Asked asked,
                asking_.ask(question_, number, failure_texts(history, last_diff_), judged));
  if (const auto* stop = std::get_if<tiers::GivenUp>(&asked)) {
    const std::string why = reason_of(*stop);
    if (stop->ends_workflow()) {
      events.emplace_back(
          record::RemediationRefused{static_cast<std::uint64_t>(exit_of(*stop)), cut(why, 500)});
    }
    return Answer(GivenUp{why, *stop});
  }
  if (const auto* none = std::get_if<tiers::NoPlan>(&asked)) {
    return Answer(NoPlan{none->reason, none->told});
  }
  watcher_.head("the model proposes " + std::string(kind_of(*accepted)));
  Answer answer = candidate(*accepted, group);
  if (auto* found = std::get_if<Candidate>(&answer)) {
    const auto& planned = std::get<tiers::Planned>(asked);
    found->kind = kind_of(*accepted);
    found->rationale = rationale_of(planned.proposal);
    found->documents = {{"tier/model.json", document(planned, *accepted, number)},
                        {"tier/rationale.txt", fenced_rationale(found->rationale, planned.trace)}};
  }
  return answer;
}

Result<tiers::Preview, Problem> ModelProposer::preview(
    const Group& group, unsigned number, const std::vector<gate::AttemptSummary>& history) {
  if (question_.group != group.id) CG_TRY(read_up(group));
  return asking_.preview(question_, number, failure_texts(history, last_diff_));
}

/// The version that a rewrite would go to, and nothing else.
Answer ModelProposer::bare_version(const Group& group) {
  Candidate out;
  out.leeway.targets = {{group.handed_on->package, "", plan::Strategy::direct_bump}};
  out.plans = make_plans(situation_, wanted_of(situation_.base.scanned, group.copies), out.leeway);
  for (LockPlan& one : out.plans) {
    for (plan::Fix& fix : one.plan.fixes) fix.recipe = plan::kMajorRecipe;
  }
  out.shows = Shows::by_name;
  out.brings = brought_by(situation_, out);
  if (fixes_all(out.plans)) return out;
  return NoPlan{"the breaking version alone cannot be installed"};
}

/// What of the repository a model is shown, and what it is asked.
Result<Done, Problem> ModelProposer::read_up(const Group& group) {
  CG_TRY_ASSIGN(sources_, sources_of(situation_, *group.handed_on));
  notes_.insert(notes_.end(), sources_.notes.begin(), sources_.notes.end());
  CG_TRY_ASSIGN(question_, question_for(situation_, group, sources_));
  question_.before = 1;
  last_diff_.clear();
  return read_package(group);
}

/// What its two versions say: the one that is installed, and the one that a rewrite would move it
/// to. What cannot be read is told: then a rewrite can only do without what is new in it.
Result<Done, Problem> ModelProposer::read_package(const Group& group) {
  const std::string& package = group.handed_on->package;
  const auto from = newest_of(group.handed_on->versions);
  const auto to = version_in(
      make_plans(situation_, wanted_of(situation_.base.scanned, group.copies), rewriting(package)),
      package);
  api_.reset();
  if (!from || !to) {
    notes_.push_back("what a newer " + printable(package) + " exports could not be read");
    return Done{};
  }
  question_.task.target = to->str();
  CG_TRY_ASSIGN(Reading reading, read_versions(situation_, package, *from, *to, sources_.used));
  api_ = std::move(reading.api);
  notes_.insert(notes_.end(), reading.notes.begin(), reading.notes.end());
  for (tiers::Text& text : reading.texts) question_.texts.push_back(std::move(text));
  return Done{};
}

Result<proposal::Accepted, proposal::Rejection> ModelProposer::judge(const proposal::Proposal& said,
                                                                     const HandedOn& group) {
  const repository::LoadedLock& lock = situation_.lock(group.lock);
  const plan::Options options = options_of(situation_, group.lock);
  const proposal::Known known{{copies_of(lock, group)},
                              manifests_of(lock),
                              {sources_.texts.begin(), sources_.texts.end()},
                              commands_of(lock),
                              api_,
                              *situation_.catalog,
                              situation_.book,
                              options};
  return proposal::judge(said, known);
}

/// What the accepted proposal asks of the lockfile engine, and of the sources.
Answer ModelProposer::candidate(const proposal::Accepted& accepted, const Group& group) {
  using plan::Strategy;
  Candidate out;
  std::vector<plan::Target>& targets = out.leeway.targets;
  match(
      accepted.what(),
      [&](const proposal::Bump& bump) {
        targets = {{bump.package.str(), bump.to.str(), Strategy::direct_bump}};
      },
      [&](const proposal::Force& force) {
        targets = {{force.package.str(), force.to.str(), Strategy::override_rule}};
      },
      [&](const proposal::Rewrite& rewrite) {
        last_diff_ = rewrite.diff;
        out.leeway = rewriting(group.handed_on->package);
        for (const auto& [path, text] : rewrite.texts) out.rewritten[path] = text;
      },
      [](const proposal::Declined&) {});
  out.plans = make_plans(situation_, wanted_of(situation_.base.scanned, group.copies), out.leeway);
  // Whatever the engine did to get there, it was a model's idea, and is to be called that.
  for (LockPlan& one : out.plans) {
    for (plan::Fix& fix : one.plan.fixes) fix.recipe = plan::kModelRecipe;
  }
  out.brings = brought_by(situation_, out);
  if (fixes_all(out.plans)) return out;
  return NoPlan{"the lockfile cannot be brought to what the model proposed"};
}

/// For the evidence. Of the words of prompt and answer only the reason is kept, which the case
/// quotes; of the rest the digests.
std::string ModelProposer::document(const tiers::Planned& planned,
                                    const proposal::Accepted& accepted, unsigned number) const {
  using json::Value;
  const leaf::Trace& trace = planned.trace;
  return json::write_json_pretty(
      Value::Object{{"schema", "codegenie/evidence-model/v1"},
                    {"model", printable(trace.model)},
                    {"kind", kind_of(accepted)},
                    {"attempt", json::number(number)},
                    {"prompt", hash::blake3_name(planned.prompt)},
                    {"request", hash::blake3_name(trace.request)},
                    {"response", hash::blake3_name(trace.response)},
                    {"tokens", Value::Object{{"input", json::number(trace.usage.input)},
                                             {"output", json::number(trace.usage.output)},
                                             {"cache_write", json::number(trace.usage.cache_write)},
                                             {"cache_read", json::number(trace.usage.cache_read)}}},
                    {"spent_so_far", "$" + asking_.bill().paid.usd.str()},
                    {"replayed_so_far", "$" + asking_.bill().replayed.usd.str()},
                    {"isolation", trace.isolation}});
}

}  // namespace cg::propose
