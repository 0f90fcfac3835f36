// codegenie makes no connection in a whole remediation, and cannot.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include "remediate/bench.h"
#include "support/loopback_server.h"

namespace cg::test {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Calls by the name of the process that made them, as strace -Y tells it: "12<name> call".
/// The spawner has a name of its own; what it forks keeps that until it executes something.
std::map<std::string, std::vector<std::string>> by_process(const std::string& trace) {
  std::map<std::string, std::vector<std::string>> out;
  std::istringstream lines(trace);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t open = line.find('<');
    const std::size_t close = line.find('>', open);
    if (close == std::string::npos) continue;
    const std::size_t call = line.find_first_not_of(' ', close + 1);
    if (call == std::string::npos) continue;
    out[line.substr(open + 1, close - open - 1)].push_back(line.substr(call));
  }
  return out;
}

TEST(Egress, AWholeRemediationMakesNoInternetSocketInTheProgramItself) {
  Bench bench(Suite::own);
  const std::string trace = bench.path("trace");
  const Ran ran =
      run({"env", "-C", bench.path(""), "strace", "-f", "-Y", "-qq", "-e", "trace=network", "-o",
           trace, CG_BINARY, "remediate", "shop", "--all", "--registry", bench.registry()},
          bench.environment());
  EXPECT_THAT(std::set({0, 7}), Contains(ran.exit)) << ran.out << ran.err;
  EXPECT_FALSE(bench.branches().empty());
  const auto calls = by_process(read(trace));
  // The trace does see sockets: the broker dials. A name has fifteen letters at most.
  ASSERT_TRUE(calls.contains("codegenie-broke"));
  EXPECT_THAT(calls.at("codegenie-broke"), Contains(HasSubstr("connect(")));
  EXPECT_THAT(calls.at("codegenie-broke"), Contains(HasSubstr("AF_INET")));
  for (const char* name : {"codegenie", "codegenie-spawn"}) {
    ASSERT_TRUE(calls.contains(name));
    EXPECT_THAT(calls.at(name), Contains(HasSubstr("sendmsg(")));
    for (const std::string& call : calls.at(name)) {
      for (const char* bad : {"socket(", "connect(", "bind(", "listen(", "accept", "AF_INET"}) {
        EXPECT_EQ(call.find(bad), std::string::npos) << name << ": " << call;
      }
      if (call.starts_with("socketpair(")) {
        EXPECT_THAT(call, HasSubstr("AF_UNIX"));
      }
    }
  }
}

TEST(Egress, TheProgramTriesEverythingAndNothingWorks) {
  // The same calls work here, so what refuses them there is the seal.
  const int here = socket(AF_INET, SOCK_STREAM, 0);
  ASSERT_GE(here, 0);
  close(here);
  const Bench bench;
  const Ran ran = bench.codegenie({"self-check", "egress", "--json"});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
  const auto parsed = json::parse_json(ran.out, {.max_bytes = ran.out.size()});
  ASSERT_TRUE(parsed.has_value()) << ran.out;
  std::map<std::string, std::string> rings;
  for (const json::Value& check : list_of(*parsed, "checks")) {
    EXPECT_EQ(text_of(check, "check"), "egress");
    rings[text_of(check, "what")] = text_of(check, "status");
    EXPECT_NE(text_of(check, "status"), "fail") << text_of(check, "detail");
  }
  EXPECT_EQ(rings["seccomp"], "ok");
  EXPECT_EQ(rings["reports"], "ok");
  EXPECT_EQ(rings["libraries"], "ok");
  EXPECT_TRUE(rings["host"] == "ok" || rings["host"] == "warn") << rings["host"];
  EXPECT_EQ(rings.size(), 6U);
}

TEST(Egress, ACallThatIsRefusedIsAnEventAndTheEndOfTheRun) {
  const Bench bench;
  const Ran ran = bench.codegenie({"audit", "note", "hello"}, {"LD_PRELOAD=" CG_SOCKET_MAKER});
  EXPECT_EQ(ran.exit, 6);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, HasSubstr("CG-SEAL-002"));
  EXPECT_THAT(ran.err, HasSubstr("socket AF_INET, SOCK_STREAM"));
  const Ran log = bench.codegenie({"audit", "log", "--kind", "egress_violation"});
  EXPECT_EQ(log.exit, 0);
  EXPECT_THAT(log.out, HasSubstr("AF_INET"));
  EXPECT_EQ(bench.codegenie({"audit", "verify"}).exit, 0);
}

/// The processes beneath `pid`, all the way down.
std::vector<pid_t> beneath(pid_t pid) {
  std::vector<pid_t> out;
  const std::string id = std::to_string(pid);
  std::istringstream children(read("/proc/" + id + "/task/" + id + "/children"));
  for (pid_t child = 0; children >> child;) {
    out.push_back(child);
    for (const pid_t further : beneath(child)) out.push_back(further);
  }
  return out;
}

TEST(Egress, NothingOutlivesAKilledProgram) {
  Bench bench;
  std::promise<void> asked;
  std::once_flag once;
  const LoopbackServer server([&](Peer& peer) {
    if (!peer.request()) return;
    std::call_once(once, [&] { asked.set_value(); });
    peer.wait_until_closed();
  });
  // Orphans become ours, so that their end can be waited for.
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
  const std::string registry = server.url("/");
  const std::string home = bench.home();
  const std::string repo = bench.path("shop");
  const pid_t program = fork();
  if (program == 0) {
    const int null = open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) dup2(null, fd);
    execl(CG_BINARY, CG_BINARY, "--home", home.c_str(), "--no-config", "remediate", repo.c_str(),
          "--all", "--registry", registry.c_str(), nullptr);
    _exit(99);
  }
  asked.get_future().wait();  // sealed, and in the middle of something
  const std::string status = read("/proc/" + std::to_string(program) + "/status");
  EXPECT_THAT(status, HasSubstr("\nSeccomp:\t2\n"));
  EXPECT_THAT(status, HasSubstr("\nNoNewPrivs:\t1\n"));
  const std::vector<pid_t> started = beneath(program);
  EXPECT_GE(started.size(), 3U);  // the spawner, a broker and a fetch at least
  ASSERT_EQ(kill(program, SIGKILL), 0);
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
  EXPECT_EQ(errno, ECHILD);
  for (const pid_t pid : started) {
    EXPECT_EQ(kill(pid, 0), -1) << pid;
    EXPECT_EQ(errno, ESRCH);
  }
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0), 0);
}

}  // namespace
}  // namespace cg::test
