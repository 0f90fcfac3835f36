#include "flow/propose/model.h"

#include <algorithm>

#include "base/base/text.h"
#include "flow/propose/model_means.h"
#include "flow/propose/overrun.h"
#include "flow/workspace/prompts.h"
#include "trust/hash/blake3.h"

namespace cg::propose {

namespace {

constexpr std::size_t kMaxLedger = 4U << 20U;

Problem cassette_problem(const std::string& file, const cassette::Error& error) {
  return {ErrorCode::model_cassette,
          error.what,
          {{"file", file}},
          "no model was asked",
          {"codegenie cassette check"}};
}

/// What the interrupted run spent counts; its file and the log must tell the same.
Result<budget::Ledger, Problem> ledger_of(const workspace::Access& access,
                                          const history::Interrupted& left,
                                          const budget::Caps& caps, const Price& price) {
  if (left.workflow.empty() || left.calls.empty()) {
    return budget::Ledger(caps, price);
  }
  const std::string path = ledger_path(left.workflow);
  const auto broken = [&](const std::string& what) {
    return fail(Problem{ErrorCode::model_budget_file,
                        what,
                        {{"file", path}},
                        "no model was asked",
                        {"codegenie explain CG-MODEL-002"}});
  };
  const auto text = access.workspace.home.read(path, kMaxLedger);
  // Killed before the first write: the log alone knows.
  auto ledger = text ? budget::Ledger::read(*text, caps, price)
                     : Result<budget::Ledger, std::string>(budget::Ledger(caps, price));
  if (!ledger) return broken(ledger.error());
  auto checked = budget::check(*std::move(ledger), left.calls);
  if (!checked) return broken(checked.error());
  return *std::move(checked);
}

/// Calls that are gone on with, told again: what was spent follows from one stream alone.
void tell_calls(const budget::Ledger& ledger, const std::string& model, record::Events& events) {
  using State = budget::Call::State;
  for (const budget::Call& call : ledger.calls()) {
    events.emplace_back(record::BudgetPrecharged{call.id, cut(model, 60), call.reserved_tokens,
                                                 call.reserved_usd.str()});
    if (call.state == State::open) continue;
    for (record::Event& event : tiers::told(call)) events.push_back(std::move(event));
  }
}

std::pair<std::string, std::string> folder_and_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

Result<std::unique_ptr<CassetteTape>, Problem> tape_of(const job::Request& request,
                                                       const cli::Environment& environment) {
  const std::string& path = request.cassette;
  if (request.record && !cli::variable(environment, "CI").empty()) {
    return fail(Problem{ErrorCode::model_record,
                        "--unsafe-record where CI is set",
                        {},
                        "no model was asked",
                        {"codegenie explain CG-MODEL-005"}});
  }
  const auto [folder, file] = folder_and_name(path);
  if (!cassette::is_cassette_name(file)) {
    return fail(bad_value("a cassette is called NAME.jsonl", "codegenie remediate --help"));
  }
  auto dir = os::Dir::open(folder);
  if (!dir) {
    return fail(
        cassette_problem(path, {cassette::Error::Kind::unreadable, os::describe(dir.error())}));
  }
  return std::make_unique<CassetteTape>(*std::move(dir), file);
}

Result<const plugin::Skill*, Problem> skill_of(const plugin::Plugin& plugin) {
  const plugin::Skill* skill = plugin.find_skill(kSkill);
  if (skill == nullptr) return fail(no_model("the plugin has no skill for breaking changes"));
  return skill;
}

/// Stands where nobody is to be asked.
class Nobody final : public leaf::Leaf {
 public:
  [[nodiscard]] leaf::Reply invoke(const leaf::Call&, budget::Token token) override {
    return {leaf::Failure{leaf::FailureKind::setup, "nobody is asked here", 0, {}, false},
            budget::Receipt(std::move(token)), 0};
  }
};
/// And where nothing is spent.
class NoLedger final : public tiers::Journal {
 public:
  [[nodiscard]] Result<Done, Problem> keep(const prompt::Kept&) override { return Done{}; }
  [[nodiscard]] Result<Done, Problem> keep(const budget::Ledger&) override { return Done{}; }
};

leaf::Settings settings_of(const job::Request& request, const workspace::Policy& policy,
                           std::vector<net::Pin> pins) {
  leaf::Settings out = propose::settings_of(policy, std::move(pins));
  if (!request.cassette.empty() && !request.record) out.adapter = net::Adapter::replay;
  out.record = request.record;
  return out;
}

}  // namespace

budget::Caps caps_of(const job::Request& request, const workspace::Policy& policy) {
  budget::Caps out = caps_of(policy);
  if (request.budget_tokens) out.tokens = std::min(out.tokens, *request.budget_tokens);
  if (request.budget_usd) out.usd = std::min(out.usd, *request.budget_usd);
  return out;
}

Result<Named, Problem> named_model(const workspace::Policy& policy) {
  if (!policy.model) return fail(no_model("policy names no model"));
  auto price = workspace::price_of_model(policy);
  if (!price) return fail(no_model("policy has no price for " + *policy.model));
  return Named{*policy.model, *std::move(price)};
}

std::string ledger_path(const std::string& workflow) { return "budget/" + workflow + ".json"; }

Result<Done, Problem> LedgerFile::keep(const prompt::Kept& prompt) {
  return workspace::keep_prompt(access_.workspace, prompt);
}

Result<Done, Problem> LedgerFile::keep(const budget::Ledger& ledger) {
  CG_TRY(recording_.write());
  const os::Dir& home = access_.workspace.home;
  auto made = home.make_dir("budget");
  if (made) made = home.write_atomic(ledger_path(recording_.id()), ledger.write());
  if (made) return Done{};
  return fail(Problem{ErrorCode::home_io,
                      "the ledger of the budget cannot be written",
                      {{"path", os::describe(made.error())}},
                      "no further call is made",
                      {}});
}

Result<Done, Problem> CassetteTape::open() {
  auto loaded = cassette::load(folder_, file_);
  if (!loaded) return fail(cassette_problem(file_, loaded.error()));
  playing_.emplace(*std::move(loaded));
  return Done{};
}

void CassetteTape::start(const std::array<Byte, 32>& seed, std::string model) {
  recording_.emplace(seed, std::move(model));
}

std::optional<net::Play> CassetteTape::find(std::string_view request) {
  const cassette::Response* found = playing_ ? playing_->next(request) : nullptr;
  if (found == nullptr) {
    missed_ = cassette::key_of(request);
    return std::nullopt;
  }
  net::Play out;
  out.status = found->status;
  out.body = found->body;
  for (const auto& [name, value] : found->headers) {
    if (name == "content-type") out.content_type = value;
    if (name == "retry-after") out.retry_after = value;
  }
  return out;
}

bool CassetteTape::keep(const net::Recorded& exchange) {
  if (!recording_) return false;
  cassette::Exchange one{exchange.request, {exchange.status, {}, exchange.response}};
  if (!exchange.content_type.empty()) {
    one.response.headers.emplace_back("content-type", exchange.content_type);
  }
  if (!exchange.retry_after.empty()) {
    one.response.headers.emplace_back("retry-after", exchange.retry_after);
  }
  return recording_->add(std::move(one)).has_value();
}

Result<Done, Problem> CassetteTape::finish() {
  const auto written = recording_->finish(folder_, file_);
  if (!written) return fail(cassette_problem(file_, written.error()));
  return Done{};
}

const cassette::Cassette& CassetteTape::cassette() const {
  return playing_ ? playing_->cassette() : recording_->cassette();
}

Result<Done, Problem> Model::finish(record::Events& events) {
  if (tape != nullptr && tape->missed()) {
    events.emplace_back(record::CassetteMissed{*tape->missed(), cut(tape->file(), 500)});
  }
  if (!recording) return Done{};
  CG_TRY(tape->finish());
  const cassette::Cassette& kept = tape->cassette();
  events.emplace_back(record::CassetteRecorded{hash::blake3(as_bytes(cassette::write(kept))),
                                               kept.exchanges.size(), cut(tape->file(), 500)});
  return Done{};
}

Result<std::unique_ptr<Model>, Problem> open_mute_model(const job::Request& request,
                                                        const Situation& situation,
                                                        const workspace::Access& access,
                                                        const history::Interrupted& left,
                                                        tiers::Retrieval& retrieval,
                                                        workspace::Recording& recording) {
  const workspace::Policy& policy = situation.base.policy;
  auto out = std::make_unique<Model>();
  CG_TRY_ASSIGN(const Named named, named_model(policy));
  out->name = named.model;
  CG_TRY_ASSIGN(const plugin::Skill* skill, skill_of(situation.plugin()));
  CG_TRY_ASSIGN(budget::Ledger ledger,
                ledger_of(access, left, caps_of(request, policy), named.price));
  out->nonces = std::make_unique<prompt::RandomNonces<os::SystemRandom>>(out->random);
  out->leaf = std::make_unique<Nobody>();
  out->journal = std::make_unique<NoLedger>();
  out->asking = std::make_unique<tiers::Asking>(
      tiers::Tools{*out->leaf, retrieval, *out->journal, *skill, *out->nonces, out->name},
      std::move(ledger), left.violations, recording.events());
  return out;
}

Result<std::unique_ptr<Model>, Problem> open_model(
    const job::Request& request, const Situation& situation, const workspace::Access& access,
    const cli::Environment& environment, const history::Interrupted& left,
    tiers::Retrieval& retrieval, workspace::Recording& recording) {
  const workspace::Policy& policy = situation.base.policy;
  auto out = std::make_unique<Model>();
  record::Events& events = recording.events();
  CG_TRY_ASSIGN(const Named named, named_model(policy));
  out->name = named.model;
  CG_TRY_ASSIGN(const plugin::Skill* skill, skill_of(situation.plugin()));
  budget::Caps caps = caps_of(request, policy);
  if (!request.overrun.empty()) {
    CG_TRY_ASSIGN(const record::BudgetOverrideGranted granted,
                  allow_overrun(access, request.overrun, situation.base.checkout.repository(),
                                situation.now, caps));
    events.emplace_back(granted);
    CG_TRY(recording.write());
  }
  CG_TRY_ASSIGN(budget::Ledger ledger, ledger_of(access, left, caps, named.price));
  out->journal = std::make_unique<LedgerFile>(access, recording);
  if (!ledger.calls().empty()) {
    tell_calls(ledger, out->name, events);
    CG_TRY(out->journal->keep(ledger));
  }
  CG_TRY_ASSIGN(std::vector<net::Pin> pins, pins_of(access, situation.now, out->warnings));
  if (!request.cassette.empty()) {
    CG_TRY_ASSIGN(out->tape, tape_of(request, environment));
    out->recording = request.record;
    if (out->recording) {
      out->tape->start(out->random.bytes<32>(), out->name);
    } else {
      CG_TRY(out->tape->open());
      const cassette::Cassette& tape = out->tape->cassette();
      events.emplace_back(record::CassetteLoaded{hash::blake3(as_bytes(cassette::write(tape))),
                                                 tape.exchanges.size(),
                                                 cut(out->tape->file(), 500)});
    }
    out->nonces = std::make_unique<prompt::SeededNonces>(out->tape->cassette().seed);
  } else {
    out->nonces = std::make_unique<prompt::RandomNonces<os::SystemRandom>>(out->random);
  }
  const auto programs = leaf::find_programs();
  if (!programs) return fail(no_model("a program is missing: " + os::describe(programs.error())));
  out->leaf =
      std::make_unique<leaf::ProcessLeaf>(*programs, settings_of(request, policy, std::move(pins)),
                                          out->random, out->pause, out->tape.get());
  const bool plays = out->tape != nullptr && !out->recording;
  out->asking = std::make_unique<tiers::Asking>(
      tiers::Tools{*out->leaf, retrieval, *out->journal, *skill, *out->nonces, out->name,
                   plays ? tiers::Tools::Answers::replayed : tiers::Tools::Answers::live},
      std::move(ledger), left.violations, events);
  return out;
}

}  // namespace cg::propose
