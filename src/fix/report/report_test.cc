// Cases in every format, as people see them.
#include "fix/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base/bytes.h"
#include "base/json/json.h"
#include "fix/report/review.h"
#include "fix/report/samples.h"
#include "trust/hash/sha256.h"

namespace cg::report {
namespace {

using test::fixed_case;
using test::mixed_case;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// The digest of a plan, by another way.
std::string digest_of(const std::string& text) {
  return "sha256:" + to_hex(hash::sha256(as_bytes(text)));
}

TEST(PrBody, SaysWhatWasNotReadAndNotTold) {
  Case c = fixed_case();
  c.skipped = {"vendor/cache/yarn.lock: in cache, a folder that tools fill"};
  c.withheld = {"src/client.js: 1 secret"};
  const std::string body = pr_body(c);
  EXPECT_NE(
      body.find(
          "| Lockfiles not read | vendor/cache/yarn.lock: in cache, a folder that tools fill |"),
      std::string::npos);
  EXPECT_NE(body.find("| Kept from the model | src/client.js: 1 secret |"), std::string::npos);
  const auto read = from_json(json::write_json(to_json(c)));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->skipped, c.skipped);
  EXPECT_EQ(read->withheld, c.withheld);
}

TEST(Reports, NameTheTestsThatFail) {
  Case c = mixed_case();
  Gate tests = c.gates.front();
  tests.state = "failed";
  tests.passed = false;
  tests.reasons = {"a.js > adds: passed before, fails now", "b.js > new: fails now"};
  Gate again = tests;
  again.branch += "-2";
  c.gates = {tests, again};
  for (const std::string& text : {pr_body(c), handoff(c), markdown(c)}) {
    EXPECT_THAT(text, HasSubstr("Not passed"));
    const std::size_t at = text.find("adds: passed before, fails now");
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_EQ(text.find("adds: passed before, fails now", at + 1), std::string::npos) << text;
    EXPECT_THAT(text, HasSubstr("new: fails now"));
  }
  EXPECT_THAT(json::write_json(to_json(c)), HasSubstr("adds: passed before, fails now"));
  EXPECT_THAT(pr_body(fixed_case()), Not(HasSubstr("Not passed")));
}

TEST(PrBody, SaysTheFactsFirst) {
  EXPECT_EQ(pr_body(fixed_case()),
            R"~(### Fixes CVE-2021-44906 in minimist (critical) — 1.2.5 → 1.2.6

| | |
|---|---|
| Change | `package.json` +1 -1, `package-lock.json` +3 -3; only `minimist` moves |
| How | recipe `npm-direct-bump` (direct bump) — deterministic, no model used |
| Checked in a sandbox | tests ✓ (184 passed, same as before) · build – (no build script) · isolation namespaces |
| Advisories | 5 → 4 findings, none introduced |
| Supply chain | published 2022-03-21 · publisher not known · no install scripts · registry unchanged · integrity sha512 |
| Not checked | browser tests: they need a network |

**What a reviewer should look at:** `package.json` +1 -1. The rest follows from it: `package-lock.json` +3 -3.

<details><summary>Advisories (quoted, untrusted text)</summary>

| Advisory | Severity | Summary |
|---|---|---|
| CVE-2021-44906 (GHSA-xvch-5gv4-984h) | critical | Prototype Pollution in minimist |

</details>

<details><summary>Every copy, before and after</summary>

| Advisory | Copy | Where | Result |
|---|---|---|---|
| CVE-2021-44906 | `minimist` `1.2.5` | `package-lock.json` `node_modules/minimist` | fixed: `1.2.6` by direct bump |

</details>

<details><summary>Steps</summary>

| Step | Package | Recipe | Why | Touches |
|---|---|---|---|---|
| direct bump | `minimist` `1.2.5` → `1.2.6` | `npm-direct-bump` | package.json asks for it | `node_modules/minimist`, `package.json dependencies.minimist` |

</details>

<details><summary>Packages that move</summary>

| Package | From | To | Published | Install scripts | Source | Publisher | Integrity |
|---|---|---|---|---|---|---|---|
| `minimist` | `1.2.5` | `1.2.6` | 2022-03-21 | no install scripts | registry unchanged | publisher not known | integrity sha512 |

</details>

<details><summary>Evidence: 01JCN4Q0000000000000000000</summary>

    codegenie report 01JCN4Q0000000000000000000
    codegenie verify 01JCN4Q0000000000000000000.tar.zst --allowed-signers FILE

- Repository `examples/shop` at `4444444444444444444444444444444444444444`
- Branch `codegenie/cve-2021-44906-minimist-1.2.6`, plan `)~" +
                digest_of(plan_text(fixed_case())) + R"~(`
- Advisory index `blake3:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`, built 2026-11-12, 16 204 advisories
- Made by codegenie 0.1.0 on 2026-11-15T02:40:12.500Z

</details>

A person merges this. codegenie cannot push, approve or merge.
)~");
}

TEST(Commit, Conventional) {
  EXPECT_EQ(
      commit_message(fixed_case()),
      "fix(deps): minimist 1.2.5 -> 1.2.6 (CVE-2021-44906)\n"
      "\n"
      "- minimist 1.2.5 -> 1.2.6 in package-lock.json (direct bump): package.json asks for it\n"
      "\n"
      "Fixes-Advisory: CVE-2021-44906\n"
      "Codegenie-Tier: recipe\n"
      "Codegenie-Plan: " +
          digest_of(plan_text(fixed_case())) + "\n");
}

TEST(Commit, PlainAndOfSeveral) {
  Case c = mixed_case();
  c.subject = Subject::plain;
  EXPECT_THAT(commit_message(c, c.branches[0]),
              StartsWith("Update minimist to 1.2.6 (CVE-2021-44906)\n\n"));
  EXPECT_THAT(commit_message(c, c.branches[1]),
              StartsWith("Update qs to 6.7.3 (CVE-2022-24999)\n\n"));
  const std::string all = commit_message(c);
  EXPECT_THAT(all, StartsWith("Update 2 packages (CVE-2021-44906, CVE-2022-24999)\n\n"));
  EXPECT_THAT(all, HasSubstr("\nFixes-Advisory: CVE-2021-44906\nFixes-Advisory: CVE-2022-24999\n"
                             "Codegenie-Tier: recipe\n"));
  EXPECT_THAT(all, Not(HasSubstr(c.workflow)));
  c.subject = Subject::conventional;
  EXPECT_THAT(commit_message(c), StartsWith("fix(deps): update 2 packages (CVE-2021-44906, "));
  c.fixes[0].to = "";
  EXPECT_THAT(commit_message(c, c.branches[0]), StartsWith("fix(deps): drop minimist (CVE-"));
}

TEST(PrBody, TellsNumbersOfGatesOnlyWhereTheyHoldForEveryBranch) {
  Case c = mixed_case();
  Gate other = c.gates.front();
  other.branch = c.branches[1].name;
  c.gates.push_back(other);
  EXPECT_THAT(pr_body(c), HasSubstr("tests ✓ (184 passed, same as before)"));
  c.gates.back().words = "7 passed, same as before";
  EXPECT_THAT(pr_body(c), HasSubstr("tests ✓ · "));
  c.gates.back().passed = false;
  EXPECT_THAT(pr_body(c), HasSubstr("tests ✗"));
}

TEST(PrBody, SaysWhatIsLeft) {
  const std::string body = pr_body(mixed_case());
  EXPECT_THAT(body, StartsWith("### Fixes 2 advisories in 2 packages (critical)\n"));
  EXPECT_THAT(body, HasSubstr("| Left for a person | 2 copies, below |"));
  EXPECT_THAT(body, HasSubstr("install scripts ADDED by `qs`"));
  EXPECT_THAT(body, HasSubstr("registry CHANGED for `qs`"));
  EXPECT_THAT(body, HasSubstr("NO integrity for `qs`"));
  EXPECT_THAT(body, HasSubstr("no fix (no version): no published version is safe"));
  EXPECT_THAT(body, Not(HasSubstr("What was considered")));
  EXPECT_THAT(markdown(mixed_case()), HasSubstr("What was considered"));
}

TEST(PrBody, CountsACopyOnceWhateverSpeaksOfIt) {
  Case c = mixed_case();
  c.copies.push_back(c.copies.back());
  c.copies.back().advisory = "GHSA-other";
  EXPECT_THAT(pr_body(c), HasSubstr("| Left for a person | 2 copies (3 findings), below |"));
  EXPECT_THAT(handoff(c), StartsWith("### Left for a person: 2 copies (3 findings)\n"));
}

TEST(PrBody, OfABranchCoversThatBranchAlone) {
  const Case c = test::model_case();
  const Case first = only_branch(c, c.branches[0]);
  const std::string body = pr_body(first);
  EXPECT_THAT(body, StartsWith("### Fixes CVE-2021-44906 in minimist (critical) — 1.2.5 → 1.2.6"));
  EXPECT_THAT(body, HasSubstr("5 → 4 findings"));
  for (const char* other : {"qs", "CVE-2022-24999", "openSession", "Left for a person", "axios"}) {
    EXPECT_THAT(body, Not(HasSubstr(other)));
  }
  EXPECT_EQ(first.tier, Tier::recipe);
  EXPECT_EQ(plan_digest(first, first.branches[0]), plan_digest(c, c.branches[0]));

  const Case second = only_branch(c, c.branches[1]);
  const std::string rewritten = pr_body(second);
  EXPECT_THAT(rewritten, StartsWith("### Fixes CVE-2022-24999 in qs (high) — 6.7.0 → 6.7.3"));
  EXPECT_THAT(rewritten, HasSubstr("lib/requests.js"));
  EXPECT_THAT(rewritten, Not(HasSubstr("minimist")));
  EXPECT_EQ(second.tier, Tier::llm);
  EXPECT_EQ(second.gates.size(), 1U);
  EXPECT_EQ(plan_digest(second, second.branches[0]), plan_digest(c, c.branches[1]));
  // Nobody knows whose it is, so both tell it.
  for (const Case& one : {first, second}) EXPECT_EQ(one.moved.back().package, "left-pad");
}

TEST(PrBody, SaysWhatWasCarriedOverFromASolvedExample) {
  Case c = test::model_case();
  Branch& branch = c.branches[1];
  branch.example = "rec-0123456789abcdef01234567";
  branch.changes.front().author = Author::example;
  c.changes = branch.changes;
  for (const std::size_t fix : branch.fixes) c.fixes[fix - 1].recipe = plan::kExampleRecipe;
  const Case one = only_branch(c, branch);
  EXPECT_EQ(one.tier, Tier::rag);
  EXPECT_THAT(pr_body(one), HasSubstr("carried over from a solved example, no model asked"));
  EXPECT_THAT(pr_body(one), Not(HasSubstr("a model wrote")));
  EXPECT_THAT(file_lines(review(one)),
              Contains("lib/requests.js +2 -1, carried over from a solved example"));
  EXPECT_THAT(caution_lines(review(one)),
              Contains(StartsWith("plan after solved example rec-0123456789abcdef01234567: ")));
  const auto read = from_json(json::write_json(to_json(one)));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->branches.front().example, branch.example);
  EXPECT_EQ(read->changes.front().author, Author::example);
}

TEST(PrBody, OfABranchLeavesOutWhatAnotherMoves) {
  Case c = mixed_case();
  c.fixes[1].touched = {"node_modules/express/node_modules/left-pad"};
  const Case first = only_branch(c, c.branches[0]);
  ASSERT_EQ(first.moved.size(), 1U);
  EXPECT_EQ(first.moved[0].package, "minimist");
  c.fixes[0].touched = {"left-pad@^1.0.0"};
  EXPECT_EQ(only_branch(c, c.branches[0]).moved.size(), 2U);
}

TEST(PrBody, NeverSaysThatSomethingWasTried) {
  for (Case c : {Case{}, fixed_case(), mixed_case()}) {
    c.gates.clear();
    for (const std::string& out : {pr_body(c), markdown(c), html(c)}) {
      EXPECT_THAT(out, HasSubstr("not run: neither install nor build nor tests were tried"));
      EXPECT_THAT(out, Not(HasSubstr("✓")));
    }
  }
}

TEST(PrBody, TitleFollowsTheOutcome) {
  EXPECT_THAT(pr_body(Case{}), StartsWith("### Nothing to fix\n"));
  Case c = fixed_case();
  c.outcome = Outcome::planned;
  EXPECT_THAT(pr_body(c), StartsWith("### Would fix CVE-2021-44906 in minimist (critical)"));
  c.copies[0].fate = plan::Fate::blocked;
  EXPECT_THAT(pr_body(c), StartsWith("### Not fixed: CVE-2021-44906 in minimist (critical)\n"));
}

TEST(Handoff, NamesEveryOpenCopyAndTheWayOn) {
  EXPECT_EQ(handoff(fixed_case()), "");
  EXPECT_EQ(handoff(mixed_case()), R"~(### Left for a person: 2 copies

| | |
|---|---|
| Repository | `examples/shop` at `4444444444444444444444444444444444444444` |
| Workflow | 01JCN4Q0000000000000000000 |
| Outcome | partly fixed |
| Advisory index | `blake3:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`, built 2026-11-12 |

**What a reviewer should look at:** `package.json` +1 -1, above all its overrides. The rest follows from it: `package-lock.json` +3 -3.

#### GHSA-35jh-r3h4-6jhm in lodash.template 4.5.0 (high)

    codegenie explain GHSA-35jh-r3h4-6jhm --repo examples/shop
    npm explain lodash.template
    codegenie remediate examples/shop --cve GHSA-35jh-r3h4-6jhm

- Where: `packages/api/package-lock.json` `node_modules/lodash.template`
- Result: no fix
- Why: no published version is safe
- Needs: a fixed release; until then removing the package, replacing it, or an ignore with a reason

| Way | Target | Answer |
|---|---|---|
| relock | – | no version of 4.x is safe |

#### GHSA-major in axios 0.21.1 (high)

    codegenie explain GHSA-major --repo examples/shop
    npm explain axios
    npm install --ignore-scripts axios@VERSION
    codegenie remediate examples/shop --cve GHSA-major

- Where: `packages/api/package-lock.json` `node_modules/axios`
- Result: handed on
- Why: only 1.x is safe, and package.json asks for ^0.21.1
- Needs: moving to another major version and changing the calls that break
)~");
}

/// At the base or with the fix, which step, which test, and the command that shows more.
TEST(Handoff, SaysWhatStoppedEachBranch) {
  Case c = mixed_case();
  c.workflow = "01JCN4Q0000000000000000000";
  Gate tests;
  tests.branch = "codegenie/x";
  tests.signal = "tests";
  tests.state = "failed";
  tests.side = "fix";
  tests.test = "sum > adds";
  tests.reasons = {"sum > adds: passed before, fails now"};
  Gate install = tests;
  install.branch = "codegenie/y";
  install.signal = "install";
  install.state = "missing";
  install.side = "base";
  install.test = "";
  install.reasons = {"fails at the base: exit 1"};
  Gate waits = install;
  waits.signal = "trace";
  waits.side = "";
  c.gates = {tests, install, waits};
  c.unproven = {{"package-lock.json", "the packages cannot be installed"}};
  const std::string text = handoff(c);
  EXPECT_THAT(text, HasSubstr("tests, with the fix, first test"));
  EXPECT_THAT(text, HasSubstr("codegenie workflow show " + c.workflow + " --gate tests"));
  EXPECT_THAT(text, HasSubstr("install, at the base: fails at the base: exit 1"));
  EXPECT_THAT(text, Not(HasSubstr("--gate trace"))) << "it waits for another";
  EXPECT_LT(text.find("the packages cannot be installed"), text.find("Repository"));
  const auto back = from_json(json::write_json(to_json(c)));
  ASSERT_TRUE(back.has_value()) << back.error();
  EXPECT_EQ(back->unproven, c.unproven);
  EXPECT_EQ(back->gates[0].test, "sum > adds");
  EXPECT_EQ(back->gates[1].side, "base");
}

TEST(Unproven, IsTheFirstWordOfItsPullRequest) {
  Case c = mixed_case();
  Branch& branch = c.branches.front();
  branch.outcome = kUnproven;
  for (Copy& copy : c.copies) {
    if (copy.fix != branch.fixes.front()) continue;
    copy.fate = plan::Fate::blocked;
    copy.blocker = plan::Blocker::unproven;
  }
  c.unproven = {{"package-lock.json", "the packages cannot be installed"}};
  const Case one = only_branch(c, branch);
  EXPECT_EQ(one.findings.after, one.findings.before);
  const std::string body = pr_body(one);
  EXPECT_THAT(body, StartsWith("### Unproven, not fixed: "));
  EXPECT_THAT(body, HasSubstr("the packages cannot be installed"));
  const std::string message = commit_message(c, branch);
  EXPECT_THAT(message, HasSubstr("Codegenie-Proof: none\n"));
  EXPECT_THAT(message, HasSubstr("Concerns-Advisory: "));
  EXPECT_THAT(message, Not(HasSubstr("Fixes-Advisory: ")));
}

TEST(Html, IsOnePageOfItsOwn) {
  const std::string page = html(fixed_case());
  EXPECT_THAT(page, StartsWith("<!doctype html>\n<html lang=\"en\">\n"));
  EXPECT_THAT(page,
              HasSubstr("<h1>Fixes CVE-2021-44906 in minimist (critical) — 1.2.5 → 1.2.6</h1>"));
  EXPECT_THAT(page, HasSubstr("color-scheme:light dark"));
  for (const char* foreign : {"<script", "src=", "href=", "url(", "@import"}) {
    EXPECT_THAT(page, Not(HasSubstr(foreign)));
  }
}

TEST(Vex, SaysFixedForWhatIsFixed) {
  const json::Value vex = openvex(fixed_case(), test::after_scan());
  EXPECT_EQ(json::write_json(*vex.find("statements")),
            R"([{"vulnerability":{"name":"GHSA-xvch-5gv4-984h","description":"Prototype )"
            R"(Pollution in minimist","aliases":["CVE-2021-44906"]},"status":"fixed",)"
            R"("products":[{"@id":"pkg:npm/minimist@1.2.6"}]}])");
  EXPECT_EQ(openvex(fixed_case(), test::after_scan()), vex);
  EXPECT_TRUE(vex.find("@id")->as_string()->starts_with("urn:uuid:"));
}

TEST(Vex, ResolvesWhatHasNoCopyLeft) {
  const auto state = [](const Case& c) {
    const json::Value vex = cyclonedx_vex(c, test::before_scan());
    const json::Value& first = vex.find("vulnerabilities")->as_array()->front();
    return *first.find("analysis")->find("state")->as_string();
  };
  Case c = fixed_case();
  EXPECT_EQ(state(c), "resolved");
  c.copies.push_back(c.copies[0]);
  c.copies[1].fate = plan::Fate::blocked;
  EXPECT_EQ(state(c), "exploitable");
}

}  // namespace
}  // namespace cg::report
