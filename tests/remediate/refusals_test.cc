// What remediate does not do: it says so, with the exit code for it, and changes nothing.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>

#include "remediate/bench.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class Refusals : public testing::Test {
 protected:
  Refusals() : before_(bench_.everything("shop")) {}
  ~Refusals() override { EXPECT_EQ(bench_.everything("shop"), before_); }

  /// Of the shop as it is now.
  void remember() { before_ = bench_.everything("shop"); }
  void expect(const Ran& ran, int exit, const std::string& says) {
    EXPECT_EQ(ran.exit, exit) << ran.out << ran.err;
    EXPECT_THAT(ran.out + ran.err, HasSubstr(says));
  }

  [[nodiscard]] std::string last_workflow() const {
    const Ran ran = bench_.codegenie({"workflow", "list", "--limit", "1", "--json"});
    const auto listed = json::parse_json(ran.out);
    EXPECT_TRUE(listed) << ran.out << ran.err;
    return listed ? text_of(list_of(*listed, "workflows").at(0), "workflow") : "";
  }
  [[nodiscard]] std::string last_log() const {
    return bench_.codegenie({"workflow", "log", last_workflow()}).out;
  }

  Bench bench_;
  Files before_;
};

TEST_F(Refusals, AFolderWithoutGitHasNoBranches) {
  fs::create_directories(bench_.path("plain"));
  fs::copy(bench_.path("shop/package.json"), bench_.path("plain/package.json"));
  fs::copy(bench_.path("shop/package-lock.json"), bench_.path("plain/package-lock.json"));
  const Files plain = bench_.everything("plain");
  expect(bench_.remediate({"plain", "--all"}), 2, "CG-FIX-002");
  EXPECT_EQ(bench_.everything("plain"), plain);
}

TEST_F(Refusals, ARepositoryThatAnotherRunWorksOnIsBusy) {
  // The lock is named after the repository: the first run leaves its file behind.
  expect(bench_.remediate({"shop", "--all", "--dry-run"}), 0, "Would fix");
  std::string lock;
  for (const auto& entry : fs::directory_iterator(bench_.home() + "/locks")) lock = entry.path();
  const int fd = open(lock.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(flock(fd, LOCK_EX | LOCK_NB), 0);
  expect(bench_.remediate({"shop", "--all"}), 8, "another codegenie works on this repository");
  close(fd);
  expect(bench_.remediate({"shop", "--all", "--dry-run"}), 0, "Would fix");
}

TEST_F(Refusals, AnUnknownAdvisoryIsToldWithItsNeighbours) {
  const Ran ran = bench_.remediate({"shop", "--cve", "CGEX-2026-0404"});
  expect(ran, 3, "CG-DATA-007");
  EXPECT_THAT(ran.err, HasSubstr("CGEX-2026-0001"));
  expect(bench_.remediate({"shop", "--cve", "\x1b[31m../../x"}), 3, "CG-DATA-007");
}

TEST_F(Refusals, AnAdvisoryThatDoesNotSpeakOfTheRepositoryIsNotApplicable) {
  expect(bench_.remediate({"shop", "--cve", "CGEX-2026-0019"}), 3, "Nothing to fix");
}

TEST_F(Refusals, AnAdvisoryOfAnotherEcosystemIsHandedOn) {
  bench_.write(
      "other.jsonl",
      R"({"id":"PYSEC-2000-7","aliases":["CVE-2000-0077"],"modified":)"
      R"("2026-01-02T03:04:05Z","affected":[{"package":{"ecosystem":"PyPI","name":"jinja"}}]})"
      "\n");
  ASSERT_EQ(
      bench_.codegenie({"vuln-index", "refresh", "--source", "ghsa", "--from", "other.jsonl"}).exit,
      0);
  EXPECT_EQ(bench_.codegenie({"vuln-index", "verify"}).exit, 0);
  expect(bench_.codegenie({"explain", "cve-2000-0077", "--repo", "shop"}), 7, "PyPI jinja");
  for (const char* id : {"CVE-2000-0077", "pysec-2000-7"}) {
    expect(bench_.remediate({"shop", "--cve", id}), 7, "is about PyPI jinja, not about npm");
    EXPECT_THAT(last_log(), HasSubstr("provenance_classified"));
    EXPECT_THAT(last_log(), HasSubstr("unknown"));
  }
  std::vector<std::string> handoffs;
  for (const auto& entry : fs::directory_iterator(bench_.home() + "/handoff")) {
    handoffs.push_back(read(entry.path()));
  }
  ASSERT_EQ(handoffs.size(), 2U);
  EXPECT_THAT(handoffs[0], HasSubstr("PyPI jinja"));
}

TEST_F(Refusals, AnIndexThatIsTooOldIsNotUsed) {
  const std::vector<std::string> words = {"remediate", "shop",       "--all",
                                          "--offline", "--registry", "http://127.0.0.1:9"};
  const std::vector<std::string> later = {"LD_PRELOAD=" CG_CLOCK_AHEAD, "CG_CLOCK_DAYS=3",
                                          "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0"};
  expect(bench_.codegenie(words, later), 7, "Nothing was fixed");
  const std::string policy = bench_.home() + "/policy/policy.yaml";
  std::string text = read(policy);
  const std::size_t at = text.find("max_age_days: 14");
  ASSERT_NE(at, text.npos) << text;
  write(policy, text.replace(at, 16, "max_age_days: 2"));
  expect(bench_.codegenie(words, later), 9, "3 days old, policy allows 2");
}

TEST_F(Refusals, ARepositoryThatTakesNoObjectsIsToldSo) {
  bench_.git({"repack", "-adq"});
  // Not by permissions, which do not hold for everybody.
  constexpr const char* kDigits = "0123456789abcdef";
  for (int i = 0; i < 256; ++i) {
    const std::string name = {kDigits[i / 16], kDigits[i % 16]};
    const std::string place = "shop/.git/objects/" + name;
    fs::remove_all(bench_.path(place));
    bench_.write(place, "");
  }
  remember();
  const Ran ran = bench_.remediate({"shop", "--all"});
  expect(ran, 6, "CG-GIT-009");
  EXPECT_THAT(ran.err, HasSubstr("no branch was made"));
}

TEST_F(Refusals, TheOutputFolderMustLieOutsideTheRepository) {
  expect(bench_.remediate({"shop", "--all", "--plan-only", "--worktree", "shop/out"}), 2,
         "CG-FIX-004");
  fs::create_directory_symlink(bench_.path("shop"), bench_.path("link"));
  expect(bench_.remediate({"shop", "--all", "--plan-only", "--worktree", "link/a/b"}), 2,
         "CG-FIX-004");
  expect(bench_.remediate({"shop", "--all", "--worktree", "out"}), 2, "--plan-only");
}

TEST_F(Refusals, APluginThatIsNotAsPinnedStopsTheRun) {
  const fs::path programs = fs::path(CG_BINARY).parent_path();
  fs::create_directories(bench_.path("bin"));
  std::string recipe;
  for (const char* name : {"codegenie", "codegenie-git", "codegenie-fetch", "codegenie-broker"}) {
    fs::copy(programs / name, bench_.path("bin") + "/" + name);
  }
  fs::copy(programs / "plugins", bench_.path("bin/plugins"), fs::copy_options::recursive);
  const std::vector<std::string> words = {"env",           "-C",
                                          bench_.path(""), bench_.path("bin/codegenie"),
                                          "remediate",     "shop",
                                          "--all",         "--dry-run",
                                          "--registry",    bench_.registry()};
  expect(run(words, bench_.environment()), 0, "Would fix");
  for (const auto& entry : fs::recursive_directory_iterator(bench_.path("bin/plugins"))) {
    const std::string path = entry.path();
    if (path.find("relock") != path.npos && entry.is_regular_file()) recipe = path;
  }
  ASSERT_NE(recipe, "");
  std::string text = read(recipe);
  text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 1);
  write(recipe, text);
  expect(run(words, bench_.environment()), 4, "CG-PLUGIN-");
  EXPECT_THAT(last_log(), HasSubstr("plugin_rejected"));
  // For a monitor that knows no kinds.
  const std::string id = last_workflow();
  const Ran severe = bench_.codegenie({"workflow", "log", id, "--severity", "block"});
  EXPECT_THAT(severe.out, HasSubstr("plugin_rejected"));
  EXPECT_THAT(severe.out, Not(HasSubstr("remediation_refused")));
}

TEST_F(Refusals, AProjectCannotSendUsToAnotherRegistry) {
  bench_.write("shop/.npmrc", "registry=https://elsewhere.example/\n");
  bench_.commit("elsewhere");
  remember();
  bench_.write("home/.npmrc", "registry=" + bench_.registry() + "/\n");
  const Ran ran = bench_.codegenie({"remediate", "shop", "--all"});
  expect(ran, 7, "CG-REG-002");
  EXPECT_THAT(ran.err, HasSubstr("https://elsewhere.example/"));
  const std::size_t at = ran.err.find("handoff/");
  ASSERT_NE(at, ran.err.npos) << ran.err;
  EXPECT_THAT(read(bench_.home() + "/" + ran.err.substr(at, ran.err.find('\n', at) - at)),
              HasSubstr("elsewhere.example"));
}

TEST_F(Refusals, OfflineWithNothingFetchedFixesNothingAndSaysWhy) {
  const auto outcome = bench_.outcome({"shop", "--all", "--offline"});
  EXPECT_EQ(text_of(outcome, "outcome"), "not_fixed");
  for (const json::Value& copy : list_of(outcome, "copies")) {
    EXPECT_EQ(text_of(copy, "verdict"), "blocked");
    EXPECT_EQ(text_of(copy, "blocker"), "registry");
  }
  EXPECT_THAT(list_of(outcome, "branches"), ElementsAre());
  const Ran told = bench_.remediate({"shop", "--all", "--offline"});
  expect(told, 7, "are not to be had");
}

TEST_F(Refusals, NamesOfBranchesThatGitRefusesAreRefusedFirst) {
  for (const char* prefix : {"a b/", "../", "/", "x~/", "fix", "a.lock/"}) {
    expect(bench_.remediate({"shop", "--all", std::string("--branch-prefix=") + prefix}), 2,
           "--branch-prefix");
  }
}

TEST_F(Refusals, AKeyThatIsNotThereIsToldBeforeAnythingIsWritten) {
  expect(bench_.remediate({"shop", "--all", "--sign", "ssh:none"}), 2, "none");
  expect(bench_.remediate({"shop", "--all", "--sign", "gpg:me"}), 2, "--sign takes ssh:KEYFILE");
}

}  // namespace
}  // namespace cg::test
