#include "prove/runners/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cg::runners {
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
}  // namespace cg::runners
