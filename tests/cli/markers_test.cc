// Markers that CI runners obey, through every output of the program: 0 active.
//
// What prints is the frame alone, so the frame is given the corpus raw, as result in each format,
// as file of -o, problem, warning, hint, progress and bug. That texts which leave by other ways
// (pull request, handoff, commit, evidence) are harmless is shown where they are made.
#include "support/markers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "base/base/text.h"
#include "base/json/json.h"
#include "binary.h"
#include "flow/cli/command.h"

namespace cg::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kRunners[] = {"",
                                    "CI=true",
                                    "GITHUB_ACTIONS=true CI=true",
                                    "TF_BUILD=True",
                                    "TEAMCITY_VERSION=2026.1",
                                    "GITLAB_CI=true CI=true"};

/// The two lines that are ours, with their token as it is.
std::vector<std::string> foreign_orders(const std::string& text) {
  std::vector<std::string> out;
  std::string token;
  for (const std::string& order : orders_in(text)) {
    constexpr std::string_view kStop = "command: ::stop-commands::";
    if (token.empty() && order.starts_with(kStop) && order.size() == kStop.size() + 32) {
      token = order.substr(kStop.size());
    } else if (token.empty() || order != "command: ::" + token + "::") {
      out.push_back(order);
    }
  }
  return out;
}

TEST(Markers, NoneIsObeyedInAnyFormat) {
  const ScratchDir scratch;
  for (const char* runner : kRunners) {
    for (const cli::Format format : cli::kFormats) {
      if (format == cli::Format::gh_annotations) continue;  // commands by themselves; see formats
      const std::string word(cli::name(format));
      SCOPED_TRACE(std::string(runner) + " " + word);
      const Ran ran = run_script(std::string(runner) + " frame_probe markers --format " + word +
                                     " -o " + word + "=copy; cat copy >&2",
                                 scratch);
      EXPECT_GT(ran.out.size(), 1000U);
      EXPECT_THAT(foreign_orders(ran.out), IsEmpty());
      EXPECT_THAT(orders_in(ran.err), IsEmpty());
      for (const char* part : {"warning: ", "hint: ", "error[", "teamcity"}) {
        EXPECT_THAT(ran.err, HasSubstr(part));
      }
    }
  }
}

TEST(Markers, NoneIsObeyedWhereThereIsNoResult) {
  const ScratchDir scratch;
  for (const char* end : {"markers-lost", "markers-lost --json", "markers-lost --format jsonl",
                          "markers-thrown", "'##[error]x'", "markers --'##vso[x]'"}) {
    SCOPED_TRACE(end);
    const Ran ran = run_script(std::string("frame_probe ") + end, scratch);
    EXPECT_NE(ran.exit, 0);
    EXPECT_FALSE(ran.err.empty());
    EXPECT_THAT(orders_in(ran.out), IsEmpty());
    EXPECT_THAT(orders_in(ran.err), IsEmpty());
  }
}

TEST(Markers, NoneIsObeyedInColour) {
  const ScratchDir scratch;
  const Ran coloured = run_script("frame_probe markers --color always", scratch);
  // A colour orders nothing; with colours taken away nothing is left.
  const std::string plain =
      std::regex_replace(coloured.out + coloured.err, std::regex("\x1b\\[[0-9;]*m"), "");
  EXPECT_THAT(orders_in(plain), IsEmpty());
}

TEST(Markers, GitHubIsToldToStopListening) {
  const ScratchDir scratch;
  const std::string call = "GITHUB_ACTIONS=true frame_probe markers 2>&1";
  const Ran first = run_script(call, scratch);
  EXPECT_THAT(first.out, ContainsRegex("\n::stop-commands::[0-9a-f]{32}\n"));
  const Ran second = run_script(call, scratch);
  const auto token = [](const std::string& text) {
    return text.substr(text.find("\n::stop-c"), 50);
  };
  EXPECT_NE(token(first.out), token(second.out)) << "a token is for one run";
  EXPECT_THAT(run_script("frame_probe markers 2>&1", scratch).out,
              Not(HasSubstr("\n::stop-commands::")));
  EXPECT_THAT(run_script("GITHUB_ACTIONS=true frame_probe markers -q --json 2>&1", scratch).out,
              Not(HasSubstr("\n::stop-commands::")));
}

TEST(Markers, ExactBytesAreForProgramsAndFiles) {
  const ScratchDir scratch;
  const std::string exact = run_script("frame_probe markers-exact", scratch).out;
  EXPECT_THAT(orders_in(exact), Not(IsEmpty()));
  for (const char* runner : kRunners) {
    SCOPED_TRACE(runner);
    const std::string call = std::string(runner) + " frame_probe markers-exact";
    if (*runner != '\0') {
      EXPECT_THAT(orders_in(run_script(call, scratch).out), IsEmpty());
    }
    EXPECT_EQ(run_script(call + " >file; cat file", scratch).out, exact);
    EXPECT_EQ(run_script(call + " -o table=file >/dev/null; cat file", scratch).out, exact);
  }
}

}  // namespace
}  // namespace cg::test
