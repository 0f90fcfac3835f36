// kill -9 and a full disk at every single write, sync, rename and cut of what a writer does.
#include <gtest/gtest.h>

#include "rag/agree.h"

namespace cg::rag::test {
namespace {

constexpr int kMostFaults = 2000;
/// A kill at each; what is short of space at every few, unless many kills are asked for.
int stride(const std::string& mode) {
  return mode == "kill" || std::getenv("CG_STORE_KILLS") != nullptr ? 1 : 5;
}
constexpr const char* kFiredFile = "fired";

struct Struck {
  Ran ran;
  bool fired = false;
};

Struck strike(const Bench& bench, const std::string& mode, int n) {
  const std::string fired = bench.scratch / kFiredFile;
  fs::remove(fired);
  Struck out;
  out.ran =
      run({CG_STORE_WRITER, bench.home_path, bench.guard_dir, "struck", "1"},
          {"LD_PRELOAD=" CG_FAULT, "ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0",
           "CG_FAULT_AT=" + std::to_string(n), "CG_FAULT_MODE=" + mode, "CG_FAULT_FIRED=" + fired});
  out.fired = fs::exists(fired) && fs::file_size(fired) > 0;
  return out;
}

void restore(const std::string& from, const std::string& to) {
  fs::remove_all(to);
  fs::copy(from, to, fs::copy_options::recursive);
}

class Fault : public testing::TestWithParam<std::string> {};

/// A record and its vectors, in a store that has another.
TEST_P(Fault, AtEveryOperationOfAWrite) {
  Bench first;
  static_cast<void>(first.put(sample("before")));
  first.log.reset();
  int struck = 0;
  for (int n = 1; n < kMostFaults; n += stride(GetParam())) {
    SCOPED_TRACE(GetParam() + " at operation " + std::to_string(n));
    Bench bench;
    bench.log.reset();
    // The same log in another place, where it is seen for the first time.
    restore(first.home_path, bench.home_path);
    fs::remove_all(bench.guard_dir);
    bench.home = *os::Dir::open(bench.home_path);
    ASSERT_TRUE(audit::Log::open(bench.home, {bench.home_path, bench.guard_dir}, bench.clock));
    const Struck one = strike(bench, GetParam(), n);
    if (!one.fired) {
      EXPECT_EQ(one.ran.exit, 0) << one.ran.err;
      struck = n - 1;
      break;
    }
    if (GetParam() == "kill") {
      EXPECT_EQ(one.ran.exit, 128 + 9);
    }
    expect_readable(bench.home);
    auto log = audit::Log::open(bench.home, {bench.home_path, bench.guard_dir}, bench.clock);
    ASSERT_TRUE(log) << log.error().what;
    bench.log = std::make_unique<audit::Log>(*std::move(log));
    Said said;
    take_said(one.ran.out, said);
    expect_agreement(bench, said);
    if (HasFailure()) return;
  }
  RecordProperty("operations", struck);
  std::printf("%s at each of %d operations\n", GetParam().c_str(), struck);
  EXPECT_GT(struck, 80);
}

INSTANTIATE_TEST_SUITE_P(Modes, Fault, testing::Values("kill", "enospc", "short"),
                         [](const auto& named) { return named.param; });

}  // namespace
}  // namespace cg::rag::test
