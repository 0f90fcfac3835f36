#include "fetch/catalog/installer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "fetch/catalog/yarnrc.h"
#include "support/support.h"

namespace cg::catalog {
namespace {

namespace fs = std::filesystem;
using npm::LockKind;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Tools tools() {
  Tools out;
  out.node = "/opt/node/bin/node";
  out.npm = Tool{{"/opt/node/bin/node", "/opt/npm/npm-cli.js"}, "10.9.2"};
  out.yarn = Tool{{"/opt/node/bin/node", "/opt/yarn/yarn.js"}, "1.22.22"};
  out.pnpm = Tool{{"/opt/node/bin/node", "/opt/pnpm/pnpm.cjs"}, "9.15.4"};
  out.readable = {"/opt/node/bin/node", "/opt/npm"};
  out.path = "/opt/node/bin:/usr/bin:/bin";
  return out;
}

TEST(Installer, NpmIsToldEverythingThatAnNpmrcCouldSay) {
  const auto plan = plan_install({LockKind::package_lock, "3", {"@s"}, ""}, tools(), {}, {});
  ASSERT_TRUE(plan.has_value());
  const std::vector<std::string>& argv = plan->install.argv;
  EXPECT_EQ(argv[1], "/opt/npm/npm-cli.js");
  EXPECT_EQ(argv[2], "ci");
  for (const std::string flag : {"--ignore-scripts", "--registry=http://127.0.0.1:4873/",
                                 "--@s:registry=http://127.0.0.1:4873/",
                                 "--replace-registry-host=always", "--proxy=false"}) {
    EXPECT_THAT(argv, Contains(flag));
  }
  EXPECT_THAT(plan->install.env, Contains("HOME=/tmp/home"));
  EXPECT_FALSE(plan->rebuild.has_value());
  EXPECT_THAT(plan->files, IsEmpty());
}

TEST(Installer, ScriptsRunForThoseThatWereNamedAlone) {
  for (const LockKind kind : {LockKind::package_lock, LockKind::yarn_classic, LockKind::pnpm}) {
    const auto plan = plan_install({kind, "1", {}, ""}, tools(), {}, {"a", "@s/b"});
    ASSERT_TRUE(plan.has_value());
    EXPECT_THAT(plan->install.argv, Contains("--ignore-scripts"));
    ASSERT_TRUE(plan->rebuild.has_value());
    EXPECT_THAT(plan->rebuild->argv, Contains("rebuild"));
    const auto& argv = plan->rebuild->argv;
    EXPECT_THAT(std::vector<std::string>(argv.end() - 2, argv.end()), ElementsAre("a", "@s/b"));
  }
  EXPECT_FALSE(
      plan_install({LockKind::package_lock, "3", {}, ""}, tools(), {}, {"--all"}).has_value());
}

TEST(Installer, WhatIsBuiltHasTheHeadersOfThisNode) {
  Tools here = tools();
  here.headers = "/opt/node";
  for (const LockKind kind : {LockKind::package_lock, LockKind::pnpm}) {
    const auto plan = plan_install({kind, "1", {}, ""}, here, {}, {"a"});
    EXPECT_THAT(plan->rebuild->env, Contains("npm_config_nodedir=/opt/node"));
    EXPECT_THAT(plan->notes, IsEmpty());
    const auto without = plan_install({kind, "1", {}, ""}, tools(), {}, {"a"});
    EXPECT_THAT(without->notes, ElementsAre(HasSubstr("libnode-dev")));
  }
}

TEST(Installer, ScriptsRunThroughTheRepositorysOwnManager) {
  EXPECT_THAT(plan_install({LockKind::package_lock, "3", {}, ""}, tools(), {}, {})->run.argv,
              ElementsAre("/opt/node/bin/node", "/opt/npm/npm-cli.js"));
  const auto pnpm = plan_install({LockKind::pnpm, "9.0", {}, ""}, tools(), {}, {});
  EXPECT_EQ(pnpm->run.argv[1], "/opt/pnpm/pnpm.cjs");
  EXPECT_THAT(pnpm->run.argv, Contains("--config.manage-package-manager-versions=false"));
  EXPECT_THAT(pnpm->run.argv, Contains("--config.verify-deps-before-run=false"));
  EXPECT_THAT(pnpm->run.env, Contains("npm_config_manage_package_manager_versions=false"));
  EXPECT_THAT(plan_install({LockKind::yarn_classic, "1", {}, ""}, tools(), {}, {})->run.env,
              Contains("YARN_IGNORE_PATH=1"));
  Tools four = tools();
  four.yarn->version = "4.6.0";
  const auto pnp = plan_install({LockKind::yarn_berry, "8", {}, ""}, four, {}, {});
  EXPECT_THAT(pnp->run.argv, ElementsAre("/opt/node/bin/node", "/opt/yarn/yarn.js"));
  EXPECT_THAT(pnp->run.env, Contains("YARN_ENABLE_NETWORK=0"));
  EXPECT_THAT(pnp->commands, ElementsAre("/opt/node/bin/node", "/opt/yarn/yarn.js", "run"));
  const auto modules =
      plan_install({LockKind::yarn_berry, "8", {}, "nodeLinker: node-modules\n"}, four, {}, {});
  EXPECT_THAT(modules->commands, IsEmpty());
}

TEST(Installer, Yarn1TakesFilesFromTheMirror) {
  Place place;
  place.mirror = "/shelf/mirror";
  const auto plan = plan_install({LockKind::yarn_classic, "1", {}, ""}, tools(), place, {});
  ASSERT_TRUE(plan.has_value());
  EXPECT_THAT(plan->install.env, Contains("YARN_YARN_OFFLINE_MIRROR=/shelf/mirror"));
  EXPECT_THAT(plan->install.argv, Contains("--no-default-rc"));
  EXPECT_THAT(plan->readable, Contains("/shelf/mirror"));
}

TEST(Installer, BerryNeedsAYarnThatCanReadItsLock) {
  Project project{LockKind::yarn_berry, "8", {}, ""};
  EXPECT_THAT(plan_install(project, tools(), {}, {}).error(), HasSubstr("yarn 2 or later"));
  Tools four = tools();
  four.yarn->version = "4.6.0";
  EXPECT_THAT(plan_install(project, four, {}, {})->install.argv, Contains("--immutable"));
  project.lock_version = "6";
  const auto other = plan_install(project, four, {}, {});
  EXPECT_THAT(other->install.argv, Contains("--no-immutable"));
  EXPECT_EQ(other->notes.size(), 1U);
  project.own_yarn = ".yarn/releases/yarn-3.8.7.cjs";
  const auto own = plan_install(project, tools(), {}, {});
  EXPECT_EQ(own->install.argv[1], "/tree/.yarn/releases/yarn-3.8.7.cjs");
  EXPECT_EQ(plan_install({LockKind::yarn_classic, "1", {}, ""}, four, {}, {}).error(),
            "yarn 1 is needed, and PATH has 4.6.0");
}

TEST(Installer, WhatIsNotHereIsSaid) {
  Tools none = tools();
  none.npm = none.yarn = none.pnpm = std::nullopt;
  for (const LockKind kind :
       {LockKind::package_lock, LockKind::yarn_classic, LockKind::yarn_berry, LockKind::pnpm}) {
    EXPECT_THAT(plan_install({kind, "1", {}, ""}, none, {}, {}).error(), HasSubstr("there is no "));
  }
}

TEST(Yarnrc, KeepsWhatIsTheRepositorysToSay) {
  EXPECT_EQ(
      *tame_yarnrc("nodeLinker: node-modules\n"
                   "npmRegistryServer: \"https://evil.example\"\n"
                   "npmScopes:\n  s:\n    npmRegistryServer: \"https://evil.example\"\n"
                   "yarnPath: x.cjs\nhttpProxy: \"http://evil.example\"\n"
                   "enableScripts: true\nunsafeHttpWhitelist:\n  - \"*\"\n"
                   "packageExtensions:\n  a@1:\n    dependencies:\n      b: \"1\"\n"),
      R"({"nodeLinker":"node-modules","packageExtensions":{"a@1":{"dependencies":{"b":"1"}}}})"
      "\n");
  EXPECT_EQ(*tame_yarnrc(""), "{}\n");
  EXPECT_FALSE(tame_yarnrc("- a\n").has_value());
  EXPECT_FALSE(tame_yarnrc("a: &x 1\n").has_value());
}

TEST(Yarnrc, HowArchivesArePackedIsTheLocksToSay) {
  EXPECT_EQ(*tame_yarnrc("compressionLevel: mixed\n"), "{\"compressionLevel\":\"mixed\"}\n");
  EXPECT_EQ(*tame_yarnrc("compressionLevel: 9\n"), "{\"compressionLevel\":9}\n");
  for (const char* other : {"10", "-1", "most", "[1]", "${LEVEL}"}) {
    EXPECT_EQ(*tame_yarnrc("compressionLevel: " + std::string(other) + "\n"), "{}\n") << other;
  }
}

TEST(Yarnrc, AFolderHasWhatTheOneAboveSays) {
  EXPECT_EQ(inherit_yarnrc("a: 1\n", "a: 2\nb: 3\nyarnPath: y.cjs\n"), "{\"a\":1,\"b\":3}\n");
  EXPECT_EQ(inherit_yarnrc("", "compressionLevel: mixed\n"), "{\"compressionLevel\":\"mixed\"}\n");
  EXPECT_EQ(inherit_yarnrc("a: 1\n", ""), "a: 1\n");
  EXPECT_EQ(inherit_yarnrc("- a\n", "b: 1\n"), "- a\n");
  EXPECT_EQ(inherit_yarnrc("a: 1\n", "- b\n"), "a: 1\n");
}

TEST(Yarnrc, ItsOwnYarnLiesBeneathIt) {
  EXPECT_EQ(own_yarn_of("yarnPath: ./.yarn/releases/y.cjs\n"), ".yarn/releases/y.cjs");
  for (const std::string path : {"../y.cjs", "/usr/y.cjs", "a/../../y.cjs", "\"\""}) {
    EXPECT_EQ(own_yarn_of("yarnPath: " + path + "\n"), "") << path;
  }
}

/// A node that says what ours would, wherever it lies.
class ToolsTest : public testing::Test {
 protected:
  void program(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(scratch_ / path).parent_path());
    test::write(scratch_ / path, text);
    fs::permissions(scratch_ / path, fs::perms::owner_all);
  }
  void node_at(const std::string& path) {
    program(path, "#!/bin/sh\necho '" + (scratch_ / path) + "'\necho 20.1.0\n");
  }
  void package(const std::string& folder, const std::string& name, const std::string& script) {
    program(folder + "/" + script, "");
    test::write(scratch_ / (folder + "/package.json"),
                R"({"name":")" + name + R"(","version":"9.9.4"})");
  }
  void link(const std::string& to, const std::string& path) {
    fs::create_directories(fs::path(scratch_ / path).parent_path());
    fs::create_symlink(to, scratch_ / path);
  }
  Result<Tools, std::string> find(const std::string& folder) {
    return find_tools(".:relative:" + (scratch_ / folder), scratch_ / "home");
  }
  test::ScratchDir scratch_;
};

TEST_F(ToolsTest, LinksAreFollowedToThePackages) {
  node_at("home/.nvm/v20/bin/node");
  package("home/.nvm/v20/lib/node_modules/npm", "npm", "bin/npm-cli.js");
  link("../lib/node_modules/npm/bin/npm-cli.js", "home/.nvm/v20/bin/npm");
  const auto found = find("home/.nvm/v20/bin");
  ASSERT_TRUE(found.has_value()) << found.error();
  EXPECT_EQ(found->node_version, "20.1.0");
  const std::string root = fs::canonical(scratch_ / "home/.nvm/v20");
  EXPECT_EQ(found->npm,
            (Tool{{root + "/bin/node", root + "/lib/node_modules/npm/bin/npm-cli.js"}, "9.9.4"}));
  EXPECT_THAT(found->readable, ElementsAre(root + "/bin", root + "/lib/node_modules/npm"));
  EXPECT_EQ(found->path, root + "/bin:/usr/bin:/bin");
  EXPECT_FALSE(found->yarn.has_value());
}

TEST_F(ToolsTest, HeadersAreThoseOfThisNode) {
  node_at("opt/bin/node");
  fs::create_directories(scratch_ / "opt/include/node");
  const auto headers = [&](const std::string& minor) {
    test::write(scratch_ / "opt/include/node/node_version.h",
                "#define NODE_MAJOR_VERSION 20\n#define NODE_MINOR_VERSION " + minor +
                    "\n#define NODE_PATCH_VERSION 0\n");
    return find("opt/bin")->headers;
  };
  EXPECT_EQ(headers("1"), std::string(fs::canonical(scratch_ / "opt")));
  EXPECT_THAT(find("opt/bin")->readable, Contains(HasSubstr("opt/include/node")));
  EXPECT_EQ(headers("2"), "") << "of another node";
}

TEST_F(ToolsTest, BehindShimsNpmIsFoundBesideNode) {
  node_at("home/image/bin/node");
  package("home/image/lib/node_modules/npm", "npm", "bin/npm-cli.js");
  program("home/shims/node",
          "#!/bin/sh\necho '" + (scratch_ / "home/image/bin/node") + "'\necho 20.1.0\n");
  program("home/shims/npm", "#!/bin/sh\n");
  package("home/corepack", "corepack", "dist/yarn.js");
  link("../corepack/dist/yarn.js", "home/shims/yarn");
  const auto found = find("home/shims");
  ASSERT_TRUE(found.has_value()) << found.error();
  EXPECT_THAT(found->node, HasSubstr("home/image/bin/node"));
  ASSERT_TRUE(found->npm.has_value());
  EXPECT_THAT(found->npm->argv[1], HasSubstr("home/image/lib"));
  EXPECT_FALSE(found->yarn.has_value()) << "it would download one";
  EXPECT_EQ(found->notes.size(), 2U);
}

TEST_F(ToolsTest, TheHomeFolderIsNeverShown) {
  node_at("opt/node");
  package("home", "npm", "npm-cli.js");
  link("../home/npm-cli.js", "opt/npm");
  const auto found = find("opt");
  ASSERT_TRUE(found.has_value()) << found.error();
  EXPECT_FALSE(found->npm.has_value());
  for (const std::string& path : found->readable) EXPECT_THAT(path, Not(HasSubstr("/home")));
}

TEST_F(ToolsTest, WithoutANodeThereIsNothing) {
  EXPECT_FALSE(find("nothing").has_value());
  program("bad/node", "#!/bin/sh\nexit 1\n");
  EXPECT_FALSE(find("bad").has_value());
  program("odd/node", "#!/bin/sh\necho hello\n");
  EXPECT_FALSE(find("odd").has_value());
}

TEST(Tools, ThoseOfThisMachineAreFound) {
  const auto found = find_tools(std::getenv("PATH"), std::getenv("HOME"));
  ASSERT_TRUE(found.has_value()) << found.error();
  EXPECT_EQ("v" + found->node_version + "\n", test::run({"node", "--version"}).out);
  ASSERT_TRUE(found->npm.has_value());
  EXPECT_EQ(found->npm->version + "\n", test::run({"npm", "--version"}).out);
}

}  // namespace
}  // namespace cg::catalog
