#include <gtest/gtest.h>

#include <filesystem>

#include "support/support.h"
#include "trust/audit/key.h"
#include "trust/audit/layout.h"
#include "trust/audit/log.h"
#include "trust/audit/verify.h"
#include "trust/audit/workflow_log.h"
#include "trust/record/frame.h"
#include "trust/sign/sshsig.h"

namespace cg::audit {
namespace {

namespace fs = std::filesystem;
using record::OperatorNoted;

class FakeClock final : public os::Clock {
 public:
  Time now() override { return time; }
  Time time = *parse_iso("2026-11-15T02:40:11.000Z");
};

/// A workspace with a log in it, and the guard beside it.
struct Bench {
  test::ScratchDir scratch;
  FakeClock clock;
  os::SystemRandom random;
  std::string home_path = scratch / "home";
  std::string guard_dir = scratch / "guard";
  os::Dir home = *os::Dir::make(home_path);

  Bench() { EXPECT_TRUE(create_log(home, "test 1", clock, random)); }
  Log open() {
    auto log = Log::open(home, {home_path, guard_dir}, clock);
    EXPECT_TRUE(log) << log.error().what;
    return *std::move(log);
  }
  LogReport verify() {
    auto report = audit::verify(home, {home_path, guard_dir, home_path + "/audit/anchors"}, {});
    EXPECT_TRUE(report) << report.error().what;
    return *std::move(report);
  }
  void expect_ok(std::uint64_t entries) {
    const LogReport v = verify();
    EXPECT_TRUE(v.breaks.empty()) << v.breaks[0].what << " " << v.breaks[0].where[0].second;
    EXPECT_EQ(v.entries, entries);
  }
};

TEST(Log, WritesWhatTheVerifierReads) {
  Bench bench;
  bench.expect_ok(1);
  Log log = bench.open();
  const auto receipt = log.append({OperatorNoted{"one"}, OperatorNoted{"two"}});
  ASSERT_TRUE(receipt) << receipt.error().what;
  EXPECT_EQ(receipt->first, 1U);
  EXPECT_EQ(receipt->count, 2U);
  EXPECT_EQ(bench.verify().tail, Tail::open);
  ASSERT_TRUE(log.checkpoint());
  const LogReport v = bench.verify();
  EXPECT_TRUE(v.breaks.empty());
  EXPECT_TRUE(v.gaps.empty()) << v.gaps[0];
  EXPECT_EQ(v.entries, 3U);
  EXPECT_EQ(v.tail, Tail::signed_);
  EXPECT_EQ(v.unanchored, 3U);
}

TEST(Log, SealsAndGoesOnAcrossManyCheckpoints) {
  Bench bench;
  Log log = bench.open();
  std::uint64_t entries = 1;
  for (int round = 0; round < 40; ++round) {
    record::Events events;
    for (int i = 0; i < 300; ++i) events.emplace_back(OperatorNoted{std::string(300, 'x')});
    ASSERT_TRUE(log.append(events));
    entries += events.size();
    if (round % 3 == 0) {
      ASSERT_TRUE(log.checkpoint());
    }
    if (round % 13 == 0) log = bench.open();
  }
  ASSERT_TRUE(log.checkpoint());
  bench.expect_ok(entries);
  int segments = 0;
  for (const auto& f : fs::directory_iterator(bench.home_path + "/events/spanning")) {
    segments += record::is_segment_name(f.path().filename().string()) ? 1 : 0;
  }
  EXPECT_GE(segments, 2);
  Log again = bench.open();
  ASSERT_TRUE(again.append({OperatorNoted{"after"}}));
  bench.expect_ok(entries + 1);
}

TEST(Log, TwoWritersInTurnSeeEachOther) {
  Bench bench;
  Log a = bench.open();
  Log b = bench.open();
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(a.append({OperatorNoted{"a"}}));
    if (i % 5 == 0) {
      ASSERT_TRUE(b.checkpoint());
    }
    ASSERT_TRUE(b.append({OperatorNoted{"b"}, OperatorNoted{"b"}}));
    if (i % 7 == 0) {
      ASSERT_TRUE(a.checkpoint());
    }
  }
  ASSERT_TRUE(a.checkpoint());
  bench.expect_ok(61);
}

TEST(Log, ATornTailIsCutOffWithAnEvent) {
  Bench bench;
  {
    Log log = bench.open();
    ASSERT_TRUE(log.append({OperatorNoted{"kept"}}));
  }
  const std::string path = bench.home_path + "/events/spanning/append.jsonl.zst";
  const std::string whole = test::read(path);
  const std::string frame = record::stored_frame("{\"v\":1,\"log\":\"never finished\n");
  for (std::size_t n = 1; n < frame.size(); ++n) {
    test::write(path, whole + frame.substr(0, n));
    EXPECT_EQ(bench.verify().tail, Tail::torn) << n;
    EXPECT_TRUE(bench.verify().breaks.empty()) << n;
  }
  Log log = bench.open();
  const auto receipt = log.append({OperatorNoted{"next"}});
  ASSERT_TRUE(receipt);
  EXPECT_EQ(receipt->first, 3U);  // behind the repair
  ASSERT_TRUE(log.checkpoint());
  const LogReport v = bench.verify();
  EXPECT_TRUE(v.breaks.empty());
  EXPECT_EQ(v.state.kinds.at("tail_repaired"), 1U);
  EXPECT_EQ(v.entries, 4U);
}

TEST(Log, RefusesAClockThatGoesBack) {
  Bench bench;
  Log log = bench.open();
  ASSERT_TRUE(log.append({OperatorNoted{"x"}}));
  bench.clock.time.ms -= 900;  // a small step is written as the time before
  ASSERT_TRUE(log.append({OperatorNoted{"x"}}));
  bench.clock.time.ms -= 3'600'000;
  const auto refused = log.append({OperatorNoted{"x"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::audit_clock);
  EXPECT_EQ(refused.error().exit(), ExitCode::guard);
  bench.clock.time.ms += 7'200'000;
  ASSERT_TRUE(log.append({OperatorNoted{"x"}}));
  bench.expect_ok(4);
}

TEST(Log, RefusesTwoHomes) {
  Bench bench;
  ASSERT_TRUE(bench.open().append({OperatorNoted{"x"}}));
  const std::string copy = bench.scratch / "copy";
  fs::copy(bench.home_path, copy, fs::copy_options::recursive);
  const os::Dir other = *os::Dir::open(copy);
  const auto refused = Log::open(other, {copy, bench.guard_dir}, bench.clock);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::audit_two_homes);
  fs::rename(bench.home_path, bench.scratch / "gone");
  fs::rename(bench.scratch / "gone", bench.scratch / "home2");
  fs::remove_all(bench.scratch / "home2");
  EXPECT_TRUE(Log::open(other, {copy, bench.guard_dir}, bench.clock));  // it has moved
}

TEST(Log, WorkflowsHaveAStreamOfTheirOwn) {
  Bench bench;
  Log log = bench.open();
  auto workflow = WorkflowLog::start(log, "self_check", bench.clock, bench.random);
  ASSERT_TRUE(workflow) << workflow.error().what;
  const std::string id = workflow->id().str();
  ASSERT_TRUE(workflow->append({record::CheckRan{"clock", "fine", "ok"}}));
  ASSERT_TRUE(workflow->append({record::CheckRan{"modes", "fine", "ok"}}));
  EXPECT_EQ(bench.verify().open_workflows, 1U);
  EXPECT_TRUE(bench.verify().breaks.empty());
  // What was seen of an open stream cannot be cut off unnoticed either.
  const std::string path = bench.home_path + "/events/workflow-internal/" + id + ".jsonl.zst";
  const std::string whole = test::read(path);
  test::write(path, whole.substr(0, whole.size() / 2));
  EXPECT_EQ(bench.verify().breaks.at(0).code, ErrorCode::audit_truncated);
  test::write(path, whole);
  ASSERT_TRUE(std::move(*workflow).end(log, "ok"));
  ASSERT_TRUE(log.checkpoint());
  LogReport v = bench.verify();
  EXPECT_TRUE(v.breaks.empty()) << v.breaks[0].what;
  EXPECT_EQ(v.workflows, 1U);
  EXPECT_EQ(v.open_workflows, 0U);
  const std::string sealed = test::read(path);
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string bad = sealed;
    bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ 0x40U);
    test::write(path, bad);
    EXPECT_FALSE(bench.verify().breaks.empty()) << i;
  }
  fs::remove(path);
  EXPECT_EQ(bench.verify().breaks.at(0).code, ErrorCode::audit_missing);
}

TEST(Anchors, CoverEntriesWhenAKnownKeySignedThem) {
  Bench bench;
  Log log = bench.open();
  ASSERT_TRUE(log.append({OperatorNoted{"x"}}));
  ASSERT_TRUE(log.checkpoint());
  const sign::Seed operator_key = {5};
  const std::string note = test::read(bench.home_path + "/events/tiles/checkpoint");
  const std::string dir = bench.home_path + "/audit/anchors";
  const auto file =
      publish_anchor(dir, log.id(), "2026-11-15", note,
                     AnchorSignature{".sig", sign::ssh_sign(operator_key, kAnchorNamespace, note)});
  ASSERT_TRUE(file);
  EXPECT_EQ(*file, "2026-11-15.note");
  LogReport v = bench.verify();
  EXPECT_TRUE(v.breaks.empty());
  EXPECT_EQ(v.anchors.at(0).vouched, Vouched::by_stranger);
  EXPECT_EQ(v.unanchored, 2U);
  ASSERT_TRUE(bench.home.make_dir("policy"));
  ASSERT_TRUE(bench.home.write_atomic(
      "policy/allowed_signers",
      "operator@example " + sign::write_ssh_public_key(sign::public_key(operator_key)) + "\n"));
  v = bench.verify();
  EXPECT_EQ(v.anchors.at(0).vouched, Vouched::by_signer);
  EXPECT_EQ(v.unanchored, 0U);
  EXPECT_EQ(*publish_anchor(dir, log.id(), "2026-11-15", note, std::nullopt), "2026-11-15-2.note");
  EXPECT_EQ(bench.verify().gaps.size(), 1U);  // the second is not signed
}

TEST(Guard, EveryFlippedByteIsFound) {
  const Seen seen{std::string(32, 'a'), 12, hash::Digest{1}, 10};
  const std::string bytes = write_seen(seen);
  EXPECT_EQ(*parse_seen(bytes), seen);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string bad = bytes;
    bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ 1U);
    EXPECT_FALSE(parse_seen(bad)) << i;
    EXPECT_FALSE(parse_seen(bytes.substr(0, i)));
  }
}

}  // namespace
}  // namespace cg::audit
