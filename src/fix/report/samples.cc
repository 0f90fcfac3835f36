#include "fix/report/samples.h"

namespace cg::report::test {

namespace {

using plan::Blocker;
using plan::Fate;
using plan::Strategy;

plan::Copy copy(const std::string& advisory, const std::string& package, const std::string& from) {
  plan::Copy out;
  out.advisory = advisory;
  out.package = package;
  out.location = "node_modules/" + package;
  out.from = from;
  out.level = advisory::Level::high;
  return out;
}

findings::IndexFacts index() {
  return {"blake3:" + std::string(64, 'a'), *parse_iso("2026-11-12T02:00:11.000Z"), 16204, {"osv"}};
}

plan::Plan minimist_plan() {
  plan::Plan plan;
  plan.lockfile = "package-lock.json";
  plan::Copy c = copy("GHSA-xvch-5gv4-984h", "minimist", "1.2.5");
  c.to = "1.2.6";
  c.level = advisory::Level::critical;
  c.fate = Fate::fixed;
  c.strategy = Strategy::direct_bump;
  c.fix = 1;
  c.considered = {
      {Strategy::relock, "", "package.json asks for exactly 1.2.5", false},
      {Strategy::direct_bump, "minimist 1.2.6", "the lowest version that is safe", true}};
  plan.copies = {c};
  plan.fixes = {{Strategy::direct_bump,
                 "minimist",
                 "1.2.5",
                 "1.2.6",
                 "npm-direct-bump",
                 "package.json asks for it",
                 {"node_modules/minimist", "package.json dependencies.minimist"}}};
  return plan;
}

}  // namespace

Case fixed_case() {
  Case c;
  c.workflow = "01JCN4Q0000000000000000000";
  c.outcome = Outcome::fixed;
  c.tier = Tier::recipe;
  c.evidence = "evidence/01JCN4Q0000000000000000000";
  c.repo = "examples/shop";
  c.base = std::string(40, '4');
  c.index = index();
  c.advisories = {{"GHSA-xvch-5gv4-984h",
                   {"CVE-2021-44906"},
                   "Prototype Pollution in minimist",
                   advisory::Level::critical}};
  add_plan(c, minimist_plan());
  c.branches = {{"codegenie/cve-2021-44906-minimist-1.2.6", "", {}}};
  c.changes = {{"package-lock.json", 3, 3}, {"package.json", 1, 1}};
  c.moved = {{"minimist", "1.2.5", "1.2.6", "2022-03-21", Scripts::none, "registry.example",
              "registry.example", "sha512-abc"}};
  c.findings = {5, 4, 0};
  const auto counts = [](int passed) { return json::Value::Object{{"passed", passed}}; };
  c.gates = {{c.branches[0].name,
              "tests",
              "passed",
              true,
              true,
              counts(184),
              counts(184),
              "184 passed, same as before",
              {}},
             {c.branches[0].name, "build", "absent", false, false, {}, {}, "no build script", {}}};
  c.isolation_class = "namespaces";
  c.not_checked = {"browser tests: they need a network"};
  c.subject = Subject::conventional;
  c.tool = "codegenie 0.1.0";
  c.started = *parse_iso("2026-11-15T02:40:11.000Z");
  c.ended = *parse_iso("2026-11-15T02:40:12.500Z");
  return c;
}

Case mixed_case() {
  Case c = fixed_case();
  c.outcome = Outcome::partly_fixed;
  plan::Plan plan;
  plan.lockfile = "packages/api/package-lock.json";
  plan::Copy overridden = copy("GHSA-hrpp-h998-j3pp", "qs", "6.7.0");
  overridden.to = "6.7.3";
  overridden.fate = Fate::fixed;
  overridden.strategy = Strategy::override_rule;
  overridden.fix = 1;
  plan::Copy blocked = copy("GHSA-35jh-r3h4-6jhm", "lodash.template", "4.5.0");
  blocked.fate = Fate::no_fix;
  blocked.blocker = Blocker::no_version;
  blocked.reason = "no published version is safe";
  blocked.considered = {{Strategy::relock, "", "no version of 4.x is safe", false}};
  plan::Copy major = copy("GHSA-major", "axios", "0.21.1");
  major.fate = Fate::handed_on;
  major.blocker = Blocker::major;
  major.reason = "only 1.x is safe, and package.json asks for ^0.21.1";
  plan.copies = {overridden, blocked, major};
  plan.fixes = {{Strategy::override_rule,
                 "qs",
                 "6.7.0",
                 "6.7.3",
                 "npm-override",
                 "express 4.17.1 asks for exactly 6.7.0",
                 {"overrides express > qs"}}};
  plan.overrides = {{{"express", "qs"},
                     "6.7.3",
                     "express 4.17.1 asks for exactly 6.7.0",
                     {"GHSA-hrpp-h998-j3pp"}}};
  add_plan(c, plan);
  c.advisories.push_back(
      {"GHSA-hrpp-h998-j3pp", {"CVE-2022-24999"}, "qs prototype poisoning", advisory::Level::high});
  c.branches = {{"codegenie/cve-2021-44906-minimist-1.2.6", std::string(40, '5'), {1}},
                {"codegenie/cve-2022-24999-qs-6.7.3", std::string(40, '6'), {2}}};
  c.moved.push_back(
      {"qs", "6.7.0", "6.7.3", "", Scripts::added, "registry.example", "mirror.example", ""});
  c.moved.push_back({"left-pad", "1.0.0", "", "", Scripts::unknown, "registry.example", "", ""});
  c.exit = 7;
  return c;
}

Case model_case() {
  Case c = mixed_case();
  c.tier = Tier::llm;
  Branch& branch = c.branches[1];
  branch.changes = {{"lib/requests.js", 2, 1, Author::model},
                    {"package-lock.json", 3, 3},
                    {"package.json", 1, 1}};
  branch.kind = "callsite_rewrite";
  for (const std::size_t fix : branch.fixes) c.fixes[fix - 1].recipe = plan::kModelRecipe;
  branch.rationale = "Version 2 calls it openSession.";
  branch.attempts = 2;
  c.changes = branch.changes;
  Gate tests = c.gates.front();
  tests.branch = branch.name;
  tests.words = "exit 0";
  tests.weak = "their exit code alone was judged";
  c.gates.push_back(tests);
  return c;
}

Case nasty_case(const std::string& text) {
  Case c = model_case();
  c.tier = Tier::recipe;
  c.isolation_class = text;
  c.repo = text;
  c.index.digest = text;
  c.index.sources = {text};
  c.tool = text;
  c.not_checked = c.skipped = c.withheld = {text, text};
  c.unproven = {{text, text}};
  for (Gate& gate : c.gates) {
    gate = {text, text, text, true,   !gate.weak.empty(),
            {},   {},   text, {text}, gate.weak.empty() ? "" : text};
    gate.side = "fix";
    gate.test = text;
  }
  for (Advisory& a : c.advisories) a = {text, {text}, text, a.level};
  for (Copy& copy : c.copies) {
    copy.advisory = copy.package = copy.location = copy.lockfile = copy.reason = text;
    copy.from = text + "1";
    copy.to = copy.fate == Fate::fixed ? text : "";
    copy.considered = {{Strategy::relock, text, text, false}};
  }
  for (Fix& fix : c.fixes) {
    fix.package = fix.from = fix.to = fix.recipe = fix.why = fix.lockfile = text;
    fix.touched = {text, text};
  }
  for (plan::OverrideNote& note : c.overrides) note = {{text, text}, text, text, {text}};
  for (Branch& branch : c.branches) {
    branch.name = branch.kind = branch.rationale = text;
    branch.changes = {{text, 1, 2, Author::model}, {text, 3, 4}};
  }
  for (FileChange& change : c.changes) change.path = text;
  for (Moved& moved : c.moved) {
    moved = {text, text, text, text,       moved.scripts, text + "a",
             text, text, text, text + "b", {text}};
  }
  return c;
}

findings::Scan before_scan() {
  findings::Scan s;
  s.tool_version = "0.1.0";
  s.time = *parse_iso("2026-11-15T02:40:11.042Z");
  s.index = index();
  s.repo = {
      "examples/shop", std::string(40, '4'), {{"package-lock.json", "package-lock", "3", 1, 1}}};
  findings::Finding f;
  f.advisory = "GHSA-xvch-5gv4-984h";
  f.aliases = {"CVE-2021-44906"};
  f.summary = "Prototype Pollution in minimist";
  f.severity = {advisory::Level::critical, 98, "", advisory::SeveritySource::database};
  f.package = "minimist";
  f.version = "1.2.5";
  f.lockfile = "package-lock.json";
  f.location = "node_modules/minimist";
  f.direct = true;
  f.fixed_in = {"1.2.6"};
  s.findings = {f};
  s.components = {
      {"minimist", "1.2.5", "", "package-lock.json", "node_modules/minimist", false, false, {}}};
  return s;
}

findings::Scan after_scan() {
  findings::Scan s = before_scan();
  s.findings.clear();
  s.components.front().version = "1.2.6";
  return s;
}

}  // namespace cg::report::test
