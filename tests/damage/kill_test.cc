// A thousand kills under four concurrent writers.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <map>
#include <random>
#include <set>

#include "base/base/text.h"
#include "damage/bench.h"
#include "trust/audit/verify.h"
#include "trust/audit/walk.h"

namespace cg::damage {
namespace {

constexpr int kKills = 1000;
constexpr std::size_t kWriters = 4;

struct Writer {
  pid_t pid = -1;
  int out = -1;
  std::string said;
};

Writer start(const Bench& bench, int number) {
  std::array<int, 2> fds{};
  EXPECT_EQ(pipe2(fds.data(), O_CLOEXEC), 0);
  const std::string home = bench.home();
  const std::string guard = bench.guard();
  const std::string name = "w" + std::to_string(number);
  const std::string seed = std::to_string(number);
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(fds[1], 1);
    execl(CG_WRITER, CG_WRITER, home.c_str(), guard.c_str(), name.c_str(), seed.c_str(), nullptr);
    _exit(127);
  }
  close(fds[1]);
  return {pid, fds[0], ""};
}

/// Takes what the writer has said so far, waiting at most `ms` for more.
void listen(Writer& writer, int ms) {
  std::array<char, 65536> buffer{};
  pollfd polled{writer.out, POLLIN, 0};
  while (poll(&polled, 1, ms) > 0) {
    const ssize_t n = ::read(writer.out, buffer.data(), buffer.size());
    if (n <= 0) return;
    writer.said.append(buffer.data(), static_cast<std::size_t>(n));
    ms = 0;
  }
}

/// Kills the writer and returns everything it had acknowledged.
std::string finish(Writer& writer) {
  kill(writer.pid, SIGKILL);
  int status = 0;
  waitpid(writer.pid, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "a writer gave up with " << WEXITSTATUS(status);
  listen(writer, 0);
  close(writer.out);
  // A line cut in the middle was not said.
  return writer.said.substr(0, writer.said.rfind('\n') + 1);
}

TEST(Kill, NoAcknowledgedEventIsLost) {
  const Bench bench;
  std::mt19937_64 random(20261115);
  std::array<Writer, kWriters> writers;
  int started = 0;
  for (Writer& writer : writers) writer = start(bench, started++);
  std::string acknowledged;
  for (int killed = 0; killed < kKills; ++killed) {
    Writer& writer = writers[random() % kWriters];
    // Some are killed before they said a word, some in mid-stride.
    if (random() % 4 != 0) listen(writer, 200);
    if (random() % 2 == 0) listen(writer, static_cast<int>(random() % 3));
    acknowledged += finish(writer);
    writer = start(bench, started++);
  }
  for (Writer& writer : writers) acknowledged += finish(writer);

  const test::Ran next = bench.run({"audit", "note", "the end"});
  ASSERT_EQ(next.exit, 0) << next.err;
  bench.expect_intact();

  std::map<std::uint64_t, std::string> stored;
  audit::Walker walker("", "spanning", record::Home::spanning, [&](const audit::Held& held) {
    const auto* note = held.event.as<record::OperatorNoted>();
    if (note != nullptr) stored[held.entry.seq] = note->text;
  });
  const auto events = os::Dir::open(bench.path("events"));
  ASSERT_TRUE(audit::walk_spanning(*events, walker));
  std::set<std::string> once;
  for (const auto& [seq, text] : stored)
    EXPECT_TRUE(once.insert(text).second) << text << " stands twice";
  std::size_t kept = 0;
  for (const std::string_view line : split(std::string_view(acknowledged), '\n')) {
    if (line.empty()) continue;
    const std::size_t space = line.find(' ');
    const auto seq = parse_u64(line.substr(0, space));
    ASSERT_TRUE(seq) << line;
    ASSERT_EQ(stored[*seq], line.substr(space + 1)) << line;
    ++kept;
  }
  EXPECT_GT(kept, 500U);
  std::printf("%d kills, %zu acknowledged remarks, all kept; %zu entries\n", kKills, kept,
              static_cast<std::size_t>(walker.entries()));
}

}  // namespace
}  // namespace cg::damage
