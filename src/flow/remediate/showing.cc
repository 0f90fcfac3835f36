#include "flow/remediate/showing.h"

#include <algorithm>

#include "base/os/interrupt.h"
#include "flow/propose/handing_on.h"
#include "flow/propose/model.h"
#include "flow/propose/model_proposer.h"
#include "model/leaf/wire.h"

namespace cg::remediate {

namespace {

Problem not_yet(unsigned wanted, unsigned next) {
  return bad_value("what is asked at attempt " + std::to_string(wanted) +
                       " depends on what the model says before; the next is attempt " +
                       std::to_string(next),
                   "codegenie prompt show --workflow ID --attempt " + std::to_string(wanted));
}

/// What recipes leave that a model may be asked about. What gates turn down is known later.
std::vector<propose::Group> open_groups(propose::Situation& situation,
                                        const std::vector<propose::LockPlan>& plans,
                                        record::Events& events) {
  std::vector<propose::Group> out = propose::handed_on_groups(situation, plans, events);
  for (propose::Group& group : propose::parent_groups(situation, plans, events)) {
    out.push_back(std::move(group));
  }
  return out;
}

class Show {
 public:
  Show(const Given& given, propose::Situation& situation,
       const propose::ModelProposer::Means& means, std::optional<proving::Proving>& proving)
      : given_(given),
        situation_(situation),
        proposer_(situation, means, given.watcher, given.out.warnings),
        proving_(proving) {}

  /// One for each question, or one that says why there is none.
  Result<std::vector<Shown>, Problem> of(const propose::Group& group,
                                         std::vector<gate::AttemptSummary> history) {
    record::Events& events = given_.recording.events();
    const job::Showing& wanted = given_.request.showing;
    Shown out{*group.handed_on, model_attempt(history.size() + 1), {}, "", false};
    if (wanted.attempt && *wanted.attempt != out.attempt) {
      return fail(not_yet(*wanted.attempt, out.attempt));
    }
    Fixing fixing(group, std::move(history), given_.request.attempts + 1);
    while (const auto number = fixing.next()) {
      if (!fixing.history().empty() || !proving_) {
        out.attempt = model_attempt(*number);
        CG_TRY_ASSIGN(std::vector<tiers::Preview> questions,
                      proposer_.preview(group, out.attempt + 1, fixing.history()));
        std::vector<Shown> all;
        for (tiers::Preview& question : questions) {
          out.prompt = std::move(question);
          out.part = all.size() + 1;
          out.parts = questions.size();
          all.push_back(out);
        }
        return all;
      }
      CG_TRY(try_once({given_.access, situation_, proposer_, *proving_, events, events}, group,
                      *number, fixing));
      CG_TRY(given_.recording.write());
    }
    const Attempted attempted = std::move(fixing).take();
    const std::string& branch = attempted.candidate.branch;
    out.passes = attempted.passed;
    out.why = !attempted.passed ? attempted.why
              : branch.empty()  ? "the version alone passes every gate, so nobody is asked"
                                : "an earlier run was paid for " + branch + ", so nobody is asked";
    return std::vector<Shown>{std::move(out)};
  }

 private:
  Given given_;
  propose::Situation& situation_;
  propose::ModelProposer proposer_;
  std::optional<proving::Proving>& proving_;
};

/// How it ends that nobody would be asked.
ExitCode exit_of(const std::vector<Shown>& shown) {
  const auto asks = [](const Shown& one) { return one.prompt.has_value(); };
  const auto passes = [](const Shown& one) { return one.passes; };
  if (std::any_of(shown.begin(), shown.end(), asks)) return ExitCode::ok;
  return std::all_of(shown.begin(), shown.end(), passes) ? ExitCode::not_applicable
                                                         : ExitCode::needs_human;
}

}  // namespace

void forecast_asking(const Given& given, propose::Situation& situation,
                     const std::vector<propose::LockPlan>& plans) {
  const workspace::Policy& policy = situation.base.policy;
  const auto named = propose::named_model(policy);
  if (!named) {
    given.out.warnings.push_back("no model can be asked: " + named.error().what);
    return;
  }
  Asking out;
  out.model = named->model;
  record::Events none;  // the log hears of it when it is done
  for (const propose::Group& group : open_groups(situation, plans, none)) {
    const propose::HandedOn& one = *group.handed_on;
    out.packages.push_back(one.package + " " + history::joined(one.versions) + " in " +
                           one.manifest);
  }
  out.questions = out.packages.size() * given.request.attempts;
  // An answer that is none is asked to be mended, until there were too many of them.
  const std::uint64_t repairs = std::min<std::uint64_t>(out.questions, tiers::kMaxViolations - 1);
  out.most = budget::forecast(out.questions + repairs, leaf::kMaxTokens,
                              propose::caps_of(given.request, policy), named->price);
  out.replayed = !given.request.cassette.empty() && !given.request.record;
  given.out.asking = std::move(out);
}

Result<Done, Problem> show_questions(const Given& given, propose::Situation& situation,
                                     const std::vector<propose::LockPlan>& plans,
                                     history::Interrupted& left) {
  Remediation& out = given.out;
  const std::string& package = given.request.showing.package;
  std::vector<propose::Group> groups = open_groups(situation, plans, given.recording.events());
  std::erase_if(groups, [&](const propose::Group& group) {
    return !package.empty() && group.handed_on->package != package;
  });
  if (!groups.empty()) {
    CG_TRY_ASSIGN(const auto precedents, precedent::Precedents::open(given.access));
    CG_TRY_ASSIGN(const auto model, propose::open_mute_model(given.request, situation, given.access,
                                                             left, *precedents, given.recording));
    std::optional<proving::Proving> proving;
    if (given.request.showing.gates) {
      CG_TRY_ASSIGN(proving::Proving opened, open_proving(given, situation));
      proving.emplace(std::move(opened));
    }
    CG_TRY_ASSIGN(propose::Earlier earlier,
                  propose::Earlier::open(given.access, situation, given.request.branch_prefix));
    Show show(given, situation, {model->asking.get(), *precedents, earlier}, proving);
    for (const propose::Group& group : groups) {
      CG_TRY_ASSIGN(std::vector<Shown> shown, show.of(group, std::move(left.attempts[group.id])));
      if (os::interrupted() != 0) break;
      for (Shown& one : shown) out.shown.push_back(std::move(one));
    }
    for (const std::string& line : precedents->warnings()) out.warnings.push_back(line);
    if (proving) {
      for (const std::string& line : proving->notes()) out.warnings.push_back(line);
    }
  }
  if (situation.base.policy.max_tier != Tier::llm) {
    out.warnings.emplace_back("policy lets no model be asked (model.max_tier): this is not sent");
  }
  out.outcome.exit = static_cast<int>(exit_of(out.shown));
  if (const int signal = os::interrupted(); signal != 0) {
    out.outcome.outcome = report::Outcome::interrupted;
    out.outcome.exit = 128 + signal;
  }
  return Done{};
}

}  // namespace cg::remediate
