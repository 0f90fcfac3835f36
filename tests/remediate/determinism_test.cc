// The same base gives the same branches, and the same events but for ids and times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "remediate/bench.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;

/// CG_SAME_RUNS in the environment asks for another number: ./check --long for 20.
int runs() {
  const char* wanted = std::getenv("CG_SAME_RUNS");
  return wanted == nullptr ? 3 : std::atoi(wanted);
}

/// What a run made: a patch and a commit for each branch, and the events.
struct Made {
  Files commits;
  Files patches;
  std::string events;
};

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  if (what.empty()) return;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

/// The kinds and bodies of a workflow's events. Its id stands in paths of the workspace,
/// and the digest of the evidence is one of ids and times too.
std::string events_of(const Bench& bench, const std::string& workflow) {
  const Ran log = bench.codegenie({"workflow", "log", workflow, "--format", "jsonl"});
  EXPECT_EQ(log.exit, 0) << log.err;
  std::string out;
  for (std::size_t at = 0; at < log.out.size();) {
    const std::size_t end = std::min(log.out.find('\n', at), log.out.size());
    const auto event = json::parse_json(log.out.substr(at, end - at));
    at = end + 1;
    EXPECT_TRUE(event.has_value());
    if (!event) continue;
    const std::string kind = text_of(*event, "kind");
    const json::Value& told = *event->find("body");
    std::string body = json::write_json(told);
    // How long a test took stands in what it printed, and is no decision of ours.
    if (kind == "step_kept") body = text_of(told, "step");
    if (kind == "step_ran" || kind == "step_recalled") {
      body = text_of(told, "side") + " " + text_of(told, "step") + " " + text_of(told, "ending");
    }
    if (kind == "packages_stocked") body = text_of(told, "lockfile");
    if (kind == "evidence_written") {
      replace_all(body, text_of(*event->find("body"), "digest"), "DIGEST");
    }
    replace_all(body, workflow, "WORKFLOW");
    out += kind + " " + body + "\n";
  }
  return out;
}

class Determinism : public testing::Test {
 protected:
  Determinism() { fs::rename(bench_.path("shop"), bench_.path("template")); }

  /// On a repository that has never been seen, with nothing fetched but by the first run.
  Made run_once(int number) {
    fs::remove_all(bench_.path("shop"));
    fs::copy(bench_.path("template"), bench_.path("shop"), fs::copy_options::recursive);
    // What must not matter is different each time.
    const std::string zone =
        "TZ=Etc/GMT" + std::string(number % 2 == 0 ? "+" : "-") + std::to_string(number % 12);
    std::vector<std::string> words = {"remediate",       "shop",     "--all", "--registry",
                                      bench_.registry(), "--format", "json",  "--fresh"};
    if (number > 0) words.emplace_back("--offline");
    const Ran ran = bench_.codegenie(words, {zone, number % 3 == 0 ? "LC_ALL=C" : "LC_ALL"});
    EXPECT_EQ(ran.exit, 7) << ran.err;
    const auto outcome = json::parse_json(ran.out, {.max_bytes = ran.out.size()});
    if (!outcome) return {};
    Made made;
    made.commits = bench_.branches();
    for (const auto& [branch, commit] : made.commits) {
      made.patches[branch] = bench_.git({"diff", "--binary", "main", branch});
    }
    made.events = events_of(bench_, text_of(*outcome, "workflow"));
    return made;
  }

  Bench bench_{Suite::own};
};

TEST_F(Determinism, EveryRunMakesTheSameBranchesAndEvents) {
  const Made first = run_once(0);
  ASSERT_EQ(first.commits.size(), 4U);
  EXPECT_THAT(first.events, testing::HasSubstr("plan_made"));
  for (int i = 1; i < runs(); ++i) {
    const Made again = run_once(i);
    ASSERT_EQ(again.commits, first.commits) << i;
    ASSERT_EQ(again.patches, first.patches) << i;
    ASSERT_EQ(again.events, first.events) << i;
  }
}

}  // namespace
}  // namespace cg::test
