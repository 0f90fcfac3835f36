// Plans for locks of yarn and pnpm: what stands in the way, and what must hold of a lock.
#include <gmock/gmock.h>

#include "fix/plan/flat_world.h"

namespace cg::plan {
namespace {

using FlatPlan = test::FlatPlanning;
using test::Outcome;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(FlatPlan, SaysWhyNoVersionMayBeChosen) {
  const struct {
    const char* version;
    Blocker blocker;
    const char* reason;
  } cases[] = {
      {"1.2.0 engine:node=>=18", Blocker::engine,
       "a 1.2.0 needs node >=18.0.0, and this repository runs on >=14.0.0 <15.0.0: 14 would be "
       "left out"},
      {"1.2.0 +script", Blocker::policy, "policy does not allow a 1.2.0 yet"},
      {"1.2.0 at:2024-01-10", Blocker::policy, "policy does not allow a 1.2.0 yet"},
      {"1.2.0 z=^1.0.0 bundle:z", Blocker::bundled,
       "a 1.2.0 carries other packages inside its own"},
      {"1.2.0 +shrinkwrap", Blocker::shrinkwrap, "a 1.2.0 carries other packages inside its own"},
  };
  options_.node = *semver::Range::parse("14.x");
  options_.new_scripts = NewScripts::refuse;
  options_.cooldown_days = 7;
  options_.now = *parse_date("2024-01-16");
  for (const auto& c : cases) {
    SCOPED_TRACE(c.version);
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", {"1.0.0", c.version, "1.3.0 +shrinkwrap"});
    const Outcome out = yarn("a=^1.0.0", {"a@^1.0.0 1.0.0"});
    EXPECT_EQ(out.copy.fate, Fate::blocked);
    EXPECT_EQ(out.copy.blocker, c.blocker);
    EXPECT_EQ(out.copy.reason, c.reason);
  }
}

TEST_F(FlatPlan, LetsAPackageKeepTheScriptItHad) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0 +script", "1.2.0 +script"});
  options_.new_scripts = NewScripts::refuse;
  EXPECT_EQ(yarn("a=^1.0.0", {"a@^1.0.0 1.0.0"}).copy.fate, Fate::fixed);
}

TEST_F(FlatPlan, ChoosesNothingThatTheGatesTurnedDown) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  options_.tried = {{"a", "1.2.0"}};
  EXPECT_EQ(yarn("a=^1.0.0", {"a@^1.0.0 1.0.0"}).copy.blocker, Blocker::gates);
}

TEST_F(FlatPlan, SaysWhetherOnlyOlderVersionsAreSafe) {
  advise("a", "", "1.0.0");
  publish("a", {"0.9.0", "1.0.0", "1.1.0"});
  const Outcome out = yarn("a=*", {"a@* 1.0.0"});
  EXPECT_EQ(out.copy.fate, Fate::no_fix);
  EXPECT_EQ(out.copy.blocker, Blocker::no_version);
  EXPECT_EQ(out.copy.reason, "only older versions are safe");
  world_ = test::World();
  advise("a", "");
  publish("a", {"0.9.0", "1.0.0"});
  EXPECT_EQ(yarn("a=*", {"a@* 1.0.0"}).copy.reason, "no published version is safe");
}

TEST_F(FlatPlan, NeverUpgradesMalware) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  malware_ = "GHSA-aaaa-aaaa-aaaa";
  const Outcome out = yarn("a=^1.0.0", {"a@^1.0.0 1.0.0"});
  EXPECT_EQ(out.copy.fate, Fate::handed_on);
  EXPECT_EQ(out.copy.blocker, Blocker::malware);
  EXPECT_EQ(out.copy.reason, "malware: no version of it is to be trusted, it has to be removed");
  EXPECT_TRUE(out.plan.lock.empty());
}

TEST_F(FlatPlan, UpgradesNothingThatIsMalwareBesides) {
  advise("a", "1.2.0");
  world_.advise(test::osv("a", "1.2.0", "0", "GHSA-bbbb-bbbb-bbbb"));
  publish("a", {"1.0.0", "1.2.0"});
  malware_ = "GHSA-bbbb-bbbb-bbbb";
  checked_ = false;
  const Outcome out = yarn("a=^1.0.0", {"a@^1.0.0 1.0.0"});
  EXPECT_TRUE(out.plan.lock.empty());
}

TEST_F(FlatPlan, ChoosesNothingForWhatComesFromElsewhere) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Outcome out =
      run("# yarn lockfile v1\n\n\n\"a@git+https://git.example/a.git\":\n  version \"1.0.0\"\n"
          "  resolved \"git+https://git.example/a.git#0123456789012345678901234567890123456789\"\n",
          R"("a":"git+https://git.example/a.git")");
  EXPECT_EQ(out.copy.blocker, Blocker::source);
  EXPECT_EQ(out.copy.reason, "it does not come from a registry");
}

TEST_F(FlatPlan, NamesTheWorkspaceThatAsks) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "2.0.0"});
  workspaces_ = {{"packages/w/package.json", "a=^1.0.0"}};
  const Outcome out = yarn("workspaces:packages/*", {"a@^1.0.0 1.0.0"});
  EXPECT_EQ(out.copy.blocker, Blocker::major);
  EXPECT_EQ(out.copy.reason,
            "`packages/w` asks for a `^1.0.0`, the lowest safe version is a 2.0.0");
}

TEST_F(FlatPlan, NamesThePackageBeforeTheManifest) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "2.0.0"});
  const Outcome out = yarn("a=^1.0.0 p=^1.0.0", {"a@^1.0.0 1.0.0", "p@^1.0.0 1.0.0 a=^1.0.0"});
  EXPECT_EQ(out.copy.blocker, Blocker::range);
  EXPECT_THAT(out.copy.reason, HasSubstr("p 1.0.0 asks"));
}

TEST_F(FlatPlan, NamesTheFirstOfSeveralManifests) {
  advise("a", "2.0.0");
  publish("a", {"1.0.0", "2.0.0"});
  workspaces_ = {{"packages/w/package.json", "a=~1.0.0"}};
  const Outcome out = yarn("workspaces:packages/* a=^1.0.0", {"a@^1.0.0,a@~1.0.0 1.0.0"});
  EXPECT_EQ(out.copy.reason, "the root asks for a `^1.0.0`, the lowest safe version is a 2.0.0");
}

TEST_F(FlatPlan, DoesNotFightAResolutionOfADirectDependency) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Outcome out = yarn("a=^1.0.0", {"a@1.0.0 1.0.0"}, R"(,"resolutions":{"a":"1.0.0"})");
  EXPECT_EQ(out.copy.blocker, Blocker::override_rule);
  EXPECT_EQ(out.copy.reason, "a resolution of the root manifest decides which a the root gets");
  EXPECT_THAT(out.plan.manifests, IsEmpty());
}

TEST_F(FlatPlan, LeadsNobodyToAnEntryWithAnAdvisory) {
  advise("a", "1.2.0");
  world_.advise(test::osv("v", "", "0", "GHSA-bbbb-bbbb-bbbb"));
  publish("a", {"1.0.0", "1.2.0 v=^1.0.0"});
  publish("v", {"1.0.0"});
  const Outcome out = yarn("a=^1.0.0 v=^1.0.0", {"a@^1.0.0 1.0.0", "v@^1.0.0 1.0.0"});
  EXPECT_EQ(out.of("a").blocker, Blocker::unsupported);
  EXPECT_EQ(out.of("a").reason, "a would use v 1.0.0, which has an advisory");
  EXPECT_THAT(out.plan.fixes, IsEmpty());
}

TEST_F(FlatPlan, LeadsNobodyToAnotherEntryWithAnAdvisory) {
  advise("a", "1.2.0");
  world_.advise(test::osv("v", "", "2.0.0", "GHSA-bbbb-bbbb-bbbb"));
  publish("a", {"1.0.0 v=^1.0.0", "1.2.0 v=^2.0.0"});
  publish("v", {"1.0.0", "2.0.0"});
  const Outcome out =
      yarn("a=^1.0.0 v=^2.0.0", {"a@^1.0.0 1.0.0 v=^1.0.0", "v@^1.0.0 1.0.0", "v@^2.0.0 2.0.0"});
  EXPECT_EQ(out.of("a").reason, "a would use v 2.0.0, which has an advisory");
}

TEST_F(FlatPlan, KeepsAnEntryWithAnAdvisoryWhereItWasUsedBefore) {
  advise("a", "1.2.0");
  world_.advise(test::osv("v", "", "0", "GHSA-bbbb-bbbb-bbbb"));
  publish("a", {"1.0.0 v=~1.0.0", "1.2.0 v=^1.0.0"});
  publish("v", {"1.0.0"});
  const Outcome out =
      yarn("a=^1.0.0 v=^1.0.0", {"a@^1.0.0 1.0.0 v=~1.0.0", "v@^1.0.0,v@~1.0.0 1.0.0"});
  EXPECT_EQ(out.of("a").to, "1.2.0");
}

TEST_F(FlatPlan, LeadsToAnEntryThatIsSafe) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0 v=^1.0.0"});
  const Outcome out = yarn("a=^1.0.0 v=^1.0.0", {"a@^1.0.0 1.0.0", "v@^1.0.0 1.0.0"});
  EXPECT_EQ(out.of("a").to, "1.2.0");
  EXPECT_THAT(out.text, HasSubstr("  dependencies:\n    v \"^1.0.0\"\n"));
}

TEST_F(FlatPlan, NeedsAPeerThatTheDependentGives) {
  const char* const peer = "1.2.0 peer:h=^2.0.0";
  const struct {
    const char* root;
    const char* host;
    test::Written versions;
    bool fixed;
  } cases[] = {
      {"a=^1.0.0 g=^1.0.0", "g@^1.0.0 1.0.0", {"1.0.0", peer}, false},  // not there
      {"a=^1.0.0 h=^1.0.0", "h@^1.0.0 1.0.0", {"1.0.0", peer}, false},  // another version
      {"a=^1.0.0 h=^2.0.0", "h@^2.0.0 2.0.0", {"1.0.0", peer}, true},   // there
      {"a=^1.0.0 g=^1.0.0", "g@^1.0.0 1.0.0", {"1.0.0 peer:h=^2.0.0", peer}, true},   // as before
      {"a=^1.0.0 g=^1.0.0", "g@^1.0.0 1.0.0", {"1.0.0 peer:h=^1.0.0", peer}, false},  // changed
      {"a=^1.0.0 g=^1.0.0", "g@^1.0.0 1.0.0", {"1.0.0 peer:g=^2.0.0", peer}, false},  // another
      {"a=^1.0.0 g=^1.0.0", "g@^1.0.0 1.0.0", {"1.0.0", "1.2.0 maybe:h=^2.0.0"}, true},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.root) + " " + c.versions[0] + " " + c.versions[1]);
    world_ = test::World();
    advise("a", "1.2.0");
    publish("a", c.versions);
    const Outcome out = yarn(c.root, {"a@^1.0.0 1.0.0", c.host});
    EXPECT_EQ(out.copy.blocker, c.fixed ? Blocker::none : Blocker::peer);
    if (!c.fixed) {
      EXPECT_EQ(out.copy.reason, "a 1.2.0 needs the peer h `^2.0.0`, which the root does not give");
    }
  }
}

/// A berry lock in which p has a as a peer.
std::string berry(const std::string& asked, const std::string& peer) {
  return "# This file is generated by running \"yarn install\" inside your project.\n\n"
         "__metadata:\n  version: 8\n  cacheKey: 10c0\n\n"
         "\"a@npm:" +
         asked +
         "\":\n  version: 1.0.0\n  resolution: \"a@npm:1.0.0\"\n"
         "  checksum: 10c0/aa\n  languageName: node\n  linkType: hard\n\n"
         "\"p@npm:^1.0.0\":\n  version: 1.0.0\n  resolution: \"p@npm:1.0.0\"\n"
         "  peerDependencies:\n    a: " +
         peer +
         "\n  checksum: 10c0/cc\n"
         "  languageName: node\n  linkType: hard\n\n"
         "\"root@workspace:.\":\n  version: 0.0.0-use.local\n  resolution: \"root@workspace:.\"\n"
         "  dependencies:\n    a: \"npm:" +
         asked +
         "\"\n    p: \"npm:^1.0.0\"\n"
         "  languageName: unknown\n  linkType: soft\n";
}

TEST_F(FlatPlan, BreaksNoPeerOfWhoStandsBeside) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const std::string root = R"("a":"^1.0.0","p":"^1.0.0")";
  const Outcome broken = run(berry("^1.0.0", "~1.0.0"), root);
  EXPECT_EQ(broken.copy.blocker, Blocker::peer);
  EXPECT_EQ(broken.copy.reason, "p 1.0.0 has the peer a `~1.0.0`");
  EXPECT_EQ(run(berry("^1.0.0", "^1.0.0"), root).copy.to, "1.2.0");
  // It was not met before either.
  EXPECT_EQ(run(berry("^1.0.0", "^3.0.0"), root).copy.to, "1.2.0");
}

TEST_F(FlatPlan, SaysWhatFillsInTheChecksumOfBerry) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  const Outcome out = run(berry("^1.0.0", "^1.0.0"), R"("a":"^1.0.0","p":"^1.0.0")");
  EXPECT_THAT(out.copy.reason,
              EndsWith("; `yarn install --mode=update-lockfile` fills in the checksum"));
  EXPECT_EQ(out.plan.fixes[0].recipe, "yarn-relock");
  EXPECT_EQ(run(berry("~1.0.0", "^1.0.0"), R"("a":"~1.0.0","p":"^1.0.0")").plan.fixes[0].recipe,
            "yarn-direct-bump");
}

/// A lock of pnpm: p needs a, the root asks for p and for `more`, which is "a" as `asked`.
std::string pnpm(const std::string& asked = "", const std::string& peers = "") {
  const std::string direct =
      asked.empty() ? "" : "      a:\n        specifier: '" + asked + "'\n        version: 1.0.0\n";
  return "lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n" + direct +
         "      p:\n        specifier: ^1.0.0\n        version: 1.0.0\n\npackages:\n\n"
         "  a@1.0.0:\n    resolution: {integrity: sha512-a==}\n\n"
         "  p@1.0.0:\n    resolution: {integrity: sha512-p==}\n" +
         peers +
         "\nsnapshots:\n\n"
         "  a@1.0.0: {}\n\n  p@1.0.0:\n    dependencies:\n      a: 1.0.0\n";
}

TEST_F(FlatPlan, TakesRangesOfPnpmFromTheRelease) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 b=^1.0.0 a=~1.0.0", "1.1.0 a=^1.2.0"});
  const Outcome out = run(pnpm(), R"("p":"^1.0.0")");
  EXPECT_EQ(out.copy.strategy, Strategy::parent_bump);
  EXPECT_EQ(out.plan.fixes[0].recipe, "pnpm-parent-bump");
}

TEST_F(FlatPlan, SaysThatWhatADependentOfPnpmAsksForIsNotKnown) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 b=^1.0.0"});
  const Outcome out = run(pnpm(), R"("p":"^1.0.0")");
  EXPECT_EQ(out.copy.blocker, Blocker::registry);
  EXPECT_EQ(out.copy.reason, "what p 1.0.0 asks for is not known");
}

TEST_F(FlatPlan, SaysThatAnOverrideOfPnpmIsInForce) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=^0.9.0"});
  EXPECT_EQ(run(pnpm(), R"("p":"^1.0.0")").copy.reason,
            "p 1.0.0 asks for a `^0.9.0` and gets another: an override is in force");
}

TEST_F(FlatPlan, LeavesWhatACatalogOrAWorkspaceSays) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=^1.0.0"});
  const Outcome catalog = run(pnpm("catalog:"), R"("a":"catalog:","p":"^1.0.0")");
  EXPECT_EQ(catalog.copy.blocker, Blocker::unsupported);
  EXPECT_EQ(catalog.copy.reason, "the root asks for a as `catalog:`");
  const Outcome tarball = run(pnpm("https://registry.example/a.tgz"),
                              R"("a":"https://registry.example/a.tgz","p":"^1.0.0")");
  EXPECT_EQ(tarball.copy.blocker, Blocker::source);
}

TEST_F(FlatPlan, BumpsADirectDependencyOfPnpm) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 a=^1.0.0"});
  const Outcome out = run(pnpm("~1.0.0"), R"("a":"~1.0.0","p":"^1.0.0")");
  EXPECT_EQ(out.plan.fixes[0].recipe, "pnpm-direct-bump");
  EXPECT_THAT(out.text, HasSubstr("specifier: ~1.2.0"));
}

TEST_F(FlatPlan, LeavesAPeerOfPnpmThatIsPartOfKeys) {
  advise("a", "1.2.0");
  publish("a", {"1.0.0", "1.2.0"});
  publish("p", {"1.0.0 peer:a=^1.0.0"});
  const Outcome out = run(pnpm("^1.0.0", "    peerDependencies:\n      a: ^1.0.0\n"),
                          R"("a":"^1.0.0","p":"^1.0.0")");
  EXPECT_EQ(out.copy.blocker, Blocker::peer);
}

}  // namespace
}  // namespace cg::plan
