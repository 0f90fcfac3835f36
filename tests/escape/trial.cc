#include "trial.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "base/base/text.h"
#include "jail/sandbox/jail.h"

namespace cg::escape {

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr unsigned kNobodysId = 65534;

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '\x7f' || c == '\x9b';
  });
}

void check_output(const Act& act, const sandbox::Step& step, const sandbox::Ran& ran) {
  constexpr std::size_t kSeam = 256;  // the line that says how much is missing
  EXPECT_LE(ran.out.kept.size(), step.limits.output + kSeam);
  if (act.name == "flood_output") {
    EXPECT_GT(ran.out.bytes, step.limits.output * 2);
  }
  if (act.name == "terminal_escapes") {
    EXPECT_TRUE(has_control_character(ran.out.kept)) << "the record is what was written";
    EXPECT_FALSE(has_control_character(printable(ran.out.kept)));
    EXPECT_THAT(printable(ran.out.kept), Not(HasSubstr("\xe2\x80\xae")));
  }
}

}  // namespace

std::unique_ptr<sandbox::Chambers> jails() {
  auto made = sandbox::Jails::make(CG_JAIL, sandbox::starting_by_fork());
  if (!made) throw std::runtime_error(sandbox::describe(made.error()));
  return std::make_unique<sandbox::Jails>(*std::move(made));
}

bool try_act(sandbox::Chamber& chamber, const Act& act, const std::string& expected, Host& host,
             unsigned factor) {
  SCOPED_TRACE(act.name + ": " + act.tries);
  sandbox::Step step = step_of(act, host.env());
  step.limits.wall /= factor;
  bool entered = false;
  std::string live;
  const auto on_output = [&](std::string_view bytes) {
    if (act.name != "tcp_listen" || live.find("listening") != std::string::npos) return;
    live += bytes;
    if (live.find("listening") != std::string::npos) entered = host.knock();
  };
  const auto ran = chamber.run(step, on_output);
  if (!ran) {
    ADD_FAILURE() << sandbox::describe(ran.error());
    return false;
  }
  const std::string ended = outcome(*ran);
  std::cout << "RESULT " << act.name << " " << ended << " " << ran->wall.count() << " ms\n";
  EXPECT_TRUE(is_one_of(ended, expected)) << ended << " is not " << expected;
  EXPECT_FALSE(entered) << "the host could connect to what listens inside";
  EXPECT_THAT(ran->out.kept + ran->err.kept, Not(HasSubstr(host.secret())));
  EXPECT_THAT(ran->collected, IsEmpty());
  check_output(act, step, *ran);
  EXPECT_THAT(host.reached(), IsEmpty());
  return true;
}

void expect_usable(sandbox::Chamber& chamber) {
  sandbox::Step step;
  step.name = "after";
  step.argv = {"/bin/sh", "-c", "echo still here"};
  const auto ran = chamber.run(step, [](std::string_view) {});
  ASSERT_TRUE(ran.has_value()) << sandbox::describe(ran.error());
  EXPECT_EQ(sandbox::describe(ran->ending, step.limits), "exit 0");
  EXPECT_EQ(ran->out.kept, "still here\n");
}

std::string failures_as_ordinary_user(const std::string& filter) {
  test::ScratchDir scratch;
  std::filesystem::permissions(scratch.path(), std::filesystem::perms(0755));
  const std::string output = scratch / "output";
  const pid_t child = fork();
  if (child == 0) {
    const int out = open(output.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    const std::string argument = "--gtest_filter=" + filter;
    const bool ready = out >= 0 && dup2(out, 1) == 1 && dup2(out, 2) == 2 &&
                       setresgid(kNobodysId, kNobodysId, kNobodysId) == 0 &&
                       setresuid(kNobodysId, kNobodysId, kNobodysId) == 0;
    if (ready) {
      execl("/proc/self/exe", "escape_test", argument.c_str(), static_cast<char*>(nullptr));
    }
    _exit(125);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const std::string text = test::read(output);
  if (text.find("[  PASSED  ]") == std::string::npos) return "nothing was run: " + text;
  return status == 0 ? "" : text;
}

}  // namespace cg::escape
