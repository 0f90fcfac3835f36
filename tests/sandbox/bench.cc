#include "bench.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <sstream>

namespace cg::sandbox::test {

namespace {

constexpr unsigned kNobody = 65'534;

class Child final : public JailProcess {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() override { waitpid(pid_, nullptr, 0); }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

 private:
  pid_t pid_;
};

void refuse_unshare() {
  std::array<sock_filter, 4> code{{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                                   BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 0, 1),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                                   BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)}};
  const sock_fprog program{code.size(), code.data()};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

std::string name(As as) {
  if (as == As::ordinary) return "ordinary";
  return geteuid() == 0 ? "root" : "self";
}

std::vector<As> users() {
  if (geteuid() == 0) return {As::self, As::ordinary};
  return {As::self};
}

StartJail starting_as(As as, bool unsharing) {
  if (as == As::self && unsharing) return starting_by_fork();
  return [=](const std::string& program) -> Result<StartedJail, Error> {
    std::array<int, 2> pair{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) std::abort();
    const pid_t child = fork();
    if (child == 0) {
      if (as == As::ordinary &&
          (setgroups(0, nullptr) != 0 || setresgid(kNobody, kNobody, kNobody) != 0 ||
           setresuid(kNobody, kNobody, kNobody) != 0)) {
        _exit(1);
      }
      if (!unsharing) refuse_unshare();
      dup2(pair[1], 0);
      close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
      std::string path = program;
      const std::array<char*, 2> argv{path.data(), nullptr};
      const std::array<char*, 1> env{nullptr};
      execve(path.c_str(), argv.data(), env.data());
      _exit(127);
    }
    close(pair[1]);
    return StartedJail{os::Fd(pair[0]), std::make_unique<Child>(child)};
  };
}

Bench::Bench(As as) {
  std::filesystem::create_directory(tree());
  chmod(dir_.path().c_str(), 0755);
  chmod(tree().c_str(), 0755);
  scene.tree = tree();
  scene.scratch_bytes = 256U << 20U;
  auto made = Jails::make(CG_JAIL, starting_as(as));
  EXPECT_TRUE(made.has_value());
  jails_ = std::make_unique<Jails>(*std::move(made));
}

Chamber& Bench::chamber() {
  if (chamber_ == nullptr) {
    auto opened = jails_->open(scene);
    if (!opened) ADD_FAILURE() << describe(opened.error());
    chamber_ = *std::move(opened);
  }
  return *chamber_;
}

Ran Bench::run(Step step) {
  auto ran = chamber().run(step, {});
  if (!ran) ADD_FAILURE() << describe(ran.error());
  return ran ? *std::move(ran) : Ran{};
}

Ran Bench::script(const std::string& text, Limits limits) {
  Step step = shell(text);
  step.limits = limits;
  return run(step);
}

Step shell(const std::string& text) {
  Step step;
  step.name = "script";
  step.argv = {"/bin/bash", "-c", text};
  step.env = {"PATH=/usr/bin:/bin"};
  return step;
}

int running_with(const std::string& word) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    if (!is_number(entry.path().filename())) continue;
    if (text_of(entry.path() / "cmdline").find(word) != std::string::npos) ++count;
  }
  return count;
}

bool Left::within(const Left& before) const {
  return mounts == before.mounts && children == before.children &&
         std::includes(before.groups.begin(), before.groups.end(), groups.begin(), groups.end());
}

Left left_behind() {
  Left left;
  left.mounts = text_of("/proc/self/mounts");
  std::error_code ignored;
  for (auto it = std::filesystem::recursive_directory_iterator(
           "/sys/fs/cgroup", std::filesystem::directory_options::skip_permission_denied, ignored);
       it != std::filesystem::recursive_directory_iterator(); it.increment(ignored)) {
    const std::string folder = it->path().filename();
    constexpr std::string_view kOurs = "codegenie-jail-";
    if (!folder.starts_with(kOurs)) continue;
    // Those of a jail that somebody else runs at the same time are not left behind.
    const std::string maker =
        folder.substr(kOurs.size(), folder.find('-', kOurs.size()) - kOurs.size());
    if (!std::filesystem::exists("/proc/" + maker)) left.groups.insert(it->path());
  }
  std::istringstream children(text_of("/proc/self/task/" + std::to_string(getpid()) + "/children"));
  for (std::string pid; children >> pid;) ++left.children;
  return left;
}

}  // namespace cg::sandbox::test
