// codegenie itself: what it asks at a terminal, what it prints, and that the key is never in it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "key/bench.h"

namespace cg::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// codegenie in an environment of its own, with the kernel's keyring in a session of its own.
class Codegenie : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(join_new_session()); }

  [[nodiscard]] std::vector<std::string> line(const std::vector<std::string>& words,
                                              const std::vector<std::string>& env = {}) const {
    std::vector<std::string> out = {"/usr/bin/env", "-i", "HOME=" + home_.path().string(),
                                    "PATH=/usr/bin:/bin", "LANG=C.UTF-8"};
    out.insert(out.end(), env.begin(), env.end());
    out.emplace_back(CG_BINARY);
    out.insert(out.end(), words.begin(), words.end());
    return out;
  }
  [[nodiscard]] Ran call(const std::vector<std::string>& words, const std::string& input = "",
                         const std::vector<std::string>& env = {}) const {
    return run(line(words, env), {}, input);
  }
  [[nodiscard]] Ran set(const std::string& key) const {
    return call({"key", "set", "anthropic", "--store", "kernel", "--from-fd", "0"}, key + "\n");
  }

  ScratchDir home_;
};

TEST_F(Codegenie, StoresShowsReplacesAndDeletesWithoutEverPrintingAKey) {
  EXPECT_EQ(call({"key", "status", "anthropic", "--store", "kernel"}).exit, 6);
  const Ran stored = set(kFirstKey);
  EXPECT_EQ(stored.exit, 0) << stored.err;
  EXPECT_THAT(stored.out, HasSubstr("Fingerprint sha256:" + fingerprint_of(kFirstKey)));
  const Ran status = call({"key", "status", "anthropic", "--json"});
  EXPECT_EQ(status.exit, 0) << status.err;
  EXPECT_THAT(status.out, HasSubstr("sha256:" + fingerprint_of(kFirstKey)));
  const Ran same = call({"key", "rotate", "anthropic", "--from-fd", "0"}, kFirstKey + "\n");
  EXPECT_EQ(same.exit, 2);
  EXPECT_THAT(same.err, HasSubstr("CG-KEY-002"));
  const Ran rotated = call({"key", "rotate", "anthropic", "--from-fd", "0"}, kSecondKey + "\n");
  EXPECT_EQ(rotated.exit, 0) << rotated.err;
  EXPECT_THAT(rotated.out, HasSubstr("before sha256:" + fingerprint_of(kFirstKey)));
  const Ran removed = call({"key", "delete", "anthropic"});
  EXPECT_EQ(removed.exit, 0) << removed.err;
  EXPECT_THAT(removed.out, HasSubstr("Deleted from the kernel's keyring"));
  for (const Ran& ran : {stored, status, same, rotated, removed}) {
    for (const std::string& key : {kFirstKey, kSecondKey}) {
      EXPECT_THAT(ran.out + ran.err, Not(HasSubstr(key)));
    }
  }
}

TEST_F(Codegenie, RefusesWhatIsNoKeyAndSourcesThatAreNone) {
  const Ran bad = set("not a key, but something private");
  EXPECT_EQ(bad.exit, 2);
  EXPECT_THAT(bad.err, HasSubstr("CG-KEY-002"));
  EXPECT_THAT(bad.out + bad.err, Not(HasSubstr("something private")));
  const Ran no_terminal = call({"key", "set", "anthropic"}, kFirstKey + "\n");
  EXPECT_EQ(no_terminal.exit, 2);
  EXPECT_THAT(no_terminal.err, HasSubstr("--from-fd"));
  for (const char* fd : {"77", "1", "-1", "x", "99999999999"}) {
    EXPECT_EQ(call({"key", "set", "anthropic", std::string("--from-fd=") + fd}).exit, 2) << fd;
  }
  EXPECT_EQ(call({"key", "set", "other", "--from-fd", "0"}, kFirstKey + "\n").exit, 2);
  const Ran no_store = call({"key", "set", "anthropic", "--from-fd", "0"}, kFirstKey + "\n");
  EXPECT_EQ(no_store.exit, 6) << "there is no Secret Service here";
  EXPECT_THAT(no_store.err, HasSubstr("CG-KEY-001"));
}

/// A child that runs until it is waited for.
class Running {
 public:
  Running(const std::vector<std::string>& argv, int fd0) {
    std::vector<char*> words;
    for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    const int none = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(fd0, 0);
    dup2(none, 1);
    dup2(none, 2);
    execv(words[0], words.data());
    _exit(127);
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running() { wait(); }
  [[nodiscard]] pid_t pid() const { return pid_; }
  int wait() {
    if (pid_ < 0) return -1;
    int status = 0;
    waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  pid_t pid_;
};

/// Searched while codegenie-key has read `given`, and everybody waits for its end.
void expect_nowhere(pid_t codegenie, const std::string& given) {
  std::vector<pid_t> all = descendants(codegenie);
  EXPECT_EQ(all.size(), 2U) << "the spawner and codegenie-key";
  all.push_back(codegenie);
  for (const pid_t pid : all) {
    const Search found = search(pid, given);
    EXPECT_THAT(found.hits, IsEmpty()) << pid;
    if (geteuid() == 0) {
      EXPECT_GT(found.searched, 100'000U);
    }
    EXPECT_FALSE(can_be_read_by_its_user(pid));
  }
}

TEST_F(Codegenie, NeverHasTheKeyInItsMemoryArgumentsOrEnvironment) {
  Source source(kFirstKey + "\n");
  Running running(line({"key", "set", "anthropic", "--store", "kernel", "--from-fd", "0"}),
                  source.fd());
  source.wait_until_taken();
  expect_nowhere(running.pid(), kFirstKey);
  source.close_writer();
  EXPECT_EQ(running.wait(), 0);
}

TEST_F(Codegenie, WipesTheKeyOfCiWhereItStood) {
  const std::vector<std::string> flags = {"CI=1", "ALLOW_CI_ENV_KEY=1",
                                          "CODEGENIE_ANTHROPIC_KEY_CI=" + kFirstKey};
  const Ran status = call({"key", "status", "anthropic", "--json"}, "", flags);
  EXPECT_EQ(status.exit, 0) << status.err;
  EXPECT_THAT(status.out, HasSubstr("env_ci_explicit"));
  EXPECT_THAT(status.out, HasSubstr("sha256:" + fingerprint_of(kFirstKey)));
  const Ran ignored = call({"key", "status", "anthropic"}, "", {flags[0], flags[2]});
  EXPECT_EQ(ignored.exit, 6);
  EXPECT_THAT(ignored.err, HasSubstr("CODEGENIE_ANTHROPIC_KEY_CI is ignored"));

  Source source(kSecondKey + "\n");
  Running running(line({"key", "set", "anthropic", "--store", "kernel", "--from-fd", "0"}, flags),
                  source.fd());
  source.wait_until_taken();
  expect_nowhere(running.pid(), kFirstKey);
  expect_nowhere(running.pid(), kSecondKey);
  source.close_writer();
  EXPECT_EQ(running.wait(), 0);
}

/// A terminal, and codegenie as the leader of its session.
class Terminal {
 public:
  explicit Terminal(const std::vector<std::string>& argv)
      : master_(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)) {
    grantpt(master_);
    unlockpt(master_);
    std::array<char, 128> name{};
    ptsname_r(master_, name.data(), name.size());
    kept_ = open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
    std::vector<char*> words;
    for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    pid_ = fork();
    if (pid_ != 0) return;
    setsid();
    const int slave = open(name.data(), O_RDWR);
    ioctl(slave, TIOCSCTTY, 0);
    for (int fd = 0; fd <= 2; ++fd) dup2(slave, fd);
    execv(words[0], words.data());
    _exit(127);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    if (pid_ > 0) kill(pid_, SIGKILL);
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
    close(master_);
    close(kept_);
  }
  /// What is on the screen once `text` is.
  const std::string& wait_for(const std::string& text) {
    std::array<char, 4096> piece{};
    while (screen_.find(text) == std::string::npos) {
      const ssize_t n = ::read(master_, piece.data(), piece.size());
      if (n <= 0) break;
      screen_.append(piece.data(), static_cast<std::size_t>(n));
    }
    return screen_;
  }
  void type(const std::string& text) const {
    ASSERT_EQ(::write(master_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  [[nodiscard]] bool echoes() const {
    termios now{};
    return tcgetattr(master_, &now) == 0 && (now.c_lflag & ECHO) != 0;
  }
  void signal(int number) const { kill(pid_, number); }
  int wait() {
    int status = 0;
    waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  int master_;
  int kept_ = -1;  // so that reading the screen does not fail when codegenie is gone
  pid_t pid_ = -1;
  std::string screen_;
};

const std::vector<std::string> kSetKernel = {"key", "set", "anthropic", "--store", "kernel"};

TEST_F(Codegenie, AsksATerminalThatDoesNotShowWhatIsTyped) {
  Terminal terminal(line(kSetKernel));
  terminal.wait_for("Paste the key (input hidden): ");
  EXPECT_FALSE(terminal.echoes());
  terminal.type(kFirstKey + "\n");
  const std::string screen = terminal.wait_for("It will not be shown again");
  EXPECT_THAT(screen, HasSubstr("sha256:" + fingerprint_of(kFirstKey)));
  EXPECT_THAT(screen, Not(HasSubstr(kFirstKey)));
  EXPECT_EQ(terminal.wait(), 0);
  EXPECT_TRUE(terminal.echoes());
}

TEST_F(Codegenie, GivesTheTerminalBackWhateverEndsIt) {
  {
    Terminal terminal(line(kSetKernel));
    terminal.wait_for("hidden): ");
    terminal.type("\x03");
    EXPECT_THAT(terminal.wait_for("no key was stored"), HasSubstr("CG-KEY-002"));
    EXPECT_EQ(terminal.wait(), 2);
    EXPECT_TRUE(terminal.echoes());
  }
  for (const int number : {SIGTERM, SIGKILL}) {
    Terminal terminal(line(kSetKernel));
    terminal.wait_for("hidden): ");
    EXPECT_FALSE(terminal.echoes());
    terminal.signal(number);
    EXPECT_EQ(terminal.wait(), 128 + number);
    while (!terminal.echoes()) std::this_thread::yield();  // codegenie-key is about to
  }
}

}  // namespace
}  // namespace cg::test
