// What a step finds in a jail, and what it brings back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "bench.h"

namespace cg::sandbox::test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string said(const Ran& ran) { return ran.out.kept + ran.err.kept; }

TEST_P(JailTest, TellsHowTheProgramEnded) {
  Bench bench(GetParam());
  EXPECT_EQ(describe(bench.script("exit 0").ending, {}), "exit 0");
  EXPECT_EQ(describe(bench.script("exit 7").ending, {}), "exit 7");
  EXPECT_EQ(describe(bench.script("kill -ABRT $$").ending, {}), "signal 6");
  Step step = shell("");
  step.argv = {"/no/such/program"};
  const Ran missing = bench.run(step);
  EXPECT_EQ(describe(missing.ending, {}), "exit 127");
  EXPECT_THAT(missing.err.kept, HasSubstr("/no/such/program"));
  step.argv = {"/etc/passwd"};
  EXPECT_EQ(describe(bench.run(step).ending, {}), "exit 126");
  step = shell("true");
  step.folder = "/nowhere";
  EXPECT_EQ(describe(bench.run(step).ending, {}), "exit 127");
}

TEST_P(JailTest, IsOfItsClassOnlyWithEveryMandatoryLayer) {
  Bench bench(GetParam());
  const InForce& in_force = bench.chamber().in_force();
  EXPECT_EQ(in_force.isolation, Isolation::namespaces);
  std::vector<std::string> mandatory;
  for (const Layer& layer : in_force.layers) {
    if (!layer.mandatory) continue;
    EXPECT_TRUE(layer.held) << layer.name;
    mandatory.push_back(layer.name);
  }
  EXPECT_THAT(mandatory,
              testing::IsSupersetOf({"user namespace", "mount namespace", "network namespace",
                                     "ipc namespace", "uts namespace", "pid namespace",
                                     "no_new_privs", "no capabilities", "seccomp"}));
}

/// The device of virtual machines, where the machine has one and its group may use it.
TEST_P(JailTest, HandsInADeviceOnlyWhereItIsAskedFor) {
  const std::string ask =
      "exec python3 -c \"import fcntl, os; print(fcntl.ioctl(os.open('/dev/kvm', os.O_RDWR), "
      "0xAE00))\"";
  Bench without(GetParam());
  EXPECT_THAT(said(without.script(ask)), HasSubstr("No such file or directory"));
  if (access("/dev/kvm", R_OK | W_OK) != 0) {
    GTEST_SKIP() << "there is no /dev/kvm here, or it is not ours to use";
  }
  Bench bench(GetParam());
  bench.scene.devices = {"/dev/kvm"};
  EXPECT_THAT(said(bench.script(ask)),
              testing::AnyOf(HasSubstr("12\n"), HasSubstr("Permission denied")));
  if (GetParam() != As::self) return;
  struct stat status {};
  ASSERT_EQ(stat("/dev/kvm", &status), 0);
  if ((status.st_mode & 0060U) == 0060U && status.st_gid != 0) {
    EXPECT_EQ(said(bench.script(ask)), "12\n");
  }
}

TEST_P(JailTest, GivesAnEmptyEnvironmentAndItsOwnName) {
  Bench bench(GetParam());
  Step step = shell("");
  step.argv = {"/usr/bin/env"};
  step.env = {"A=b"};
  EXPECT_EQ(bench.run(step).out.kept, "A=b\n");
  EXPECT_EQ(bench.script("cat /proc/1/environ").out.kept, "");
  EXPECT_EQ(bench.script("uname -n").out.kept, "sandbox\n");
  EXPECT_EQ(bench.script("cat").out.kept, "");  // no input
}

TEST_P(JailTest, IsNobodyInside) {
  Bench bench(GetParam());
  EXPECT_EQ(bench.script("id -u; id -g; id -G; id -un").out.kept, "1000\n1000\n1000\nsandbox\n");
  const std::string status = bench.script("cat /proc/self/status").out.kept;
  for (const char* line : {"CapPrm:\t0000000000000000", "CapEff:\t0000000000000000",
                           "CapBnd:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"}) {
    EXPECT_THAT(status, HasSubstr(line));
  }
  EXPECT_EQ(bench.script("cat /proc/self/uid_map | tr -s ' '").out.kept,
            " 1000 " +
                std::to_string(GetParam() == As::ordinary || geteuid() == 0 ? 65534 : geteuid()) +
                " 1\n");
}

TEST_P(JailTest, ShowsNoFileOfTheHost) {
  Bench bench(GetParam());
  cg::test::write(bench.path("secret"), "s3cret");
  for (const std::string& path :
       {bench.path("secret"), std::string("/etc/shadow"), std::string("/root"),
        std::string("/home"), std::string("/sys"), std::string("/var"), std::string("/boot")}) {
    EXPECT_EQ(describe(bench.script("test -e " + path).ending, {}), "exit 1") << path;
  }
  EXPECT_THAT(said(bench.script("touch /x /usr/x /etc/x /dev/x /proc/x")), Not(HasSubstr("exit")));
  EXPECT_EQ(bench.script("ls -A /proc/sys; cat /proc/kallsyms /proc/keys").out.kept, "");
  EXPECT_EQ(bench.script("ls -d /proc/[0-9]* | grep -v self | wc -l").out.kept.size(), 2U);
  EXPECT_THAT(said(bench.script("echo x > /proc/sys/kernel/hostname")), Not(IsEmpty()));
}

TEST_P(JailTest, HasNothingButLoopback) {
  Bench bench(GetParam());
  const Ran ran = bench.script("tail -n +3 /proc/net/dev | tr -d ' ' | cut -d: -f1");
  EXPECT_EQ(ran.out.kept, "lo\n");
  const Ran tried = bench.script("exec 3<>/dev/tcp/203.0.113.9/443");
  EXPECT_THAT(tried.err.kept, HasSubstr("unreachable"));
  EXPECT_THAT(tried.trace.connections, Contains("tcp 203.0.113.9:443"));
}

TEST_P(JailTest, HasAHomeAndTerminalsOfItsOwn) {
  Bench bench(GetParam());
  EXPECT_EQ(said(bench.script("ls -A /tmp /tmp/home /dev/pts && touch /tmp/home/x")),
            "/dev/pts:\nptmx\n\n/tmp:\nhome\n\n/tmp/home:\n");
  // Those of a step end with it: the next one's is the first again.
  const std::string first = "script -qec tty /dev/null </dev/null | tr -d '\\r'";
  EXPECT_EQ(said(bench.script(first)), "/dev/pts/0\n");
  EXPECT_EQ(said(bench.script(first)), "/dev/pts/0\n");
}

TEST_P(JailTest, TracesWhatIsExecutedAndConnectedTo) {
  Bench bench(GetParam());
  const Ran ran =
      bench.script("/usr/bin/env true; exec 3<>/dev/tcp/127.0.0.1/9; : >/dev/udp/127.0.0.1/9");
  ASSERT_TRUE(ran.trace.kept);
  EXPECT_FALSE(ran.trace.cut);
  EXPECT_THAT(ran.trace.started, testing::IsSupersetOf({Start{"", "/usr/bin/bash", "/bin/bash"},
                                                        Start{"/usr/bin/bash", "/usr/bin/env"},
                                                        Start{"/usr/bin/env", "/usr/bin/true"}}));
  EXPECT_THAT(ran.trace.shell,
              testing::ElementsAre(testing::StartsWith("/usr/bin/env true; exec")));
  EXPECT_THAT(ran.trace.commands, Contains("/usr/bin/env true"));
  EXPECT_THAT(ran.trace.connections, testing::IsSupersetOf({"tcp 127.0.0.1:9", "udp 127.0.0.1:9"}));
}

/// A command may be a link, a small script in its place, or not there at all.
TEST_P(JailTest, TracesWhatACommandLeadsTo) {
  Bench bench(GetParam());
  const Ran ran = bench.script(
      "mkdir -p node_modules/.bin node_modules/p && cd node_modules && cp /usr/bin/true p/tool && "
      "ln -s ../p/tool .bin/tool && printf '#!/bin/sh\nx=1\n  exec \"$PWD/p/tool\" \"$@\"\n' "
      ">.bin/shim && chmod +x .bin/shim && .bin/tool && .bin/shim && PATH=.bin:/nowhere:/usr/bin "
      "/usr/bin/env true");
  EXPECT_EQ(describe(ran.ending, {}), "exit 0") << ran.err.kept;
  EXPECT_THAT(
      ran.trace.started,
      testing::IsSupersetOf({Start{"/usr/bin/bash", "/tree/node_modules/p/tool", ".bin/tool"},
                             Start{"/usr/bin/env", "", ".bin/true"},
                             Start{"/usr/bin/env", "", "/nowhere/true"},
                             Start{"/usr/bin/env", "/usr/bin/true"}}));
  EXPECT_THAT(ran.trace.shell,
              Contains("/tree/node_modules/.bin/shim: exec \"$PWD/p/tool\" \"$@\""));
}

TEST_P(JailTest, WorksOnACopyThatLastsFromStepToStep) {
  Bench bench(GetParam());
  cg::test::write(bench.tree() + "/file", "before");
  EXPECT_EQ(bench.script("cat file; echo after > file; echo t > /tmp/t").out.kept, "before");
  EXPECT_EQ(bench.script("cat file /tmp/t; pwd").out.kept, "after\nt\n/tree\n");
  EXPECT_EQ(cg::test::read(bench.tree() + "/file"), "before");
}

TEST_P(JailTest, HasTheLinksOfItsScene) {
  Bench bench(GetParam());
  cg::test::write(bench.tree() + "/file", "before");
  bench.scene.links = {{"file", "/etc"}, {"new/link", "../file"}, {"up", "../etc/hostname"}};
  EXPECT_EQ(bench.script("cat file new/link up && echo after > new/link && cat file").out.kept,
            "beforebeforesandbox\nafter\n");
  EXPECT_EQ(cg::test::read(bench.tree() + "/file"), "before");
  EXPECT_FALSE(std::filesystem::exists(bench.tree() + "/new"));
}

TEST_P(JailTest, BringsBackPlainFilesAndFollowsNoLink) {
  Bench bench(GetParam());
  std::filesystem::create_symlink("/etc/passwd", bench.tree() + "/planted");
  Step step = shell(
      "echo 1234567 > a; ln -s /etc/passwd l; mkfifo p; mkdir d; ln -s /proc/self m; chmod 0 a");
  step.collect = {"/tree/a", "/tree/l", "/tree/p", "/tree/d", "/tree/planted", "/tree/m/status"};
  step.max_collected = 4;
  EXPECT_THAT(bench.run(step).collected, testing::ElementsAre(testing::Pair("/tree/a", "1234")));
}

TEST_P(JailTest, SeesWhatTheSceneMakesReadable) {
  Bench bench(GetParam());
  std::filesystem::create_directory(bench.path("tool"));
  cg::test::write(bench.path("tool/x"), "tool");
  chmod(bench.path("tool").c_str(), 0755);
  chmod(bench.path("tool/x").c_str(), 0644);
  bench.scene.readable = {bench.path("tool")};
  EXPECT_EQ(bench.script("cat " + bench.path("tool/x")).out.kept, "tool");
  EXPECT_THAT(bench.script("echo y > " + bench.path("tool/x")).err.kept, HasSubstr("Read-only"));
}

TEST_P(JailTest, ServesTheShelfOnLoopbackWhileAStepAsksForIt) {
  Bench bench(GetParam());
  std::filesystem::create_directory(bench.path("shelf"));
  cg::test::write(bench.path("shelf/x"), "package");
  chmod(bench.path("shelf").c_str(), 0755);
  chmod(bench.path("shelf/x").c_str(), 0644);
  bench.scene.shelf = bench.path("shelf");
  const std::string ask =
      "exec 3<>/dev/tcp/127.0.0.1/4873 && printf 'GET /x HTTP/1.1\\r\\nHost: localhost\\r\\n"
      "Connection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3";
  Step step = shell(ask);
  step.shelf = Shelf::open;
  EXPECT_THAT(bench.run(step).out.kept, testing::StartsWith("HTTP/1.1 "));
  EXPECT_THAT(bench.script(ask).err.kept, HasSubstr("refused"));
  step = shell("ls -A /.shelf; grep -l shelf /proc/[0-9]*/comm");
  step.shelf = Shelf::open;
  EXPECT_EQ(bench.run(step).out.kept, "");
}

TEST_P(JailTest, RefusesATreeItCannotCopy) {
  Bench bench(GetParam());
  mkfifo((bench.tree() + "/pipe").c_str(), 0600);
  auto opened = bench.jails().open(bench.scene);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().kind, Error::Kind::scene);
  EXPECT_THAT(opened.error().what, HasSubstr("pipe"));
  Scene scene;
  scene.tree = "/no/such/tree";
  opened = bench.jails().open(scene);
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().kind, Error::Kind::scene);
}

TEST_P(JailTest, NamesTheLayerThatIsMissing) {
  auto jails = Jails::make(CG_JAIL, starting_as(GetParam(), false));
  ASSERT_TRUE(jails.has_value());
  const auto opened = jails->open({});
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().kind, Error::Kind::setup);
  EXPECT_EQ(opened.error().what, "user namespace: EPERM: Operation not permitted");
}

// Of the tests in the other files too.
INSTANTIATE_TEST_SUITE_P(As, JailTest, testing::ValuesIn(users()),
                         [](const auto& user) { return name(user.param); });

TEST(Jails, ANonsenseMessageIsBroken) {
  for (const std::string& bytes : {std::string("garbage"), std::string("\0\0\0\1\4", 5)}) {
    auto jails = Jails::make("/jail", [&](const std::string&) -> Result<StartedJail, Error> {
      std::array<int, 2> pair{};
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) != 0) std::abort();
      EXPECT_EQ(write(pair[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
      shutdown(pair[1], SHUT_WR);
      static os::Fd other;
      other = os::Fd(pair[1]);
      return StartedJail{os::Fd(pair[0]), nullptr};
    });
    ASSERT_TRUE(jails.has_value());
    const auto opened = jails->open({});
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().kind, Error::Kind::broken);
  }
}

TEST(Jails, AMissingProgramIsMissing) {
  auto jails = Jails::make("/no/codegenie-jail", starting_by_fork());
  ASSERT_TRUE(jails.has_value());
  const auto opened = jails->open({});
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().kind, Error::Kind::missing);
}

TEST(UnsafeNoSandbox, RunsOnACopyAndClaimsNothing) {
  const cg::test::ScratchDir dir;
  cg::test::write(dir / "file", "before");
  Jails jails(UnsafeNoSandbox{}, CG_JAIL, starting_by_fork());
  Scene scene;
  scene.tree = dir.path();
  std::string folder;
  {
    auto chamber = jails.open(scene);
    ASSERT_TRUE(chamber.has_value()) << describe(chamber.error());
    EXPECT_EQ((*chamber)->in_force().isolation, Isolation::none);
    Step step = shell("pwd; echo after > file; setsid sleep 97531 & exit 3");
    step.collect = {"/tree/file"};
    const auto ran = (*chamber)->run(step, {});
    ASSERT_TRUE(ran.has_value());
    EXPECT_EQ(describe(ran->ending, {}), "exit 3");
    EXPECT_THAT(ran->collected, testing::ElementsAre(testing::Pair("/tree/file", "after\n")));
    folder = ran->out.kept.substr(0, ran->out.kept.find('\n'));
    EXPECT_EQ(running_with("97531"), 0);
  }
  EXPECT_EQ(cg::test::read(dir / "file"), "before");
  EXPECT_FALSE(std::filesystem::exists(folder));
}

}  // namespace
}  // namespace cg::sandbox::test
