#include "prove/runners/hook.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cg::runners {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Key;
using testing::Not;

Hook sample(std::string version) {
  return {"/w/hook", "/tmp/report-0f3a", "/opt/node/bin/node", std::move(version)};
}

TEST(Hook, IsAFileForNodeAndAProgramInItsPlace) {
  const auto files = files_of(sample("20.11.0"));
  EXPECT_THAT(files, ElementsAre(Key("hook.cjs"), Key("node")));
  EXPECT_THAT(files.at("hook.cjs"), HasSubstr("const kReports = '/tmp/report-0f3a';"));
  EXPECT_THAT(files.at("node"), HasSubstr("exec '/opt/node/bin/node' \"$@\""));
  for (const auto& [name, text] : files) {
    for (const char* place : {"@REPORTS@", "@HOOK@", "@OPTIONS@", "@NODE@", "@MANAGER@"}) {
      EXPECT_THAT(text, Not(HasSubstr(place))) << name;
    }
  }
}

TEST(Hook, IsAskedForInTheEnvironmentAndByTheProgram) {
  const auto environment = environment_of(sample("16.20.2"), "/usr/bin:/bin");
  EXPECT_THAT(environment, ElementsAre("NODE_OPTIONS=--require \"/w/hook/hook.cjs\"",
                                       "PATH=/w/hook:/usr/bin:/bin"));
  EXPECT_THAT(files_of(sample("16.20.2")).at("node"),
              HasSubstr("NODE_OPTIONS='--require \"/w/hook/hook.cjs\"'\" $NODE_OPTIONS\""));
}

TEST(Hook, NodesOwnRunnerIsAskedWhereNodeKnowsTheOption) {
  for (const char* old : {"", "x", "18.14.2", "19.5.0"}) {
    EXPECT_THAT(environment_of(sample(old), "").front(), EndsWith("hook.cjs\"")) << old;
  }
  for (const char* since : {"18.15.0", "19.6.1", "20.0.0", "24.1.0"}) {
    EXPECT_THAT(environment_of(sample(since), "").front(),
                EndsWith(" --test-reporter=\"/w/hook/hook.cjs\" --test-reporter-destination=stdout"
                         " --test-reporter=spec --test-reporter-destination=stdout"))
        << since;
  }
}

TEST(Hook, AManagerLeadsScriptsToTheProgramBesideIt) {
  Hook hook = sample("20.11.0");
  EXPECT_THAT(files_of(hook).at("hook.cjs"), HasSubstr("const kManager = '';"));
  hook.manager = "/w/yarn's.js";
  EXPECT_THAT(files_of(hook).at("hook.cjs"), HasSubstr(R"(const kManager = '/w/yarn\'s.js';)"));
  EXPECT_THAT(files_of(hook).at("hook.cjs"), HasSubstr("const kNode = '/w/hook/node';"));
}

TEST(Hook, NamesWithQuotesStayNames) {
  Hook hook = sample("16.0.0");
  hook.folder = "/w/it's \"here\"\\";
  hook.reports = "/tmp/o'clock\\";
  hook.node = "/opt/o'node";
  const auto files = files_of(hook);
  EXPECT_THAT(files.at("hook.cjs"), HasSubstr(R"(const kReports = '/tmp/o\'clock\\';)"));
  EXPECT_THAT(files.at("node"), HasSubstr(R"(exec '/opt/o'\''node' "$@")"));
  EXPECT_EQ(environment_of(hook, "").front(),
            R"(NODE_OPTIONS=--require "/w/it's \"here\"\\/hook.cjs")");
  EXPECT_THAT(files.at("node"), HasSubstr(R"('--require "/w/it'\''s \"here\"\\/hook.cjs"')"));
}

}  // namespace
}  // namespace cg::runners
