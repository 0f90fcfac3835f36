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

}  // namespace
}  // namespace cg::sandbox
