// Attempts to get out of the seal, in a process of its own; and what the program itself
// refers to.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "bench.h"
#include "fetch/gitrepo/policy.h"

namespace cg::gitrepo {
namespace {

constexpr int kSealFailed = 100;

/// What `act` returns in a process sealed for `order`, or minus the signal.
int sealed(const Location& location, const Order& order, const std::function<int()>& act) {
  const auto policy = git_policy(location, order);
  const pid_t child = fork();
  if (child == 0) _exit(policy && seal::seal(*policy) ? act() : kSealFailed);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::vector<Order> orders(const Bench& bench) {
  return {InspectOrder{bench.repo(), "", {}}, WriteOrder{bench.repo(), "", {}, "", ""},
          ExportOrder{bench.repo(), {}, {}, bench.path("out"), {}}};
}

TEST(Sealing, EveryAttemptEndsTheProcess) {
  Bench bench;
  const Location location = *locate(bench.repo());
  bench.write("out/x", "");
  const struct {
    const char* what;
    std::function<void()> act;
  } attempts[] = {
      {"a TCP socket", [] { socket(AF_INET, SOCK_STREAM, 0); }},
      {"a unix socket", [] { socket(AF_UNIX, SOCK_STREAM, 0); }},
      {"a program", [] { execl("/bin/true", "true", nullptr); }},
      {"a process", [] { static_cast<void>(!fork()); }},
      {"ptrace", [] { syscall(SYS_ptrace, 0, 0, 0, 0); }},
      {"a signal", [] { kill(getppid(), 0); }},
      {"io_uring", [] { syscall(SYS_io_uring_setup, 1, nullptr); }},
      {"a link", [] { static_cast<void>(!symlink("/etc", "x")); }},
      {"executable memory",
       [] {
         static_cast<void>(
             mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
       }},
  };
  for (const Order& order : orders(bench)) {
    for (const auto& attempt : attempts) {
      EXPECT_EQ(sealed(location, order,
                       [&] {
                         attempt.act();
                         return 0;
                       }),
                -SIGSYS)
          << attempt.what << " " << order.index();
    }
    EXPECT_EQ(sealed(location, order, [] { return 7; }), 7);
  }
}

TEST(Sealing, OnlyTheRepositoryIsReadAndOnlyObjectsAndRefsAreWritten) {
  if (seal::landlock_abi() == 0) GTEST_SKIP() << "this kernel has no Landlock";
  Bench bench;
  bench.write("out/x", "");
  bench.write("aside", "");
  const Location location = *locate(bench.repo());
  const auto opens = [&](const Order& order, const std::string& path, int flags) {
    return sealed(location, order, [&] { return open(path.c_str(), flags, 0600) >= 0 ? 1 : 0; });
  };
  for (const Order& order : orders(bench)) {
    EXPECT_EQ(opens(order, "/etc/passwd", O_RDONLY), 0);
    EXPECT_EQ(opens(order, bench.path("aside"), O_RDONLY), 0);
    EXPECT_EQ(opens(order, bench.repo() + "/package.json", O_RDONLY), 1);
    EXPECT_EQ(opens(order, bench.repo() + "/package.json", O_WRONLY), 0);
    for (const char* name : {"HEAD", "index", "config", "hooks/x", "logs/x", "packed-refs.lock"}) {
      EXPECT_EQ(opens(order, bench.repo() + "/.git/" + name, O_WRONLY | O_CREAT), 0) << name;
    }
    const bool is_branch = std::holds_alternative<WriteOrder>(order);
    const bool is_export = std::holds_alternative<ExportOrder>(order);
    EXPECT_EQ(opens(order, bench.repo() + "/.git/refs/heads/x", O_WRONLY | O_CREAT), is_branch);
    EXPECT_EQ(opens(order, bench.repo() + "/.git/objects/x", O_WRONLY | O_CREAT), is_branch);
    EXPECT_EQ(opens(order, bench.path("out/y"), O_WRONLY | O_CREAT), is_export);
  }
}

TEST(Sealing, TheProgramRefersToNoRemote) {
  const auto nm =
      test::run({"/usr/bin/nm", "-D", "--undefined-only", "--format=just-symbols", CG_GIT});
  ASSERT_EQ(nm.exit, 0) << nm.err;
  EXPECT_THAT(nm.out, testing::HasSubstr("git_repository_open_bare"));
  for (const char* symbol :
       {"git_remote", "git_clone", "git_submodule", "git_push", "git_fetch", "git_transport",
        "git_credential", "git_cert", "git_stream", "git_checkout", "git_stash", "git_filter",
        "git_status", "git_repository_open_ext", "git_config_open", "git_index_write",
        "git_repository_set_head", "git_reset"}) {
    EXPECT_THAT(nm.out, testing::Not(testing::HasSubstr(symbol)));
  }
}

TEST(Sealing, AnOrderThatIsNoneEndsIt) {
  for (const std::string& input :
       {std::string(), std::string("abc"), std::string("\xff\xff\xff\xff", 4),
        std::string("\0\0\0\1\x09", 5), std::string("\0\0\0\5\5\0\0\0\0x", 10)}) {
    EXPECT_EQ(test::run({CG_GIT}, {}, input).exit, 2);
  }
}

}  // namespace
}  // namespace cg::gitrepo
