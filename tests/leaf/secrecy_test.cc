// Where the key is while a call waits for its answer, as somebody sees it who may look.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "leaf/world.h"

namespace cg::leaf::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

std::vector<pid_t> processes_of(const std::string& program) {
  std::vector<pid_t> out;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::error_code code;
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    if (fs::read_symlink(entry.path() / "exe", code) == program) out.push_back(std::stoi(name));
  }
  return out;
}

std::string proc(pid_t pid, const char* what) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/" + what, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

struct Looked {
  int mappings = 0;   // that could be read
  int unread = 0;     // that could not
  int plain = 0;      // occurrences of the key
  bool open = false;  // its memory could be opened at all
};

/// All of a process's memory that the kernel gives out.
Looked look(pid_t pid, const std::string& key) {
  Looked out;
  const int fd = open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
  out.open = fd >= 0;
  std::istringstream maps(proc(pid, "maps"));
  for (std::string line; out.open && std::getline(maps, line);) {
    unsigned long from = 0;
    unsigned long to = 0;
    char mode = '-';
    if (sscanf(line.c_str(), "%lx-%lx %c", &from, &to, &mode) != 3 || mode != 'r') continue;
    std::string bytes(std::min<unsigned long>(to - from, 64UL << 20U), '\0');
    const ssize_t n = pread(fd, bytes.data(), bytes.size(), static_cast<off_t>(from));
    ++(n > 0 ? out.mappings : out.unread);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    for (std::size_t at = bytes.find(key); at != std::string::npos; at = bytes.find(key, at + 1)) {
      ++out.plain;
    }
  }
  if (fd >= 0) close(fd);
  return out;
}

TEST(Secrecy, TheKeyIsNowhereButInTheLeafAndThereOutOfReach) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  Server server("silent", world->identity("good"), kAddress);
  ASSERT_TRUE(server.listens());
  const Programs programs = world->programs_for_all();  // found by their names, which are ours
  const pid_t caller = fork();
  if (caller == 0) {
    Settings settings = world->settings({world->pin("server")});
    static_cast<void>(converse(programs, settings, question()));
    _exit(0);
  }
  const bool asked = server.waits_for(R"("what":"stream")");
  const std::vector<pid_t> leaves = processes_of(fs::canonical(programs.leaf));
  const std::string key = kKey;
  EXPECT_GE(look(getpid(), key).plain, 1) << "it is found where it is";
  for (const pid_t leaf : leaves) {
    EXPECT_EQ(proc(leaf, "environ"), "");
    EXPECT_THAT(proc(leaf, "cmdline"), Not(HasSubstr(key)));
    EXPECT_THAT(proc(leaf, "status"), HasSubstr("Seccomp:\t2"));
    EXPECT_THAT(proc(leaf, "limits"), HasSubstr("Max core file size        0 "));
    const Looked seen = look(leaf, key);
    std::cout << "leaf: memory opened " << seen.open << ", mappings read " << seen.mappings
              << ", not readable " << seen.unread << ", plain copies of the key " << seen.plain
              << "\n";
    if (proc(leaf, "maps").find("secretmem") != std::string::npos) {
      EXPECT_GE(seen.unread, seen.open ? 1 : 0);
      EXPECT_EQ(seen.plain, 0);
    }
  }
  for (const pid_t broker : processes_of(fs::canonical(programs.broker))) {
    EXPECT_EQ(look(broker, key).plain, 0);
  }
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  EXPECT_TRUE(asked);
  EXPECT_EQ(leaves.size(), 1U);
}

constexpr uid_t kNobody = 65534;

/// Root becomes nobody. Root of a user namespace has nobody else to become, and gives up what
/// makes it root, for itself and whatever it starts.
void be_nobody() {
  if (setresgid(kNobody, kNobody, kNobody) == 0 && setresuid(kNobody, kNobody, kNobody) == 0) {
    return;
  }
  __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> none{};
  if (prctl(PR_SET_SECUREBITS, SECBIT_NOROOT) != 0 ||
      syscall(SYS_capset, &head, none.data()) != 0) {
    _exit(9);
  }
}

/// Whether a process of the same user opens the memory of `pid`.
bool opens_memory(pid_t pid) {
  const pid_t peeking = fork();
  if (peeking == 0) {
    be_nobody();
    _exit(open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDONLY) >= 0 ? 1 : 0);
  }
  int status = 0;
  waitpid(peeking, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

TEST(Secrecy, ALeafCannotBeLookedIntoByItsOwnUser) {
  const auto world = World::make();
  if (world == nullptr) GTEST_SKIP() << cg::test::kNoNamespaces;
  Server server("silent", world->identity("good"), kAddress);
  const Programs programs = world->programs_for_all();
  const Settings settings = world->settings({world->pin("server")});
  const pid_t caller = fork();
  if (caller == 0) {
    be_nobody();
    static_cast<void>(converse(programs, settings, question()));
    _exit(0);
  }
  const pid_t other = fork();
  if (other == 0) {
    be_nobody();
    execlp("sleep", "sleep", "60", nullptr);
    _exit(9);
  }
  EXPECT_TRUE(server.waits_for(R"("what":"stream")"));
  const std::vector<pid_t> leaves = processes_of(fs::canonical(programs.leaf));
  EXPECT_EQ(leaves.size(), 1U);
  EXPECT_TRUE(opens_memory(other)) << "an ordinary process can be looked into";
  for (const pid_t leaf : leaves) EXPECT_FALSE(opens_memory(leaf));
  for (const pid_t child : {caller, other}) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
}

}  // namespace
}  // namespace cg::leaf::test
