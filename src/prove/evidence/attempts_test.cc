// What attempts that became no branch leave, and what steps printed: held against the events.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/archive/stream.h"
#include "base/base/bytes.h"
#include "prove/evidence/samples_test.h"
#include "prove/evidence/verify.h"
#include "trust/hash/sha256.h"

namespace cg::evidence {
namespace {

using test::Bench;
using test::Made;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kPrinted = "1 failing\n  adds\n";
const std::string kGate =
    R"({"signal": "tests", "state": "failed", "passed": false, "base": null, "fix": null})";

std::string log_of(std::string_view bytes, const std::string& end = ".zst") {
  return "logs/" + to_hex(hash::sha256(as_bytes(bytes))) + end;
}

/// A story in which one group failed beside the branch.
void add_attempt(Made& made) {
  record::Events more = {
      record::StepRan{"exit 1", {}, 7, hash::sha256(as_bytes(kPrinted)), "fix", "tests"},
      record::AttemptEnded{1, "tests", "another group", "namespaces", "qs 6.7.3"}};
  made.events.insert(made.events.begin() + 1, more.begin(), more.end());
  made.parts.attempts = {{"another group", 1, "tests", {{"gates/tests.json", kGate}}}};
  made.parts.kept[log_of(kPrinted)] = archive::zstd_compress(kPrinted);
}

std::vector<std::string> breaks(const std::function<void(Made&)>& lie) {
  Bench bench;
  bench.lie = [&](Made& made) {
    add_attempt(made);
    lie(made);
  };
  const auto files = read_bundle(bench.write());
  EXPECT_TRUE(files.has_value());
  std::vector<std::string> out;
  for (const Break& one : verify_bundle(*files, {}).breaks)
    out.push_back(one.file + " " + one.what);
  return out;
}

TEST(Attempts, WithoutABranchAreKept) {
  EXPECT_THAT(breaks([](Made&) {}), IsEmpty());
  Bench bench;
  bench.lie = add_attempt;
  const auto files = *read_bundle(bench.write());
  EXPECT_EQ(files.at("attempts/1/gates/tests.json"), kGate);
  EXPECT_THAT(files.at("attempts/1/attempt.json"), HasSubstr("another group"));
  EXPECT_EQ(*archive::unzstd(files.at(log_of(kPrinted))), kPrinted);
}

TEST(Attempts, AreThoseOfTheEvents) {
  EXPECT_THAT(breaks([](Made& m) { m.parts.attempts[0].failing = "build"; }),
              Contains(HasSubstr("is of no attempt that failed")));
  EXPECT_THAT(breaks([](Made& m) { m.parts.attempts[0].attempt = 2; }),
              Contains(HasSubstr("is of no attempt that failed")));
  EXPECT_THAT(breaks([](Made& m) { m.parts.attempts[0].gates[0].second = "{}"; }),
              Contains(HasSubstr("is not what a gate said")));
}

TEST(Logs, AreWhatTheStepsPrinted) {
  EXPECT_THAT(breaks([](Made& m) {
                m.parts.kept[log_of(kPrinted)] = archive::zstd_compress("all passed\n");
              }),
              Contains(HasSubstr("is not what the step printed")));
  EXPECT_THAT(breaks([](Made& m) { m.parts.kept[log_of("x")] = archive::zstd_compress("x"); }),
              Contains(HasSubstr("is of no step that the events have")));
  EXPECT_THAT(breaks([](Made& m) {
                m.parts.kept["reports/base-" + std::string(64, '0') + ".json.zst"] = "x";
              }),
              Contains(HasSubstr("is of no step that the events have")));
  EXPECT_THAT(breaks([](Made& m) {
                m.parts.kept.erase(log_of(kPrinted));
                m.parts.kept[log_of(kPrinted, ".part.zst")] = archive::zstd_compress("1 fail");
              }),
              IsEmpty());
}

}  // namespace
}  // namespace cg::evidence
