// Kills under several concurrent writers, with readers beside them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <random>

#include "rag/agree.h"

namespace cg::rag::test {
namespace {

/// CG_STORE_KILLS in the environment asks for another number: ./check --long for 1,000.
int kills() {
  const char* wanted = std::getenv("CG_STORE_KILLS");
  return wanted == nullptr ? 40 : std::atoi(wanted);
}
constexpr std::size_t kWriters = 3;
constexpr int kAgreeEvery = 20;  // kills
/// A store for so many kills: what a writer does takes longer the more there is.
constexpr int kKillsOfAStore = 100;

struct Victim {
  pid_t pid = -1;
  int out = -1;
  std::string said;
};

Victim start(const Bench& bench, int number) {
  std::array<int, 2> fds{};
  EXPECT_EQ(pipe2(fds.data(), O_CLOEXEC), 0);
  const std::string name = "w" + std::to_string(number);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(fds[1], 1);
    execl(CG_STORE_WRITER, CG_STORE_WRITER, bench.home_path.c_str(), bench.guard_dir.c_str(),
          name.c_str(), "1000000", nullptr);
    _exit(127);
  }
  close(fds[1]);
  return {pid, fds[0], ""};
}

/// Takes what it has said so far, waiting at most `ms` for more.
void listen(Victim& victim, int ms) {
  std::array<char, 65536> buffer{};
  pollfd polled{victim.out, POLLIN, 0};
  while (poll(&polled, 1, ms) > 0) {
    const ssize_t n = ::read(victim.out, buffer.data(), buffer.size());
    if (n <= 0) return;
    victim.said.append(buffer.data(), static_cast<std::size_t>(n));
    ms = 0;
  }
}

void finish(Victim& victim, Said& said) {
  kill(victim.pid, SIGKILL);
  int status = 0;
  waitpid(victim.pid, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "a writer gave up with " << WEXITSTATUS(status);
  listen(victim, 0);
  close(victim.out);
  // A line cut in the middle was not said.
  take_said(victim.said.substr(0, victim.said.rfind('\n') + 1), said);
}

/// Kills so many writers, and returns how many records are in the store then.
std::size_t kill_writers(int count, std::mt19937_64& random, int& started) {
  Bench bench;
  Said said;
  std::array<Victim, kWriters> writers;
  for (Victim& writer : writers) writer = start(bench, started++);
  for (int killed = 1; killed <= count; ++killed) {
    Victim& writer = writers[random() % kWriters];
    // Some die before they said a word, some in mid-stride.
    if (random() % 4 != 0) listen(writer, 2000);
    if (random() % 2 == 0) listen(writer, static_cast<int>(random() % 60));
    finish(writer, said);
    expect_readable(bench.home);  // beside those that go on
    if (killed % kAgreeEvery == 0) {
      for (Victim& other : writers) {
        if (&other != &writer) finish(other, said);
      }
      expect_agreement(bench, said);
      for (Victim& other : writers) other = start(bench, started++);
    } else {
      writer = start(bench, started++);
    }
    if (testing::Test::HasFailure()) break;
  }
  for (Victim& writer : writers) finish(writer, said);
  expect_agreement(bench, said);
  return said.size();
}

TEST(Kill, StoreIndexAndLogAgree) {
  std::mt19937_64 random(20261116);
  int started = 0;
  std::size_t kept = 0;
  const int count = kills();
  for (int done = 0; done < count && !HasFailure(); done += kKillsOfAStore) {
    kept += kill_writers(std::min(kKillsOfAStore, count - done), random, started);
  }
  EXPECT_GT(kept, static_cast<std::size_t>(count) / 8);
  std::printf("%d kills and %d more at rests, %zu acknowledged records, all kept\n", count,
              started - count, kept);
}

/// Readers see, at any moment beside a writer, only what the log vouches for, and ever more of it.
TEST(Concurrent, SeveralReadersBesideAWriter) {
  Bench bench;
  static_cast<void>(bench.put(sample("first")));
  Victim writer = start(bench, 0);
  std::array<pid_t, 3> readers{};
  for (pid_t& reader : readers) {
    reader = fork();
    if (reader != 0) continue;
    std::size_t last = 0;
    for (int i = 0; i < 40; ++i) {
      const auto store = Reader::open(bench.home, "model-a");
      if (!store || store->records().size() < last) _exit(1);
      last = store->records().size();
      for (const Record& record : store->records()) {
        if (!record.may_count() && record.status != Provenance::quarantined) _exit(2);
      }
      if (!store->faults().empty()) _exit(3);
    }
    _exit(last > 0 ? 0 : 4);
  }
  for (const pid_t reader : readers) {
    int status = 0;
    waitpid(reader, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  Said said;
  finish(writer, said);
  expect_agreement(bench, said);
}

}  // namespace
}  // namespace cg::rag::test
