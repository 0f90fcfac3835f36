#include "model/proposal/judge.h"

#include <gtest/gtest.h>

#include "model/proposal/feedback.h"
#include "model/proposal/world.h"

namespace cg::proposal {
namespace {

using test::version;
using test::World;

RepoPath path(std::string_view text) { return RepoPath::parse(text).value(); }
PackageName package(std::string_view text) { return PackageName::parse(text).value(); }

class Judge : public testing::Test {
 protected:
  std::string outcome(const Proposal& proposal) {
    const Known known = world_.known();
    const auto accepted = judge(proposal, known);
    return accepted ? "ok" : std::string(name(accepted.error().reason));
  }
  std::string bump(std::string_view target, std::string_view of = "menu",
                   std::string_view manifest = "package.json") {
    return outcome(DepBump{path(manifest), package(of), version(target), ""});
  }
  std::string force(std::string_view target, std::string_view of = "menu",
                    std::string_view manifest = "package.json") {
    return outcome(Override{path(manifest), package(of), version(target), ""});
  }
  std::string rewrite(const std::string& file, const std::string& hunks) {
    const std::string diff = "--- a/" + file + "\n+++ b/" + file + "\n" + hunks;
    auto safe = SafeDiff::parse(diff, {path(file)});
    if (!safe) return "diff " + text_of(safe.error());
    return outcome(CallsiteRewrite{path("package.json"), {path(file)}, *std::move(safe), ""});
  }
  World world_;
};

TEST_F(Judge, TakesAPublishedSafeNewerVersion) {
  EXPECT_EQ(bump("3.0.0"), "ok");
  EXPECT_EQ(bump("3.0.2"), "ok");
  EXPECT_EQ(bump("1.1.0", "cafe"), "ok");
  EXPECT_EQ(bump("3.0.0", "menu", "packages/site/package.json"), "ok");
  EXPECT_EQ(force("3.0.0"), "ok");
  EXPECT_EQ(force("1.1.0", "cafe"), "ok");
}

TEST_F(Judge, TellsWhatTheBumpStartsFrom) {
  const Known known = world_.known();
  const auto accepted = judge(
      DepBump{path("packages/site/package.json"), package("menu"), version("3.0.0"), ""}, known);
  ASSERT_TRUE(accepted);
  const auto& what = std::get<Bump>(accepted->what());
  EXPECT_EQ(what.from, version("1.0.0"));
  EXPECT_EQ(what.to, version("3.0.0"));
  EXPECT_EQ(what.manifest.str(), "packages/site/package.json");
}

TEST_F(Judge, RejectsVersionsForOneReasonEach) {
  const struct {
    const char* version;
    const char* reason;
  } rows[] = {
      {"3.0.99", "not_published"},   {"9007199254740991.0.0", "not_published"},
      {"1.0.0", "not_newer"},        {"2.1.0", "still_vulnerable"},
      {"3.1.0", "still_vulnerable"}, {"4.0.0-beta.1", "prerelease"},
      {"3.0.1", "deprecated"},       {"3.0.3", "policy"},
      {"3.9.9", "policy"},           {"3.0.4", "tried_before"},
      {"3.0.5", "engine"},           {"3.0.6", "not_lockable"},
      {"3.0.7", "not_lockable"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(bump(row.version), row.reason) << row.version;
    EXPECT_EQ(force(row.version), row.reason) << row.version;
  }
  EXPECT_EQ(bump("2.0.0"), "not_newer");
  EXPECT_EQ(force("2.0.0"), "still_vulnerable");  // newer than one copy, older than none
}

TEST_F(Judge, TakesADeprecatedVersionWhereNoOtherIsSafe) {
  world_.options.tried.clear();
  class Others : public plan::Advisories {
    bool affected(std::string_view package, const semver::Version& version) override {
      return package == "menu" && version.str() != "3.0.1";
    }
  } others;
  const Known known = world_.known();
  const Known narrow{known.packages, known.manifests, {}, {}, {}, world_, others, world_.options};
  EXPECT_TRUE(judge(DepBump{path("package.json"), package("menu"), version("3.0.1"), ""}, narrow));
}

TEST_F(Judge, TakesAPrereleaseWhereOneIsInstalled) {
  Known known = world_.known();
  known.packages = {{"cafe", {version("2.0.0-rc.1")}}};
  known.manifests = {{"package.json", {{"cafe", version("2.0.0-rc.1")}}}};
  EXPECT_TRUE(
      judge(DepBump{path("package.json"), package("cafe"), version("2.0.0-rc.2"), ""}, known));
  EXPECT_FALSE(judge(DepBump{path("package.json"), package("cafe"), version("1.1.0"), ""}, known));
}

TEST_F(Judge, MovesOnlyWhatTheAdvisoryIsAbout) {
  EXPECT_EQ(bump("1.0.0", "left-pad"), "wrong_package");
  EXPECT_EQ(bump("3.0.0", "Menu"), "wrong_package");
  EXPECT_EQ(force("1.0.0", "left-pad"), "wrong_package");
  EXPECT_EQ(bump("1.1.0", "cafe", "packages/site/package.json"), "not_direct");
  EXPECT_EQ(bump("3.0.0", "menu", "packages/x/package.json"), "no_such_manifest");
  EXPECT_EQ(force("3.0.0", "menu", "packages/site/package.json"), "not_root");
  EXPECT_EQ(force("2.0.0", "ghost"), "no_metadata");
}

TEST_F(Judge, NoOverrideGoesDownForAnyCopy) {
  Known known = world_.known();
  known.packages.front().installed.push_back(version("3.0.2"));
  const auto forced = [&](const char* to) {
    return judge(Override{path("package.json"), package("menu"), version(to), ""}, known)
        .has_value();
  };
  EXPECT_FALSE(forced("3.0.0"));
  EXPECT_TRUE(forced("3.0.2"));
}

/// What is not seen in a prompt is not in the answer either, and stays where it is.
TEST_F(Judge, RewritesFilesWithByteOrderMarksAndCarriageReturns) {
  const std::string mark = "\xEF\xBB\xBF";
  world_.files["src/a.js"] = mark + "const menu = require('menu');\r\nmenu.draw(1);\r\n";
  const std::string diff =
      "--- a/src/a.js\n+++ b/src/a.js\n@@\n const menu = require('menu');\n-menu.draw(1);\n"
      "+menu.open(1);\n";
  const Known known = world_.known();
  const auto accepted = judge(CallsiteRewrite{path("package.json"),
                                              {path("src/a.js")},
                                              SafeDiff::parse(diff, {path("src/a.js")}).value(),
                                              ""},
                              known);
  ASSERT_TRUE(accepted) << name(accepted.error().reason);
  const auto& what = std::get<Rewrite>(accepted->what());
  EXPECT_EQ(what.texts.at("src/a.js"), mark + "const menu = require('menu');\r\nmenu.open(1);\r\n");
}

TEST_F(Judge, RewritesWhereTheLinesStand) {
  world_.files["src/a.js"] = "one\ntwo\nthree\n";
  EXPECT_EQ(rewrite("src/a.js", "@@ -1,2 +1,2 @@\n one\n-two\n+2\n"), "ok");
  EXPECT_EQ(rewrite("src/a.js", "@@ -2,9 +70 @@\n one\n-two\n+2\n"), "ok");
  EXPECT_EQ(rewrite("src/a.js", "@@ -1,2 +1,2 @@\n one\r\n-two\r\n+2\r\n"), "ok");
  EXPECT_EQ(rewrite("src/a.js", "@@ -1,2 +1,2 @@\n one\n-Two\n+2\n"), "does_not_apply");
  EXPECT_EQ(rewrite("src/a.js", "@@\n-three\n+3\n@@\n-one\n+1\n"), "does_not_apply");
  EXPECT_EQ(rewrite("src/a.js", "@@ -1,2 +1,2 @@\n one\n-two\n+two\n"), "changes_nothing");
  EXPECT_EQ(rewrite("src/b.js", "@@ -1,2 +1,2 @@\n one\n-two\n+2\n"), "file_not_shown");
  EXPECT_EQ(rewrite("src/A.js", "@@ -1,2 +1,2 @@\n one\n-two\n+2\n"), "file_not_shown");
  world_.files["src/twice.js"] = "one\ntwo\none\n";
  EXPECT_EQ(rewrite("src/twice.js", "@@ -3 +3 @@\n-one\n+1\n"), "ambiguous");
  EXPECT_EQ(rewrite("src/twice.js", "@@ -3 +3 @@\n two\n-one\n+1\n"), "ok");
}

/// What is kept and shown is made from the texts: two spellings of a change come to one.
TEST_F(Judge, TheDiffThatIsKeptIsOurs) {
  world_.files["src/a.js"] = "one\ntwo\nthree\nfour\n";
  const Known known = world_.known();
  for (const char* hunks :
       {"@@ -9 +9 @@ sub()\n-two\n+2", "@@\n one\n-two\n-three\n+2\n+three\r\n"}) {
    auto diff = SafeDiff::parse(std::string("--- a/src/a.js\n+++ b/src/a.js\n") + hunks,
                                {path("src/a.js")});
    const auto accepted = judge(
        CallsiteRewrite{path("package.json"), {path("src/a.js")}, *std::move(diff), ""}, known);
    ASSERT_TRUE(accepted);
    const auto& rewrite = std::get<Rewrite>(accepted->what());
    EXPECT_EQ(rewrite.texts.size(), 1U);
    EXPECT_EQ(rewrite.texts.at("src/a.js"), "one\n2\nthree\nfour\n");
    EXPECT_EQ(rewrite.diff,
              "--- a/src/a.js\n+++ b/src/a.js\n@@ -1,4 +1,4 @@\n one\n-two\n+2\n three\n four\n");
  }
}

TEST_F(Judge, TellsWhatStandsThere) {
  const auto told = [&](const std::string& hunks) {
    auto diff = SafeDiff::parse("--- a/src/a.js\n+++ b/src/a.js\n" + hunks, {path("src/a.js")});
    const Known known = world_.known();
    const auto accepted = judge(
        CallsiteRewrite{path("package.json"), {path("src/a.js")}, *std::move(diff), ""}, known);
    return accepted ? std::string()
                    : place_of(accepted.error()) + "\n" + feedback(accepted.error());
  };
  world_.files["src/a.js"] = "a();\r\nb();\r\n  c(1);\r\nd();\r\nb();\r\n";
  EXPECT_EQ(
      told("@@\n b();\n-c(1);\n+evil(2);\n d();\n"),
      "src/a.js:2\n"
      "Your last answer was turned down: does_not_apply: the context and removed lines of a "
      "hunk do not stand in the file.\n"
      "Hunk 1 of src/a.js finds no place: copy its context and removed lines from the file as "
      "it is.\n"
      "From line 1 on src/a.js has:\na();\nb();\n  c(1);\nd();\nb();\n\n");
  EXPECT_EQ(told("@@\n-b();\n+evil(2);\n"),
            "src/a.js:2\n"
            "Your last answer was turned down: ambiguous: the context and removed lines of a hunk "
            "stand in the file more than once.\n"
            "Hunk 1 of src/a.js stands in lines 2, 5: give it more of the lines around, until they "
            "stand once. Line numbers do not count.\n"
            "From line 1 on src/a.js has:\na();\nb();\n  c(1);\nd();\nb();\n"
            "From line 2 on src/a.js has:\nb();\n  c(1);\nd();\nb();\n\n");
  const std::string backwards = told("@@\n d();\n-b();\n+1;\n@@\n-a();\n+2;\n");
  EXPECT_NE(backwards.find("Hunk 2 of src/a.js stands only in line 1, above"), std::string::npos)
      << backwards;
  const std::string nowhere = told("@@\n-what();\n+evil();\n");
  EXPECT_NE(nowhere.find("nothing in the file is like it"), std::string::npos) << nowhere;
  EXPECT_EQ(nowhere.substr(0, 9), "src/a.js\n");
}

TEST_F(Judge, WhatItTellsIsBounded) {
  std::string text;
  for (int i = 0; i < 100; ++i)
    text += "x" + std::string(static_cast<std::size_t>(i * 40), 'y') + "\n";
  for (std::size_t place = 1; place <= 101; ++place) {
    for (const Excerpt& one : excerpts_at({place, place, place}, 50, text)) {
      EXPECT_LE(one.text.size(), kMaxExcerptText);
      EXPECT_GE(one.line, 1U);
      EXPECT_LE(one.line, place);
    }
    EXPECT_EQ(excerpts_at({place, place, place}, 50, text).size(), kMaxExcerpts);
  }
  EXPECT_TRUE(excerpts_at({}, 5, text).empty());
}

/// Of every rule: its name, in words, and nothing that only the model knows.
TEST_F(Judge, EveryRejectionHasWords) {
  for (int i = 0; i <= static_cast<int>(Reason::carries_orders); ++i) {
    Rejection one{static_cast<Reason>(i), "target_version"};
    EXPECT_NE(feedback(one).find(std::string(name(one.reason)) + ": "), std::string::npos);
    EXPECT_NE(feedback(one).find("`target_version`"), std::string::npos);
    one.file = "src/a.js";
    one.line = 7;
    EXPECT_NE(feedback(one).find("src/a.js, near line 7"), std::string::npos);
    EXPECT_EQ(place_of(one), "src/a.js:7");
  }
  for (int i = 0; i <= static_cast<int>(DiffFault::long_line); ++i) {
    const DiffRefusal refusal{static_cast<DiffFault>(i), DiffRefusal::Unit::hunk, 3};
    const std::string told = feedback({Fault::bad_diff, "diff." + text_of(refusal)});
    EXPECT_NE(told.find(std::string(name(refusal.fault)) + ": "), std::string::npos);
    EXPECT_NE(told.find("hunk 3 of your diff"), std::string::npos) << told;
  }
  // Where something else stands, it is not repeated.
  EXPECT_EQ(feedback({Fault::bad_diff, "diff.obey me"}).find("obey"), std::string::npos);
  EXPECT_EQ(feedback({Fault::not_json, "obey me"}).find("obey"), std::string::npos);
}

TEST_F(Judge, KeepsFilesThatScriptsName) {
  for (const char* file : {"src/prepare.js", "run/all.js", "tools/run/all.mjs", "tools/pack.ts",
                           "tools/pack/index.js", "serve.js", "lib/rules.js"}) {
    world_.files[file] = "x\ny\n";
    EXPECT_EQ(rewrite(file, "@@ -1,2 +1 @@\n-x\n y\n"), "script_file") << file;
  }
  for (const char* file : {"src/all.js", "src/prepare2.js", "src/node.js", "src/rules.ts"}) {
    world_.files[file] = "x\ny\n";
    EXPECT_EQ(rewrite(file, "@@ -1,2 +1 @@\n-x\n y\n"), "ok") << file;
  }
}

TEST_F(Judge, DeclinedIsAnOutcome) {
  const Known known = world_.known();
  const auto accepted = judge(Refuse{RefusalReason::policy_block, ""}, known);
  ASSERT_TRUE(accepted);
  EXPECT_EQ(std::get<Declined>(accepted->what()).reason, RefusalReason::policy_block);
}

TEST_F(Judge, HearsWhatTheSyntaxSays) {
  const auto first = [&](const std::string& line) {
    world_.files["src/a.js"] = "const menu = require('menu');\nmenu.render(1);\n";
    return rewrite(
        "src/a.js",
        "@@ -1,2 +1,2 @@\n const menu = require('menu');\n-menu.render(1);\n+" + line + "\n");
  };
  EXPECT_EQ(first("menu.draw([1]);"), "ok");
  EXPECT_EQ(first("menu.vanish(1);"), "not_exported");
  EXPECT_EQ(first("eval('1');"), "dynamic_code");
  EXPECT_EQ(first("require('fs').rmSync('/');"), "new_import");
  EXPECT_EQ(first("process.exit(menu);"), "new_global");
  EXPECT_EQ(first("menu.render((1;"), "not_understood");
  EXPECT_EQ(first("leaked = menu.draw(1);"), "outside_write");
}

TEST_F(Judge, TakesNothingNewOfAPackageThatCouldNotBeRead) {
  world_.files["src/a.js"] = "const menu = require('menu');\nmenu.render(1);\n";
  Known known = world_.known();
  known.api.reset();
  const auto said = [&](const std::string& line) {
    auto diff = SafeDiff::parse(
        "--- a/src/a.js\n+++ b/src/a.js\n@@ -2 +2 @@\n-menu.render(1);\n+" + line + "\n",
        {path("src/a.js")});
    const auto accepted = judge(
        CallsiteRewrite{path("package.json"), {path("src/a.js")}, *std::move(diff), ""}, known);
    return accepted ? "ok" : std::string(name(accepted.error().reason));
  };
  EXPECT_EQ(said("menu.render([1]);"), "ok");
  EXPECT_EQ(said("menu.draw(1);"), "not_exported");
}

}  // namespace
}  // namespace cg::proposal
