// Killed at any time, it leaves a repository that is as before or has whole branches
// more, and a log that verifies; and the next run ends as if nothing had been.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "remediate/bench.h"

namespace cg::test {
namespace {

namespace fs = std::filesystem;
using std::chrono::microseconds;

/// CG_KILLS in the environment asks for another number: ./check --long for 300.
int kills() {
  const char* wanted = std::getenv("CG_KILLS");
  return wanted == nullptr ? 24 : std::atoi(wanted);
}
const int kKills = kills();
constexpr int kSeed = 20260604;

enum class Victim {
  program,  // alone: those that it started must end by themselves
  all,      // and the programs that it has started, at once
};

/// The processes that a process has started, and those that they have.
void descendants(pid_t of, std::vector<pid_t>& out) {
  const std::string id = std::to_string(of);
  std::ifstream in("/proc/" + id + "/task/" + id + "/children");
  for (pid_t child = 0; in >> child;) {
    out.push_back(child);
    descendants(child, out);
  }
}

/// Orphans become our children, so that the end of all of them can be waited for.
void wait_for_all() {
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

pid_t start(const std::vector<std::string>& argv, const std::vector<std::string>& env,
            const std::string& folder) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (chdir(folder.c_str()) != 0 || freopen("/dev/null", "w", stdout) == nullptr ||
      freopen("/dev/null", "w", stderr) == nullptr) {
    _exit(126);
  }
  for (std::string e : env) {
    const std::size_t eq = e.find('=');
    if (eq == e.npos) {
      unsetenv(e.c_str());
    } else {
      setenv(e.substr(0, eq).c_str(), e.substr(eq + 1).c_str(), 1);
    }
  }
  std::vector<char*> args;
  for (const std::string& word : argv) args.push_back(const_cast<char*>(word.c_str()));
  args.push_back(nullptr);
  execv(args[0], args.data());
  _exit(127);
}

class Kill : public testing::Test {
 protected:
  Kill() {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    bench_.git({"tag", "v1"});
    bench_.write("shop/lib/unsaved.js", "work of the user\n");
    fs::rename(bench_.path("shop"), bench_.path("template"));
    renew();
    theirs_ = bench_.untouchable();
    // Fills the cache of the registry, which is not needed from then on.
    EXPECT_EQ(bench_.remediate(words()).exit, 0);
    expected_ = bench_.branches();
    renew();
    bench_.stop_registry();
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(rerun().exit, 0);
    whole_ = std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - began);
    renew();
  }

  void renew() const {
    fs::remove_all(bench_.path("shop"));
    fs::copy(bench_.path("template"), bench_.path("shop"), fs::copy_options::recursive);
  }

  /// Two branches: enough to be between them, and soon over.
  [[nodiscard]] static std::vector<std::string> words(const char* more = nullptr) {
    std::vector<std::string> out = {"shop", "--cve", "CGEX-2026-0002", "--cve", "CGEX-2026-0004"};
    if (more != nullptr) out.emplace_back(more);
    return out;
  }
  [[nodiscard]] Ran rerun() { return bench_.remediate(words("--offline")); }

  void kill_once(microseconds after, Victim victim) {
    std::vector<std::string> argv = {CG_BINARY, "remediate", "--registry", bench_.registry()};
    for (const std::string& word : words("--offline")) argv.push_back(word);
    const pid_t child = start(argv, bench_.environment(), bench_.path(""));
    std::this_thread::sleep_for(after);  // the kill is random in time, nothing is waited for
    std::vector<pid_t> victims;
    if (victim == Victim::all) descendants(child, victims);
    ::kill(child, SIGKILL);
    for (const pid_t one : victims) ::kill(one, SIGKILL);
    wait_for_all();
  }

  /// Nothing of the user's has changed, and each branch is absent or whole.
  void expect_sound() const {
    EXPECT_EQ(bench_.untouchable(), theirs_);
    for (const auto& [branch, commit] : bench_.branches()) {
      const auto expected = expected_.find(branch);
      EXPECT_TRUE(expected != expected_.end() && expected->second == commit) << branch;
    }
    const Ran verified = bench_.codegenie({"audit", "verify"});
    EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
  }

  /// The next run makes what is missing, with evidence, and clears away.
  void expect_completion() {
    const auto outcome = bench_.outcome(words("--offline"));
    EXPECT_EQ(text_of(outcome, "outcome"), "weak") << "it has no tests";
    EXPECT_EQ(bench_.branches(), expected_);
    EXPECT_EQ(bench_.fsck(), "");
    EXPECT_EQ(bench_.untouchable(), theirs_);
    const std::string bundle = bench_.home() + "/" + text_of(outcome, "evidence");
    const Ran verified = bench_.codegenie({"verify", bundle});
    EXPECT_EQ(verified.exit, 0) << verified.out << verified.err;
    EXPECT_TRUE(fs::is_empty(bench_.home() + "/checkouts"));
  }

  [[nodiscard]] bool left_a_checkout() const {
    const std::string checkouts = bench_.home() + "/checkouts";
    return fs::exists(checkouts) && !fs::is_empty(checkouts);
  }

  Bench bench_;
  Files theirs_;
  Files expected_;
  microseconds whole_{};
};

TEST_F(Kill, AtAnyTimeLeavesTheRepositoryAndTheLogWhole) {
  ASSERT_EQ(expected_.size(), 2U);
  std::mt19937_64 random(kSeed);
  int partly = 0;
  int checkouts = 0;
  for (int i = 1; i <= kKills && !HasFailure(); ++i) {
    SCOPED_TRACE("kill " + std::to_string(i));
    const auto after = microseconds(random() % static_cast<std::uint64_t>(whole_.count()));
    kill_once(after, i % 2 == 0 ? Victim::all : Victim::program);
    expect_sound();
    const std::size_t there = bench_.branches().size();
    if (there > 0 && there < expected_.size()) ++partly;
    if (left_a_checkout()) ++checkouts;
    if (i % 10 == 0) {
      EXPECT_EQ(bench_.fsck(), "");
    }
    if (i % 50 == 0 || i == kKills) expect_completion();
    // A few kills on top of each other, then a repository that nothing was written to.
    if (i % 5 == 0) renew();
  }
  // The times were such that something was under way.
  EXPECT_GT(checkouts, 0);
  RecordProperty("partly_written", partly);
  RecordProperty("checkouts_left", checkouts);
  RecordProperty("one_run_ms", static_cast<int>(whole_.count() / 1000));
}

}  // namespace
}  // namespace cg::test
