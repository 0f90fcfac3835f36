#include "prove/gate/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cg::gate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kProjects = {"tsconfig.json"};

npm::Graph lock_with(const std::vector<std::pair<std::string, std::string>>& packages) {
  npm::GraphBuilder builder(npm::LockKind::package_lock, "{}");
  npm::Node root;
  root.source = npm::Source::root;
  builder.add(root);
  for (const auto& [package, version] : packages) {
    npm::Node node;
    node.location = builder.keep("node_modules/" + package);
    node.name = builder.keep(package);
    node.version = builder.keep(version);
    builder.add(node);
  }
  return std::move(builder).finish();
}

npm::Manifest manifest_with(const std::string& scripts) {
  return *npm::parse_manifest("package.json", R"({"name":"a","scripts":)" + scripts + "}");
}

TEST(Checks, FollowFromScriptsTsconfigAndLock) {
  const Checks all =
      checks_of(manifest_with(R"({"build":"tsc","test":"mocha"})"),
                lock_with({{"mocha", "10.8.2"}, {"typescript", "5.9.3"}}), kProjects);
  EXPECT_TRUE(all.build && all.tests && all.typecheck);
  EXPECT_THAT(all.absent, IsEmpty());
}

TEST(Checks, WhatIsAbsentIsSaid) {
  const Checks none = checks_of(manifest_with("{}"), lock_with({}), std::nullopt);
  EXPECT_FALSE(none.build || none.tests || none.typecheck);
  EXPECT_EQ(none.why_absent("build"), "no build script");
  EXPECT_EQ(none.why_absent("tests"), "no test script");
  EXPECT_EQ(none.why_absent("typecheck.typescript"), "no tsconfig.json");
  EXPECT_EQ(none.why_absent("trace"), "");
  const Checks bare =
      checks_of(manifest_with(R"({"test":"echo \"Error: no test specified\" && exit 1"})"),
                lock_with({}), kProjects);
  EXPECT_FALSE(bare.tests);
  EXPECT_EQ(bare.why_absent("tests"), "the test script is npm's default, which tests nothing");
  EXPECT_EQ(bare.why_absent("typecheck.typescript"), "typescript is not in the lock");
}

TEST(Checks, ACompilerThatIsGivenNoFileChecksNothing) {
  const npm::Graph lock = lock_with({{"typescript", "5.9.3"}});
  const Checks none = checks_of(manifest_with("{}"), lock, std::vector<std::string>{});
  EXPECT_FALSE(none.typecheck);
  EXPECT_EQ(none.why_absent("typecheck.typescript"), "tsconfig.json leads to no files");
  const std::vector<std::string> two = {"tsconfig.app.json", "tests/tsconfig.json"};
  EXPECT_EQ(checks_of(manifest_with("{}"), lock, two).projects, two);
}

TEST(Checks, TakeAHalfOfNpmsPlaceholderForATest) {
  for (const char* test : {"echo 'Error: no test specified'", "echo no && exit 1"}) {
    const std::string scripts = std::string(R"({"test":")") + test + "\"}";
    EXPECT_TRUE(checks_of(manifest_with(scripts), lock_with({}), std::nullopt).tests) << test;
  }
}

TEST(Checks, TakeNoPackageOfTheRepositoryForTheCompiler) {
  npm::GraphBuilder builder(npm::LockKind::package_lock, "{}");
  npm::Node own;
  own.source = npm::Source::workspace;
  own.location = "packages/typescript";
  own.name = "typescript";
  own.version = "9.9.9";
  builder.add(own);
  const npm::Graph lock = std::move(builder).finish();
  EXPECT_FALSE(checks_of(manifest_with("{}"), lock, kProjects).typecheck);
}

}  // namespace
}  // namespace cg::gate
