#include "asking/asking.h"

#include <algorithm>

#include "asking/question.h"
#include "base/base/match.h"
#include "base/base/text.h"
#include "base/json/json.h"
#include "model/proposal/judge.h"
#include "model/proposal/tripwire.h"

namespace cg::program {

namespace {

/// The gates' own word for an attempt that never came to them.
constexpr const char* kNoProposal = "proposal";

std::vector<std::string> commands_of(const repository::LoadedLock& lock) {
  std::vector<std::string> out;
  for (const npm::Manifest& manifest : lock.manifests) {
    for (std::string& command : proposal::gate_commands(manifest)) {
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

/// What the accepted proposal asks of the lockfile engine, and of the sources.
struct Decided {
  std::vector<plan::Target> targets;
  EditedFiles rewritten;
};

Decided decide(const proposal::Accepted& accepted, const HandedOn& group) {
  using plan::Strategy;
  Decided out;
  match(
      accepted.what(),
      [&](const proposal::Bump& bump) {
        out.targets = {{bump.package.str(), bump.to.str(), Strategy::direct_bump}};
      },
      [&](const proposal::Force& force) {
        out.targets = {{force.package.str(), force.to.str(), Strategy::override_rule}};
      },
      [&](const proposal::Rewrite& rewrite) {
        out.targets = {{group.package, "", Strategy::callsite_rewrite}};
        for (const auto& [path, text] : rewrite.texts) out.rewritten[path] = text;
      },
      [](const proposal::Declined&) {});
  return out;
}

std::string_view kind_of(const proposal::Accepted& accepted) {
  return match(
      accepted.what(), [](const proposal::Bump&) { return "dep_bump"; },
      [](const proposal::Force&) { return "override"; },
      [](const proposal::Rewrite&) { return "callsite_rewrite"; },
      [](const proposal::Declined&) { return "refuse"; });
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

class Conversation {
 public:
  Conversation(const Trying& trying, const AskingMeans& with, const HandedOn& group)
      : trying_(trying),
        with_(with),
        group_(group),
        lock_(trying.means.scanned.loaded.locks[group.lock]) {}

  Result<Attempted, Problem> go(std::vector<gate::AttemptSummary> history) {
    CG_TRY_ASSIGN(sources_, sources_of(with_.checkout, group_.package));
    with_.notes.insert(with_.notes.end(), sources_.notes.begin(), sources_.notes.end());
    CG_TRY_ASSIGN(const tiers::Question question,
                  question_for(trying_.means, group_, sources_, with_.index));
    Attempted out;
    for (;;) {
      const gate::Next next = gate::next(history);
      if (const auto* final = std::get_if<gate::Final>(&next)) return gave_up(out, final->reason);
      const unsigned number = std::get<gate::Retry>(next).number;
      if (number > trying_.max_attempts) return gave_up(out, "no more attempts were asked for");
      with_.display.head("asking the model, attempt " + std::to_string(number) + ": " +
                         printable(group_.package));
      std::optional<proposal::Accepted> accepted;
      const auto judge = [&](const proposal::Proposal& said) -> std::optional<std::string> {
        auto judged = judge_proposal(said);
        if (!judged) return std::string(proposal::name(judged.error().reason));
        accepted.emplace(*std::move(judged));
        return std::nullopt;
      };
      const auto failure =
          history.empty() ? std::vector<tiers::Text>() : failure_texts(history.back());
      CG_TRY_ASSIGN(const tiers::Asked asked, with_.asking.ask(question, number, failure, judge));
      if (const auto* stop = std::get_if<tiers::GivenUp>(&asked)) {
        out.stopped = *stop;
        const std::string why = reason_of(*stop);
        trying_.recording.events().emplace_back(
            record::RemediationRefused{static_cast<std::uint64_t>(exit_of(*stop)), cut(why, 500)});
        return gave_up(out, why);
      }
      if (const auto* none = std::get_if<tiers::NoPlan>(&asked)) {
        CG_TRY(no_plan(number, none->reason, history));
        continue;
      }
      with_.display.head("the model proposes " + std::string(kind_of(*accepted)));
      CG_TRY(carry_out(*accepted, number, out, history));
      if (!out.passed) continue;
      out.documents.emplace_back("tier/model.json",
                                 document(std::get<tiers::Planned>(asked), *accepted, number));
      return out;
    }
  }

 private:
  static Attempted gave_up(Attempted& out, const std::string& why) {
    out.why = why;
    return std::move(out);
  }

  Result<proposal::Accepted, proposal::Rejection> judge_proposal(const proposal::Proposal& said) {
    const plan::Options options = options_of(trying_.means, group_.lock);
    const proposal::Facts facts{{copies_of(lock_, group_)},
                                manifests_of(lock_),
                                {sources_.texts.begin(), sources_.texts.end()},
                                commands_of(lock_),
                                trying_.means.source,
                                trying_.means.book,
                                options};
    return proposal::judge(said, facts);
  }

  /// An attempt like any other, but that no gate saw it.
  Result<Done, Problem> no_plan(unsigned number, const std::string& why,
                                std::vector<gate::AttemptSummary>& history) {
    history.push_back({number, {kNoProposal}, {}, "", {why}});
    trying_.recording.events().emplace_back(
        record::AttemptEnded{number, kNoProposal, group_.group, "", cut(why, 2000)});
    return trying_.recording.write();
  }

  Result<Done, Problem> carry_out(const proposal::Accepted& accepted, unsigned number,
                                  Attempted& out, std::vector<gate::AttemptSummary>& history) {
    Decided decided = decide(accepted, group_);
    Means means = trying_.means;
    means.targets = decided.targets;
    std::vector<LockPlan> plans = make_plans(means, wanted_of(means, group_));
    if (!fixes_all(plans)) {
      return no_plan(number, "the lockfile cannot be brought to what the model proposed", history);
    }
    out = {};
    out.plans = std::move(plans);
    out.targets = std::move(decided.targets);
    out.rewritten = std::move(decided.rewritten);
    for (const auto& [path, text] : out.rewritten) out.replaced[path] = sources_.texts.at(path);
    return try_plans(trying_, means, number, group_.group, out, history);
  }

  /// For the evidence. The words of prompt and answer are nowhere; their digests are.
  [[nodiscard]] std::string document(const tiers::Planned& planned,
                                     const proposal::Accepted& accepted, unsigned number) const {
    using json::Value;
    const leaf::Trace& trace = planned.trace;
    return json::write_json_pretty(Value::Object{
        {"schema", "codegenie/evidence-model/v1"},
        {"model", printable(trace.model)},
        {"kind", kind_of(accepted)},
        {"attempt", program::number(number)},
        {"prompt", blake3_name(planned.prompt)},
        {"request", blake3_name(trace.request)},
        {"response", blake3_name(trace.response)},
        {"tokens", Value::Object{{"input", program::number(trace.usage.input)},
                                 {"output", program::number(trace.usage.output)},
                                 {"cache_write", program::number(trace.usage.cache_write)},
                                 {"cache_read", program::number(trace.usage.cache_read)}}},
        {"spent_so_far", "$" + with_.asking.ledger().spent().usd.str()},
        {"isolation", trace.isolation}});
  }

  const Trying& trying_;
  const AskingMeans& with_;
  const HandedOn& group_;
  const repository::LoadedLock& lock_;
  Sources sources_;
};

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

Result<Attempted, Problem> ask_and_try(const Trying& trying, const AskingMeans& with,
                                       const HandedOn& group,
                                       std::vector<gate::AttemptSummary> history) {
  return Conversation(trying, with, group).go(std::move(history));
}

}  // namespace cg::program
