// What an ending is called, and the digest of what a step wrote.
#include <gtest/gtest.h>

#include "jail/sandbox/running_sha256.h"
#include "jail/sandbox/step.h"
#include "trust/hash/sha256.h"

namespace cg::sandbox {
namespace {

TEST(RunningSha256, SaysWhatTheOtherOneSays) {
  for (std::size_t size = 0; size < 300; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 37 + size);
    RunningSha256 running;
    running.update(as_bytes(std::string_view(bytes).substr(0, size / 3)));
    running.update(as_bytes(std::string_view(bytes).substr(size / 3)));
    EXPECT_EQ(running.digest(), hash::sha256(as_bytes(bytes))) << size;
  }
}

TEST(Ending, IsCalledByItsName) {
  Limits limits;
  limits.wall = std::chrono::seconds(60);
  EXPECT_EQ(describe(Exited{1}, limits), "exit 1");
  EXPECT_EQ(describe(Signalled{9}, limits), "signal 9");
  EXPECT_EQ(describe(Capped{Cap::wall}, limits), "took longer than 60 s");
  EXPECT_EQ(describe(Capped{Cap::memory}, limits), "took more than 2048 MiB of memory");
  EXPECT_TRUE(is_success(Exited{0}));
  EXPECT_FALSE(is_success(Exited{1}));
  EXPECT_FALSE(is_success(Capped{}));
}

TEST(ShellText, IsWhatAShellIsToldToRun) {
  const std::string sh = "/bin/sh";
  EXPECT_EQ(shell_text(sh, {"-c", "echo a"}), "echo a");
  EXPECT_EQ(shell_text("/usr/bin/bash", {"-e", "-uc", "x", "name"}), "x");
  EXPECT_EQ(shell_text(sh, {"run.sh", "-c", "x"}), "file run.sh");
  EXPECT_EQ(shell_text(sh, {"-e", "run.sh"}), "file run.sh");
  EXPECT_EQ(shell_text(sh, {}), "standard input");
  EXPECT_EQ(shell_text(sh, {"-s", "word"}), "standard input");
  EXPECT_EQ(shell_text(sh, {"--version"}), "");
  EXPECT_EQ(shell_text("/usr/bin/node", {"-c", "x"}), "");
}

TEST(Kept, IsWhatABuildMakesAndNothingThatSteers) {
  for (const char* path : {"dist/a.js", "lib/deep/b.map", "out.css"}) {
    EXPECT_TRUE(may_be_kept(path)) << path;
  }
  for (const char* path :
       {".npmrc", "a/.cache/x", "node_modules/a.js", "x/node_modules/a.js", "jest.config.js",
        "tsconfig.build.json", "a.snap", "yarn.lock", "__mocks__/fs.js"}) {
    EXPECT_FALSE(may_be_kept(path)) << path;
  }
}

TEST(OfPackage, IsWhatAnInstallScriptMayChange) {
  const std::vector<std::string> mine = {"a", "@s/b", "@prisma/client"};
  for (const char* path : {"node_modules/a/build/x.node", "node_modules/@s/b/x.js",
                           "packages/p/node_modules/a/x", "node_modules/.pnpm/a@1/node_modules/a/x",
                           "node_modules/.prisma/client/index.js", "node_modules/.a/x"}) {
    EXPECT_TRUE(is_of_package(path, mine)) << path;
  }
  for (const char* path :
       {"node_modules/ab/x.js", "node_modules/a", "node_modules/a/node_modules/c/x.js",
        "node_modules/.bin/tsc", "node_modules/.pnpm/lock.yaml", "node_modules/.cache/nyc/x",
        "node_modules/.vite/results.json", "node_modules/.package-lock.json", "src/a/x.js",
        "node_modules/x.js", "my_node_modules/a/x.js", "node_modules/c/node_modules/d/x"}) {
    EXPECT_FALSE(is_of_package(path, mine)) << path;
  }
}

}  // namespace
}  // namespace cg::sandbox
