// A machine of its own kernel, from its boot to its end. Each boot costs seconds here, so
// one machine shows several things.
#include <gmock/gmock.h>

#include <filesystem>

#include "base/os/dir.h"
#include "bench.h"

namespace cg::microvm {
namespace {

using sandbox::Capped;
using sandbox::Ran;
using sandbox::Step;
using ::testing::HasSubstr;
using ::testing::Not;

namespace fs = std::filesystem;

int code(const Ran& ran) {
  const auto* exited = std::get_if<sandbox::Exited>(&ran.ending);
  return exited == nullptr ? -1 : exited->code;
}

Step shell(const std::string& script) { return step({"/bin/sh", "-c", script}); }

TEST(MicroVm, RunsStepsOneAfterTheOtherOnOneTree) {
  Bench bench;
  const auto chamber = bench.open();
  ASSERT_NE(chamber, nullptr);
  EXPECT_EQ(code(must_run(*chamber, step({"/bin/true"}))), 0);
  EXPECT_EQ(code(must_run(*chamber, shell("exit 7"))), 7);
  EXPECT_EQ(code(must_run(*chamber, step({"/no/such/program"}))), 127);

  Step write = shell("cat file; echo more >>file; echo told >&2; echo kept >out; kill -9 $$");
  write.env = {"A=b"};
  write.collect = {"/tree/out", "/tree/none"};
  const Ran wrote = must_run(*chamber, write);
  const auto* signalled = std::get_if<sandbox::Signalled>(&wrote.ending);
  ASSERT_NE(signalled, nullptr);
  EXPECT_EQ(signalled->signal, 9);
  EXPECT_EQ(wrote.out.kept, "of the tree\n");
  EXPECT_EQ(wrote.err.kept, "told\n");
  EXPECT_THAT(wrote.collected, ::testing::ElementsAre(::testing::Pair("/tree/out", "kept\n")));

  const Ran read = must_run(*chamber, shell("cat file"));
  EXPECT_EQ(read.out.kept, "of the tree\nmore\n");
  EXPECT_EQ(test::read(bench.path("tree/file")), "of the tree\n");  // the host's is as it was

  Step own = shell("git ls-files; git status --porcelain; git rev-list --count HEAD; git fsck");
  own.tree = sandbox::Tree::own;
  own.planted = {{"planted", "x"}};
  const Ran asked = must_run(*chamber, own);
  if (fs::exists("/usr/bin/git")) {
    EXPECT_EQ(asked.out.kept, "file\nplanted\n1\n") << asked.err.kept;
    EXPECT_EQ(asked.no_git, "");
  } else {
    EXPECT_EQ(asked.no_git, "there is no git on this machine");
  }

  const Ran node = must_run(*chamber, step({"/usr/bin/node", "-e", "console.log(6*7)"}));
  EXPECT_EQ(node.out.kept, "42\n") << node.err.kept;
}

TEST(MicroVm, SaysWhatItIsMadeOf) {
  Bench bench;
  const auto chamber = bench.open();
  ASSERT_NE(chamber, nullptr);
  EXPECT_EQ(chamber->in_force().isolation, sandbox::Isolation::microvm_emulated);
  std::string all;
  for (const sandbox::Layer& layer : chamber->in_force().layers) {
    all += layer.name + (layer.held ? " = " : " - ") + layer.detail + "\n";
    EXPECT_TRUE(layer.held || !layer.mandatory) << layer.name;
  }
  const auto folder = os::Dir::open(CG_IMAGE);
  const auto image = read_image(*folder);
  ASSERT_TRUE(image.has_value());
  EXPECT_THAT(all, HasSubstr("accelerator = tcg, wall caps times 20"));
  EXPECT_THAT(all, HasSubstr("emulator = QEMU emulator version"));
  EXPECT_THAT(all, HasSubstr(to_hex(image->kernel.sha256)));
  EXPECT_THAT(all, HasSubstr(to_hex(image->initramfs.sha256)));
  EXPECT_THAT(all, HasSubstr("jail: "));
  EXPECT_THAT(all, HasSubstr("guest: seccomp = "));
  EXPECT_THAT(all, HasSubstr("guest: cgroup = v2"));

  // Another kernel; no devices but harmless ones, no other user, nothing of ours to see.
  const Ran seen = must_run(
      *chamber, shell("uname -r; id -u; ls -A /dev; env; ls /sys /root /home /boot 2>&1; "
                      "cat /proc/net/dev; touch /usr/x /init 2>&1; ls /proc | grep -c '^[0-9]'"));
  EXPECT_THAT(seen.out.kept, HasSubstr(image->kernel_release + "\n1000\n"));
  EXPECT_THAT(
      seen.out.kept,
      HasSubstr(
          "fd\nfull\nnull\nptmx\npts\nrandom\nshm\nstderr\nstdin\nstdout\ntty\nurandom\nzero\n"));
  EXPECT_THAT(seen.out.kept, Not(HasSubstr("eth")));
  EXPECT_THAT(seen.out.kept, HasSubstr("touch: cannot touch '/usr/x': Permission denied"));
  EXPECT_THAT(seen.out.kept, HasSubstr("touch: cannot touch '/init': Permission denied"));
}

TEST(MicroVm, CapsEndTheStepAndNotTheMachine) {
  Bench bench;
  const auto chamber = bench.open();
  ASSERT_NE(chamber, nullptr);
  Step loop = shell("(while :; do :; done) & while :; do :; done");
  loop.limits.wall = std::chrono::milliseconds(50);
  const Ran looped = must_run(*chamber, loop);
  const auto* capped = std::get_if<Capped>(&looped.ending);
  ASSERT_NE(capped, nullptr);
  EXPECT_EQ(capped->cap, sandbox::Cap::wall);

  Step flood = shell("head -c 300000 /dev/zero");
  flood.limits.output = 4096;
  const Ran flooded = must_run(*chamber, flood);
  EXPECT_EQ(flooded.out.bytes, 300'000U);
  EXPECT_LT(flooded.out.kept.size(), 4300U);

  Step bomb = step({"/usr/bin/node", "-e", "const a=[];for(;;)a.push(Buffer.alloc(1<<20,1))"});
  bomb.limits.memory = 96U << 20U;
  EXPECT_NE(code(must_run(*chamber, bomb)), 0);

  // Of many processes together, none of which takes too much: only a cgroup tells.
  Step many = shell(
      "for i in 1 2 3 4; do head -c 40000000 /dev/zero | tail -c 40000000 >/dev/null & done; wait");
  EXPECT_GT(must_run(*chamber, many).peak_memory, 100U << 20U);
  many.limits.memory = 96U << 20U;
  const Ran killed = must_run(*chamber, many);
  capped = std::get_if<Capped>(&killed.ending);
  ASSERT_NE(capped, nullptr) << describe(killed.ending, many.limits);
  EXPECT_EQ(capped->cap, sandbox::Cap::memory);

  Step forks = shell("for i in 1 2 3 4 5 6 7 8 9 10; do sleep 100 & done; echo all");
  forks.limits.processes = 5;
  EXPECT_THAT(must_run(*chamber, forks).out.kept, Not(HasSubstr("all")));

  EXPECT_EQ(must_run(*chamber, shell("echo alive")).out.kept, "alive\n");
  // What those steps left running is gone: init, the shell's two and nobody else.
  const Ran left = must_run(*chamber, shell("for p in /proc/[0-9]*; do echo $p; done"));
  EXPECT_THAT(left.out.kept, Not(HasSubstr("/proc/4\n")));
}

TEST(MicroVm, ServesTheShelfOnLoopbackWhileAStepAsksForIt) {
  Bench bench;
  fs::create_directory(bench.path("shelf"));
  auto machines = bench.machines(bench.options());
  ASSERT_TRUE(machines.has_value()) << machines.error().what;
  sandbox::Scene scene = bench.scene();
  scene.shelf = bench.path("shelf");
  auto chamber = machines->open(scene);
  ASSERT_TRUE(chamber.has_value()) << chamber.error().what;
  Step ask =
      step({"/usr/bin/node", "-e",
            "require('http').get('http://127.0.0.1:4873/none',"
            "r=>{console.log(r.statusCode);process.exit()}).on('error',e=>console.log(e.code))"});
  EXPECT_EQ(must_run(**chamber, ask).out.kept, "ECONNREFUSED\n");
  ask.shelf = sandbox::Shelf::open;
  const Ran asked = must_run(**chamber, ask);
  EXPECT_EQ(asked.out.kept, "404\n") << asked.err.kept;
  EXPECT_THAT(asked.trace.connections, ::testing::ElementsAre("tcp 127.0.0.1:4873"));
}

TEST(MicroVm, AMemoryBombStaysInTheMachine) {
  Bench bench;
  Options options = bench.options();
  options.memory = 64U << 20U;
  auto machines = bench.machines(options);
  ASSERT_TRUE(machines.has_value()) << machines.error().what;
  sandbox::Scene scene = bench.scene();
  scene.scratch_bytes = 16U << 20U;
  auto chamber = machines->open(scene);
  ASSERT_TRUE(chamber.has_value()) << chamber.error().what;
  // The step may take more than the machine has.
  Step bomb = step({"/usr/bin/node", "-e", "const a=[];for(;;)a.push(Buffer.alloc(1<<22,1))"});
  bomb.limits.memory = 8ULL << 30U;
  const auto ran = (*chamber)->run(bomb, {});
  EXPECT_TRUE(!ran.has_value() || code(*ran) != 0);
  if (ran) {
    const auto full = (*chamber)->run(shell("head -c 100000000 /dev/zero >/tree/big"), {});
    EXPECT_TRUE(!full.has_value() || code(*full) != 0);
  }
}

TEST(MicroVm, NothingIsLeftOfAMachine) {
  Bench bench;
  {
    const auto chamber = bench.open();
    ASSERT_NE(chamber, nullptr);
    Step endless = shell("sleep 1000");
    endless.limits.wall = std::chrono::milliseconds(1);
    EXPECT_TRUE(std::holds_alternative<Capped>(must_run(*chamber, endless).ending));
  }
  EXPECT_TRUE(fs::is_empty(bench.path("scratch")));
}

TEST(MicroVm, WhatIsMissingOrDamagedIsSaid) {
  Bench bench;
  Options options = bench.options();
  options.qemu = "/usr/bin/no-such-qemu";
  auto machines = bench.machines(options);
  ASSERT_FALSE(machines.has_value());
  EXPECT_EQ(machines.error().kind, sandbox::Error::Kind::missing);
  EXPECT_THAT(machines.error().what, HasSubstr("no-such-qemu"));

  options = bench.options();
  options.image = bench.path("nowhere");
  EXPECT_EQ(bench.machines(options).error().kind, sandbox::Error::Kind::missing);

  fs::create_directory(bench.path("image"));
  for (const char* name : {"image.json", "initramfs", "kernel"}) {
    fs::copy(std::string(CG_IMAGE) + "/" + name, bench.path("image"));
  }
  options.image = bench.path("image");
  std::string kernel = test::read(bench.path("image/kernel"));
  kernel[kernel.size() / 2] ^= 1;
  test::write(bench.path("image/kernel"), kernel);
  EXPECT_EQ(bench.machines(options).error().kind, sandbox::Error::Kind::broken);
  fs::remove(bench.path("image/kernel"));
  EXPECT_EQ(bench.machines(options).error().kind, sandbox::Error::Kind::missing);
}

TEST(MicroVm, AnEmulatorThatFailsIsQuoted) {
  Bench bench;
  Options options = bench.options();
  options.memory = ~0ULL;  // more than this machine type can have, or than the jail gives
  options.qemu = "/bin/false";
  auto machines = bench.machines(options);
  ASSERT_TRUE(machines.has_value());
  const auto chamber = machines->open(bench.scene());
  ASSERT_FALSE(chamber.has_value());
  EXPECT_THAT(chamber.error().what, HasSubstr("/bin/false does not start: exit 1"));
}

}  // namespace
}  // namespace cg::microvm
