#include "flow/propose/probe.h"

#include "flow/propose/model.h"
#include "flow/propose/model_means.h"
#include "model/leaf/process_leaf.h"
#include "model/prompt/nonces.h"

namespace cg::propose {

namespace {

/// Room for a plan and for what a model thinks before it; far less than a fix may take.
constexpr std::uint32_t kProbeTokens = 2'000;

/// Nothing that is installed anywhere, and no flaw: whatever is answered is thrown away.
constexpr std::string_view kHarmless =
    "There is no flaw. This text stands where an advisory would, while somebody sees whether the "
    "model can be reached.";

prompt::Prompt harmless(const plugin::Skill& skill, prompt::NonceSource& nonces) {
  prompt::PromptBuilder builder(skill, nonces);
  builder.task({.advisory = "CGEX-0000-0000",
                .package = "no-such-package",
                .installed = "1.0.0",
                .target = "1.0.1",
                .manifest = "package.json"});
  builder.add(SourceKind::cve_description, kHarmless);
  return std::move(builder).build();
}

/// The ledger's file, and a word to the operator when a call is about to be made.
class Telling final : public tiers::Journal {
 public:
  Telling(tiers::Journal& file, const Foretold& foretold) : file_(file), foretold_(foretold) {}

  Result<Done, Problem> keep(const prompt::Kept& prompt) override { return file_.keep(prompt); }
  Result<Done, Problem> keep(const budget::Ledger& ledger) override {
    const auto& calls = ledger.calls();
    if (!calls.empty() && calls.back().state == budget::Call::State::open) foretold_(calls.back());
    return file_.keep(ledger);
  }

 private:
  tiers::Journal& file_;
  const Foretold& foretold_;
};

}  // namespace

Result<Probed, Problem> probe_model(const workspace::Access& access,
                                    const workspace::Policy& policy, const plugin::Skill& skill,
                                    workspace::Recording& recording, const Foretold& foretold) {
  CG_TRY_ASSIGN(const Named named, named_model(policy));
  const auto programs = leaf::find_programs();
  if (!programs) return fail(no_model("a program is missing: " + os::describe(programs.error())));
  Probed out;
  out.model = named.model;
  CG_TRY_ASSIGN(std::vector<net::Pin> pins, pins_of(access, os::SystemClock().now(), out.warnings));
  out.settings = settings_of(policy, std::move(pins));
  os::SystemRandom random;
  leaf::SystemPause pause;
  prompt::RandomNonces<os::SystemRandom> nonces(random);
  leaf::ProcessLeaf leaf(*programs, out.settings, random, pause);
  LedgerFile file(access, recording);
  Telling journal(file, foretold);
  tiers::Calls calls(leaf, journal, out.model, budget::Ledger(caps_of(policy), named.price),
                     recording.events());
  prompt::Prompt prompt = harmless(skill, nonces);
  for (record::Event& event : prompt.events) recording.events().push_back(std::move(event));
  const auto begun = std::chrono::steady_clock::now();
  CG_TRY_ASSIGN(auto made, calls.make({"self-check", 1, kProbeTokens}, prompt));
  out.took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begun);
  if (auto* none = std::get_if<tiers::Unaffordable>(&made)) {
    out.unaffordable = std::move(none->reason);
    return out;
  }
  out.called = std::get<tiers::Called>(std::move(made));
  out.paid = calls.ledger().calls().back();
  return out;
}

}  // namespace cg::propose
