#include "prove/gate/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "prove/gate/checks.h"

namespace cg::gate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Runner, IsSeenInOneSimpleCommand) {
  const struct {
    const char* script;
    Runner runner;
  } cases[] = {
      {"jest", Runner::jest},
      {"jest --coverage 'src/**/*.test.js'", Runner::jest},
      {"NODE_ENV=test jest", Runner::jest},
      {"cross-env NODE_ENV=test TZ=UTC jest --runInBand", Runner::jest},
      {"npx --no-install jest", Runner::jest},
      {"./node_modules/.bin/jest", Runner::jest},
      {"node --experimental-vm-modules node_modules/jest/bin/jest.js", Runner::jest},
      {"react-scripts test", Runner::jest},
      {"mocha \"test/**/*.js\" --timeout 5000", Runner::mocha},
      {"nyc mocha", Runner::mocha},
      {"nyc --reporter=text mocha", Runner::unknown},  // whose reporter is for people to tell
      {"c8 --all mocha", Runner::mocha},
      {"ts-mocha test/*.ts", Runner::mocha},
      {"vitest run", Runner::vitest},
      {"vitest", Runner::vitest},
      {"node --test", Runner::node_test},
      {"node --test test/", Runner::node_test},
      {"node --import tsx --test", Runner::unknown},
      {"node --import=tsx --test", Runner::node_test},
      {"tap test/*.js", Runner::tap},
      {"ava", Runner::ava},
      {"ava --timeout=2m", Runner::ava},
  };
  for (const auto& c : cases) EXPECT_EQ(name(detect(c.script)), name(c.runner)) << c.script;
}

TEST(Runner, IsUnknownWhereArgumentsCouldLandElsewhere) {
  for (const char* script : {"",
                             " ",
                             "jest && echo done",
                             "eslint . ; jest",
                             "jest | cat",
                             "jest > out",
                             "$(jest)",
                             "`jest`",
                             "jest &",
                             "(jest)",
                             "jest # all",
                             "jest \\",
                             "'jest",
                             "echo jest",
                             "mocha -- a",
                             "jest --json",
                             "mocha --reporter dot",
                             "mocha -R dot",
                             "mocha --reporter=dot",
                             "vitest --outputFile=x",
                             "vitest --outputFile.json=x",
                             "vitest watch",
                             "jest --watch",
                             "node --test --test-reporter=spec",
                             "ava --tap",
                             "tap -o x",
                             "node test.js",
                             "./jest",
                             "tools/jest",
                             "npm run unit",
                             "jest\nmocha",
                             "cross-env",
                             "A=b",
                             "\"$(x)\" jest",
                             "a!b",
                             "NODE_OPTIONS=--no-warnings node --test",
                             "cross-env NODE_OPTIONS=-x node --test"}) {
    EXPECT_EQ(detect(script), Runner::unknown) << script;
  }
}

TEST(Runner, IsAskedForAReportInItsOwnWords) {
  EXPECT_THAT(reporting(Runner::jest, "29.7.0", "/tmp/r").args,
              ElementsAre("--json", "--outputFile=/tmp/r"));
  EXPECT_THAT(reporting(Runner::mocha, "10.2.0", "/tmp/r").args,
              ElementsAre("--reporter", "json", "--reporter-option", "output=/tmp/r"));
  EXPECT_EQ(reporting(Runner::tap, "18.8.0", "/tmp/r").file, "/tmp/r");
  EXPECT_THAT(reporting(Runner::node_test, "", "/tmp/r").args, IsEmpty());
  EXPECT_THAT(reporting(Runner::node_test, "", "/tmp/r").env, testing::SizeIs(1));
  EXPECT_EQ(reporting(Runner::ava, "6.0.0", "/tmp/r").file, "");
}

TEST(Runner, IsNotAskedForWhatItsVersionCannotDo) {
  EXPECT_EQ(reporting(Runner::mocha, "9.1.4", "/tmp/r").runner, Runner::unknown);
  EXPECT_EQ(reporting(Runner::mocha, "9.2.0", "/tmp/r").runner, Runner::mocha);
  EXPECT_EQ(reporting(Runner::mocha, "", "/tmp/r").runner, Runner::unknown);
  EXPECT_EQ(reporting(Runner::jest, "next", "/tmp/r").runner, Runner::unknown);
  EXPECT_EQ(reporting(Runner::tap, "14.11.0", "/tmp/r").runner, Runner::unknown);
  EXPECT_EQ(reporting(Runner::unknown, "1.0.0", "/tmp/r").runner, Runner::unknown);
}

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
                lock_with({{"mocha", "10.8.2"}, {"typescript", "5.9.3"}}), Tsconfig::present);
  EXPECT_TRUE(all.build && all.tests && all.typecheck);
  EXPECT_EQ(all.runner, Runner::mocha);
  EXPECT_EQ(all.runner_version, "10.8.2");
  EXPECT_THAT(all.absent, IsEmpty());
}

TEST(Checks, WhatIsAbsentIsSaid) {
  const Checks none = checks_of(manifest_with("{}"), lock_with({}), Tsconfig::absent);
  EXPECT_FALSE(none.build || none.tests || none.typecheck);
  EXPECT_EQ(none.why_absent("build"), "no build script");
  EXPECT_EQ(none.why_absent("tests"), "no test script");
  EXPECT_EQ(none.why_absent("typecheck.typescript"), "no tsconfig.json");
  EXPECT_EQ(none.why_absent("trace"), "");
  const Checks bare =
      checks_of(manifest_with(R"({"test":"echo \"Error: no test specified\" && exit 1"})"),
                lock_with({}), Tsconfig::present);
  EXPECT_FALSE(bare.tests);
  EXPECT_EQ(bare.why_absent("tests"), "the test script is npm's default, which tests nothing");
  EXPECT_EQ(bare.why_absent("typecheck.typescript"), "typescript is not in the lock");
}

TEST(Checks, TakeAHalfOfNpmsPlaceholderForATest) {
  for (const char* test : {"echo 'Error: no test specified'", "echo no && exit 1"}) {
    const std::string scripts = std::string(R"({"test":")") + test + "\"}";
    EXPECT_TRUE(checks_of(manifest_with(scripts), lock_with({}), Tsconfig::absent).tests) << test;
  }
}

TEST(Checks, TakeTheVersionAtTheTopOrWhicheverThereIs) {
  const auto version = [](const std::vector<std::pair<std::string, std::string>>& copies) {
    npm::GraphBuilder builder(npm::LockKind::package_lock, "{}");
    npm::Node own;  // of the repository, and called the same
    own.source = npm::Source::workspace;
    own.location = "packages/mocha";
    own.name = "mocha";
    own.version = "9.9.9";
    builder.add(own);
    for (const auto& [location, number] : copies) {
      npm::Node node;
      node.location = builder.keep(location);
      node.name = location.ends_with("mocha") ? "mocha" : "chai";
      node.version = builder.keep(number);
      builder.add(node);
    }
    const npm::Graph lock = std::move(builder).finish();
    return checks_of(manifest_with(R"({"test":"mocha"})"), lock, Tsconfig::absent).runner_version;
  };
  EXPECT_EQ(version({{"node_modules/a/node_modules/mocha", "1.0.0"},
                     {"node_modules/chai", "4.0.0"},
                     {"node_modules/mocha", "2.0.0"},
                     {"node_modules/z/node_modules/mocha", "3.0.0"}}),
            "2.0.0");
  EXPECT_EQ(version({{"node_modules/a/node_modules/mocha", "1.0.0"},
                     {"node_modules/z/node_modules/mocha", "3.0.0"}}),
            "1.0.0");
  EXPECT_EQ(version({{"node_modules/chai", "4.0.0"}}), "");
}

TEST(Checks, LookForNoPackageOfARunnerThatIsNone) {
  const Checks checks = checks_of(manifest_with(R"({"test":"make"})"),
                                  lock_with({{"unknown", "1.0.0"}}), Tsconfig::absent);
  EXPECT_EQ(checks.runner, Runner::unknown);
  EXPECT_EQ(checks.runner_version, "");
}

TEST(Runner, IsSeenThroughQuotesAndVariables) {
  for (const char* script : {"'jest'", "\"jest\"", "jest \"$HOME/x\"", "jest \"(a)\"",
                             "jest '`a\\b`'", "azAZ09_=1 jest"}) {
    EXPECT_EQ(detect(script), Runner::jest) << script;
  }
  for (const char* script : {"jest \"`x`\"", "jest \"a\\b\"", "a-b=1 jest", "=1 jest", "node",
                             "node -x", "react-scripts", "react-scripts build", "scripts test"}) {
    EXPECT_EQ(detect(script), Runner::unknown) << script;
  }
}

TEST(Runner, IsAskedFromItsFirstVersionOnThatCan) {
  const struct {
    Runner runner;
    const char* first;
    const char* before;
  } cases[] = {{Runner::jest, "20.0.0", "19.9.9"}, {Runner::mocha, "9.2.0", "8.9.0"},
               {Runner::mocha, "10.0.0", "9.1.9"}, {Runner::vitest, "0.20.0", "0.19.9"},
               {Runner::vitest, "1.0.0", "0.0.1"}, {Runner::tap, "15.0.0", "14.9.9"},
               {Runner::ava, "1.0.0", "0.25.0"},   {Runner::jest, "29.0.0", "29"},
               {Runner::jest, "29.0", "x.1.0"}};
  for (const auto& c : cases) {
    EXPECT_EQ(reporting(c.runner, c.first, "/tmp/r").runner, c.runner) << c.first;
    EXPECT_EQ(reporting(c.runner, c.before, "/tmp/r").runner, Runner::unknown) << c.before;
  }
}

}  // namespace
}  // namespace cg::gate
