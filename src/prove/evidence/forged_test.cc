// Whoever can write a bundle, and even a log, does not make one that holds by leaving things
// out; and where the log is at hand, not at all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fix/report/samples.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/samples_test.h"
#include "prove/evidence/verify.h"
#include "trust/sign/sshsig.h"

namespace cg::evidence {
namespace {

using test::Bench;
using test::Made;
using ::testing::Contains;
using ::testing::HasSubstr;

sign::Seed key_of(Byte b) {
  sign::Seed out{};
  out.fill(b);
  return out;
}

/// A bundle of a workspace, and what its log says.
struct Kept {
  Bench bench;
  Files files;
  Trust inside;  // as whoever verifies it in the workspace has it

  explicit Kept(const std::optional<sign::Seed>& key) {
    files = *read_bundle(bench.write(key));
    const std::string workflow = report::from_json(files.at("case.json"))->workflow;
    inside.log = *read_witness(bench.home, workflow);
    inside.workflow = workflow;
  }
};

std::vector<std::string> breaks_of(const Files& files, const Trust& trust) {
  std::vector<std::string> out;
  for (const Break& b : verify_bundle(files, trust).breaks) out.push_back(b.file + " " + b.what);
  return out;
}

/// The manifest made anew of what is there, without a signature or with another one.
Files remade(Files files, const std::optional<sign::Seed>& key) {
  const auto text = files.find("case.json");
  const auto c = text == files.end() ? Result<report::Case, std::string>(fail(std::string()))
                                     : report::from_json(text->second);
  files["manifest.json"] = manifest_text(files, c ? c->workflow : "", c ? c->tool : "");
  files.erase("manifest.json.sig");
  if (key) files["manifest.json.sig"] = sign::ssh_sign(*key, kNamespace, files["manifest.json"]);
  return files;
}

/// Every file edited, emptied, dropped and swapped for that of another bundle.
std::vector<std::pair<std::string, Files>> damaged(const Files& whole, const Files& other) {
  std::vector<std::pair<std::string, Files>> out;
  for (const auto& [path, bytes] : whole) {
    Files files = whole;
    files[path] = bytes + " ";
    out.emplace_back("edited " + path, files);
    files[path] = bytes + "\n";
    out.emplace_back("lengthened " + path, files);
    files[path] = bytes.substr(0, bytes.size() - 1);
    out.emplace_back("cut " + path, files);
    files[path].clear();
    out.emplace_back("emptied " + path, files);
    files.erase(path);
    out.emplace_back("dropped " + path, files);
    if (!other.contains(path)) continue;
    files[path] = other.at(path);
    out.emplace_back("swapped " + path, files);
  }
  return out;
}

TEST(Remade, NoFileOfABundleCanBeOtherThanItWas) {
  for (const std::optional<sign::Seed>& key : {std::optional<sign::Seed>(), {key_of(1)}}) {
    const Kept kept(key);
    const Kept other(key);
    ASSERT_THAT(breaks_of(kept.files, {}), testing::IsEmpty());
    ASSERT_THAT(breaks_of(kept.files, kept.inside), testing::IsEmpty());
    std::size_t tried = 0;
    for (const auto& [what, files] : damaged(kept.files, other.files)) {
      SCOPED_TRACE(what);
      for (const Files& made : {files, remade(files, {}), remade(files, key_of(2))}) {
        if (made == kept.files) continue;  // nothing was changed after all
        ++tried;
        EXPECT_FALSE(breaks_of(made, {}).empty());
        EXPECT_FALSE(breaks_of(made, kept.inside).empty());
      }
    }
    EXPECT_GT(tried, 350U);
  }
}

/// Events and proof are not under the digest that the events name; each has one spelling.
TEST(Remade, EveryByteCountsWhereTheDigestOfTheEvidenceDoesNotReach) {
  const Kept kept({});
  for (const char* path :
       {"events.jsonl", "proof/entry.json", "proof/entry.tlog-proof", "proof/log.vkey"}) {
    const std::string& bytes = kept.files.at(path);
    const std::size_t step = bytes.size() < 800 ? 1 : 7;
    for (std::size_t i = 0; i < bytes.size(); i += step) {
      Files files = kept.files;
      files[path][i] = static_cast<char>(bytes[i] ^ (i % 2 == 0 ? 1 : 32));
      ASSERT_FALSE(breaks_of(remade(files, {}), {}).empty()) << path << " " << i;
      files[path] = bytes.substr(0, i) + "\n" + bytes.substr(i);
      ASSERT_FALSE(breaks_of(remade(files, {}), {}).empty()) << path << " " << i;
    }
  }
}

/// The bundle of before: no events, no proof, a new manifest, and a better isolation.
TEST(Remade, NothingButTheCaseIsNoEvidence) {
  const Kept kept({});
  Files files = kept.files;
  std::string& text = files.at("case.json");
  const std::string from = "\"isolation_class\": \"namespaces\"";
  ASSERT_NE(text.find(from), std::string::npos);
  text.replace(text.find(from), from.size(), "\"isolation_class\": \"microvm\"");
  files["events.jsonl"] = "";
  for (const char* path : {"proof/entry.json", "proof/entry.tlog-proof", "proof/log.vkey"}) {
    files.erase(path);
  }
  const auto breaks = breaks_of(remade(files, {}), {});
  EXPECT_THAT(breaks, Contains(HasSubstr("does not end with the one event that names")));
  EXPECT_THAT(breaks, Contains(HasSubstr("proof/entry.json is missing")));
  EXPECT_THAT(breaks, Contains(HasSubstr("says isolation microvm")));
}

/// With a log of one's own all digests and signatures are right. What is left is whether the
/// events tell what the case claims.
struct Lie {
  std::string name;
  std::function<void(Made&)> lie;
  std::string found;  // a part of what is said of it
};

template <class E>
void drop(Made& made) {
  std::erase_if(made.events, [](const record::Event& event) { return event.as<E>() != nullptr; });
}

template <class E>
void change(Made& made, const std::function<void(E&)>& how) {
  for (record::Event& event : made.events) {
    const E* found = event.as<E>();
    if (found == nullptr) continue;
    E other = *found;
    how(other);
    event = record::Event(other);
  }
}

std::vector<Lie> lies() {
  using namespace record;  // NOLINT(google-build-using-namespace): a list of events
  return {
      {"isolation", [](Made& m) { m.c.isolation_class = "microvm"; }, "says isolation microvm"},
      {"no isolation", [](Made& m) { m.c.isolation_class = ""; }, "says isolation"},
      {"base", [](Made& m) { m.c.base = std::string(40, '9'); }, "another base"},
      {"repository", [](Made& m) { m.c.repo = "other"; }, "another repository"},
      {"tier", [](Made& m) { m.c.tier = report::Tier::llm; }, "another tier"},
      {"outcome", [](Made& m) { m.c.outcome = report::Outcome::partly_fixed; }, "a part was fixed"},
      {"refused", [](Made& m) { m.c.outcome = report::Outcome::refused; }, "nothing was fixed"},
      {"exit", [](Made& m) { m.c.exit = 7; }, "all was fixed"},
      {"spending",
       [](Made& m) {
         m.c.spend = {5, "0.01"};
       },
       "were spent"},
      {"attempts", [](Made& m) { m.c.branches[0].attempts = 2; }, "number of attempts"},
      {"branch", [](Made& m) { m.c.branches[0].name += "x"; }, "under another name"},
      {"commit", [](Made& m) { m.c.branches[0].commit = std::string(40, '8'); },
       "at another commit"},
      {"no branch", [](Made& m) { m.c.branches.clear(), m.parts.commits.clear(); }, "0 branches"},
      {"findings", [](Made& m) { m.c.findings.before = 2; }, "other findings"},
      {"findings after", [](Made& m) { m.c.findings.after = 1; }, "other findings"},
      {"advisories", [](Made& m) { m.c.advisories[0].id = "GHSA-2"; }, "other advisories"},
      {"index", [](Made& m) { m.c.index.digest = "blake3:0"; }, "another advisory index"},
      {"fate", [](Made& m) { m.c.copies[0].fate = plan::Fate::no_fix; }, "other numbers of copies"},
      {"plan", [](Made& m) { m.c.copies[0].to = "1.2.9"; }, "settles on another plan"},
      {"verdict", [](Made& m) { m.c.gates[1].passed = true; }, "of gate build"},
      {"need", [](Made& m) { m.c.gates[1].required = true; }, "of gate build"},
      {"numbers", [](Made& m) { m.c.gates[0].after = json::Value(); }, "of gate tests"},
      {"weakness", [](Made& m) { m.c.gates[0].weak = "x"; }, "of gate tests"},
      {"no weakness",
       [](Made& m) {
         const auto judged = std::find_if(
             m.events.begin(), m.events.end(),
             [](const record::Event& event) { return event.as<SignalJudged>() != nullptr; });
         const SignalJudged told = *judged->as<SignalJudged>();
         m.events.insert(judged + 1, ProofWeak{1, told.group, "x", told.signal});
       },
       "of gate tests"},
      {"weakness of nothing",
       [](Made& m) {
         m.events.insert(m.events.begin(), ProofWeak{1, "", "x", "tests"});
       },
       "what it does not judge"},
      {"not proven", [](Made& m) { m.c.branches[0].outcome = "weak"; }, "which its gates do not"},
      {"fewer gates", [](Made& m) { m.c.gates.pop_back(); }, "lacks verdicts"},
      {"more gates", [](Made& m) { m.c.gates.push_back(m.c.gates[0]); }, "events have not"},
      {"other branch", [](Made& m) { m.c.gates[0].branch = "x"; }, "does not have what the gates"},
      {"document gone", [](Made& m) { m.parts.gates[0].pop_back(); }, "build.json is missing"},
      {"document", [](Made& m) { m.parts.gates[0][0].second = "{}"; }, "is of another gate"},
      {"no document", [](Made& m) { m.parts.gates[0][0].second = "x"; }, "is not the document"},
      {"documents", [](Made& m) { m.parts.gates[0].emplace_back("gates/more.json", "{}"); },
       "is of no gate"},
      {"plugin", [](Made& m) { m.parts.plugin = "other"; }, "names a plugin"},
      {"scan", [](Made& m) { m.parts.before.findings.clear(); }, "other provenance"},
      {"head", [](Made& m) { m.parts.before.repo.head = "x"; }, "of another commit"},
      {"nothing", [](Made& m) { m.events.clear(); }, "what was asked for"},
      {"no request", drop<RemediationStarted>, "what was asked for"},
      {"no provenance", drop<ProvenanceClassified>, "other provenance"},
      {"no plan", drop<PlanMade>, "settles on another plan"},
      {"no plugin", drop<PluginLoaded>, "names a plugin"},
      {"no attempt", drop<AttemptEnded>, "without an attempt that passed"},
      {"no verdict", drop<SignalJudged>, "passed without a gate"},
      {"no branch told", drop<BranchWritten>, "of which it has no branch"},
      {"no commit", drop<PlanCommitted>, "does not tie the commit"},
      {"no sandbox", drop<SandboxOpened>, "an isolation that was not there"},
      {"no step", drop<StepRan>, "rests on a step"},
      {"failed", [](Made& m) { change<AttemptEnded>(m, [](auto& e) { e.failing = "tests"; }); },
       "without an attempt that passed"},
      {"a gate failed", [](Made& m) { change<SignalJudged>(m, [](auto& e) { e.passed = "no"; }); },
       "of gate tests"},
      {"unsafe",
       [](Made& m) {
         m.c.isolation_class = "none";
         change<AttemptEnded>(m, [](auto& e) { e.isolation = "none"; });
         change<SandboxOpened>(m, [](auto& e) { e.isolation = "none"; });
       },
       "an isolation that was not there"},
      {"stronger",
       [](Made& m) {
         m.c.isolation_class = "microvm";
         change<AttemptEnded>(m, [](auto& e) { e.isolation = "microvm"; });
       },
       "an isolation that was not there"},
      {"another group", [](Made& m) { change<SignalJudged>(m, [](auto& e) { e.group = "x"; }); },
       "not its own"},
      {"another plan", [](Made& m) { change<PlanCommitted>(m, [](auto& e) { e.plan.fill(0); }); },
       "does not tie the commit"},
      {"hidden model",
       [](Made& m) {
         m.events.insert(m.events.begin(),
                         PlanProposalAccepted{
                             1, {}, "group of " + m.c.branches[0].name, "callsite_rewrite", {}});
       },
       "hides that a model proposed it"},
      {"hidden spending",
       [](Made& m) {
         m.events.insert(m.events.begin(), BudgetPrecharged{1, "m", 10, "0.10"});
       },
       "were spent"},
  };
}

TEST(Forged, EventsThatDoNotAddUpToTheCaseAreFound) {
  for (const Lie& one : lies()) {
    SCOPED_TRACE(one.name);
    Bench bench;
    bench.lie = one.lie;
    EXPECT_THAT(breaks_of(*read_bundle(bench.write()), {}), Contains(HasSubstr(one.found)));
  }
}

TEST(Forged, EvidenceThatNoEventNamesIsNone) {
  const std::function<void(record::Events&)> untold[] = {
      [](record::Events& events) { events.pop_back(); },
      [](record::Events& events) { events.push_back(events.back()); },
      [](record::Events& events) { events.emplace_back(record::HandoffWritten{"x"}); },
      [](record::Events& events) {
        auto named = *events.back().as<record::EvidenceWritten>();
        named.path = "evidence/01JCN4Q0000000000000000000";
        events.back() = record::Event(named);
      }};
  for (const auto& lie : untold) {
    Bench bench;
    bench.last_lie = lie;
    EXPECT_THAT(breaks_of(*read_bundle(bench.write()), {}), Contains(HasSubstr("events.jsonl")));
  }
}

/// A model's fix is told as one in the case, the events, the commit and the evidence.
TEST(Forged, AModelsFixIsOneEverywhere) {
  Bench bench;
  bench.about.fixes[0].recipe = plan::kModelRecipe;
  bench.about.tier = report::Tier::llm;
  const auto accept = [](Made& m) {
    m.events.insert(m.events.begin(),
                    record::PlanProposalAccepted{
                        1, {}, "group of " + m.c.branches[0].name, "callsite_rewrite", {}});
    m.parts.gates[0].emplace_back("tier/model.json", "{}\n");
  };
  bench.lie = accept;
  EXPECT_THAT(breaks_of(*read_bundle(bench.write()), {}), testing::IsEmpty());
  bench.lie = {};
  EXPECT_THAT(breaks_of(*read_bundle(bench.write()), {}),
              Contains(HasSubstr("no event has its proposal")));
  bench.lie = [&](Made& m) {
    accept(m);
    m.parts.gates[0].pop_back();
  };
  EXPECT_THAT(breaks_of(*read_bundle(bench.write()), {}), Contains("tier/model.json is missing"));
}

TEST(Forged, WhatAnExampleGaveIsOneEverywhere) {
  Bench bench;
  bench.about.fixes[0].recipe = plan::kExampleRecipe;
  bench.about.tier = report::Tier::rag;
  bench.about.branches[0].example = "rec-0123456789abcdef01234567";
  const auto carry = [](Made& m) {
    m.events.insert(m.events.begin(), record::RagHit{"CVE-1", 1, m.c.branches[0].example, "1.000",
                                                     std::string(record::kCarried)});
    m.parts.gates[0].emplace_back("tier/example.json", "{}\n");
  };
  bench.lie = carry;
  EXPECT_THAT(breaks_of(*read_bundle(bench.write()), {}), testing::IsEmpty());
  bench.lie = {};
  EXPECT_THAT(breaks_of(*read_bundle(bench.write()), {}),
              Contains(HasSubstr("is called a solved example's, and no event has it")));
  bench.lie = [&](Made& m) {
    carry(m);
    m.c.branches[0].example.clear();
  };
  EXPECT_THAT(breaks_of(*read_bundle(bench.write()), {}),
              Contains(HasSubstr("names a solved example and other steps")));
  bench.lie = [&](Made& m) {
    carry(m);
    m.parts.gates[0].pop_back();
  };
  EXPECT_THAT(breaks_of(*read_bundle(bench.write()), {}), Contains("tier/example.json is missing"));
}

TEST(Witness, ALogOfOnesOwnIsNotThisWorkspaces) {
  const Kept kept({});
  const Kept forged({});
  // Beside the workspace it is a stranger's bundle, which may be sound.
  Trust elsewhere;
  elsewhere.log = *read_witness(kept.bench.home, forged.inside.workflow);
  EXPECT_FALSE(elsewhere.log->known);
  const BundleReport report = verify_bundle(forged.files, elsewhere);
  EXPECT_TRUE(report.breaks.empty());
  EXPECT_THAT(report.unchecked, Contains(HasSubstr("it is not this workspace's")));
  // In its place it is none.
  elsewhere.workflow = forged.inside.workflow;
  EXPECT_THAT(breaks_of(forged.files, elsewhere),
              Contains(HasSubstr("proof/log.vkey is not the key of the log of this workspace")));
  EXPECT_THAT(breaks_of(forged.files, kept.inside),
              Contains(HasSubstr("case.json is of workflow")));
}

TEST(Witness, EveryWordOfTheLogCounts) {
  const Kept kept({});
  EXPECT_THAT(verify_bundle(kept.files, kept.inside).checked,
              Contains("the log of this workspace has the same events"));
  const std::pair<std::function<void(Witness&)>, std::string> others[] = {
      {[](Witness& w) { w.lines += "x"; }, "events.jsonl is not what the log"},
      {[](Witness& w) { w.lines.clear(); }, "events.jsonl is not what the log"},
      {[](Witness& w) { w.entry.clear(); }, "proof/entry.json is not what the log"},
      {[](Witness& w) { w.key[30] ^= 1; }, "proof/log.vkey is not what the log"},
      {[](Witness& w) { w.leaves[0][0] ^= 1; }, "leads to another log"},
      {[](Witness& w) { w.leaves.pop_back(); }, "leads to another log"},
      {[](Witness& w) { w.known = false; }, "that the log does not know"}};
  for (const auto& [change_log, found] : others) {
    Trust trust = kept.inside;
    change_log(*trust.log);
    EXPECT_THAT(breaks_of(kept.files, trust), Contains(HasSubstr(found)));
  }
}

TEST(Witness, ALongerLogStillKnowsTheWorkflow) {
  Kept kept({});
  static_cast<void>(kept.bench.write());
  kept.inside.log = *read_witness(kept.bench.home, kept.inside.workflow);
  EXPECT_THAT(breaks_of(kept.files, kept.inside), testing::IsEmpty());
}

TEST(HeldCommit, MustBeTheOneThatWasProven) {
  const Kept kept({});
  const auto c = *report::from_json(kept.files.at("case.json"));
  Trust trust;
  trust.commit = {c.branches[0].commit, kept.files.at("commit.txt"), kept.files.at("patch.diff")};
  const BundleReport report = verify_bundle(kept.files, trust);
  EXPECT_TRUE(report.breaks.empty());
  EXPECT_THAT(report.checked, Contains(HasSubstr("of the repository is the one of")));
  EXPECT_THAT(report.unchecked, testing::Not(Contains(HasSubstr("a repository holds"))));
  trust.commit->patch += "+more\n";
  EXPECT_THAT(breaks_of(kept.files, trust), Contains("patch.diff is not the change of the commit"));
  trust.commit->object += "x";
  EXPECT_THAT(breaks_of(kept.files, trust), Contains("commit.txt is not what the repository has"));
  trust.commit->id = std::string(40, '1');
  EXPECT_THAT(breaks_of(kept.files, trust), Contains(HasSubstr("has no branch at commit")));
}

TEST(GateFile, OfTwoGatesAreTwo) {
  EXPECT_EQ(gate_file("tests"), "gates/tests.json");
  EXPECT_EQ(gate_file("a/package-lock.json tests"), "gates/a%2Fpackage-lock.json%20tests.json");
  EXPECT_NE(gate_file("a/b tests"), gate_file("a-b tests"));
  EXPECT_NE(gate_file("a/b"), gate_file("a%2Fb"));
}

}  // namespace
}  // namespace cg::evidence
