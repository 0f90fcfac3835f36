// The damage list: every way to change a log quietly, each found with exit 4.
#include <gtest/gtest.h>

#include "damage/bench.h"
#include "trust/audit/key.h"
#include "trust/audit/layout.h"
#include "trust/audit/verify.h"
#include "trust/hash/merkle.h"
#include "trust/record/checkpoint.h"
#include "trust/record/event_codec.h"
#include "trust/record/frame.h"
#include "trust/record/proof.h"
#include "trust/record/state.h"
#include "trust/record/tile.h"
#include "trust/sign/sshsig.h"

namespace cg::damage {
namespace {

namespace fs = std::filesystem;
using test::read;
using test::write;

audit::LogKey key_of(const Bench& bench) {
  return *audit::read_log_key(*os::Dir::open(bench.home()));
}

/// Rewrites the lines so that numbers and chain are right again, and with the
/// stolen key everything that follows from them: the most an intruder in the
/// workspace can do.
void forge(const Bench& bench, const std::vector<std::string>& lines) {
  const audit::LogKey key = key_of(bench);
  const record::Chain chain;
  record::State state;
  record::TileTree tree;
  std::vector<std::string> forged;
  for (const std::string& line : lines) {
    const auto entry = record::parse_entry(line);
    const auto event = record::decode_body(entry->kind, entry->body);
    forged.push_back(record::encode_entry(
        {std::string(entry->log), "spanning", state.entries, entry->t, state.head}, *event));
    state.log = entry->log;
    record::apply(state, *event, chain.next(state.head, forged.back()));
    tree.push(hash::leaf_hash(as_bytes(forged.back())), nullptr);
  }
  bench.set_lines(forged);
  fs::remove_all(bench.path("events/tiles/tile"));
  for (const record::Tile& tile : tree.partials()) {
    const std::string path =
        bench.path("events/tiles/" + record::tile_path(tile.level, tile.index, tile.hashes.size()));
    fs::create_directories(fs::path(path).parent_path());
    write(path, record::tile_bytes(tile));
  }
  write(bench.path("events/tiles/checkpoint"),
        record::sign_checkpoint({state.log, tree.size(), tree.root(), state.head}, key.seed));
  write(bench.path("events/state.json"), record::write_state(state));
}

TEST(Damage, EveryByteOfASmallLogFlipped) {
  const Bench bench;
  ASSERT_EQ(bench.run({"self-check", "--record"}).exit, 0);
  bench.add_notes(3);
  bench.expect_intact();
  const os::Dir home = *os::Dir::open(bench.home());
  const audit::VerifyOptions options{bench.home(), bench.guard(), bench.path("audit/anchors")};
  std::size_t flipped = 0;
  for (const auto& file : fs::recursive_directory_iterator(bench.path("events"))) {
    if (!file.is_regular_file()) continue;
    const std::string good = read(file.path());
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string bad = good;
      bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ (1U << (i % 8)));
      write(file.path(), bad);
      const auto report = audit::verify(home, options, {});
      ASSERT_TRUE(report);
      ASSERT_FALSE(report->breaks.empty()) << file.path() << " byte " << i;
      ASSERT_EQ(report->breaks[0].exit(), ExitCode::integrity) << file.path() << " byte " << i;
      ++flipped;
    }
    write(file.path(), good);
  }
  EXPECT_GT(flipped, 3000U);
  bench.expect_intact();
}

TEST(Damage, OneByteOfEachFileThroughTheProgram) {
  const Bench bench;
  ASSERT_EQ(bench.run({"self-check", "--record"}).exit, 0);
  bench.add_notes(2);
  for (const auto& file : fs::recursive_directory_iterator(bench.home())) {
    const std::string name = fs::relative(file.path(), bench.home());
    if (!file.is_regular_file() || name.starts_with("policy")) continue;
    const std::string good = read(file.path());
    std::string bad = good;
    bad[good.size() / 2] = static_cast<char>(static_cast<Byte>(bad[good.size() / 2]) ^ 1U);
    write(file.path(), bad);
    const test::Ran ran = bench.run({"audit", "verify"});
    EXPECT_EQ(ran.exit, 4) << name << ran.out;
    EXPECT_NE(ran.err.find("error[CG-AUDIT-"), std::string::npos) << name << ran.err;
    write(file.path(), good);
  }
  bench.expect_intact();
}

TEST(Damage, EntryDeleted) {
  const Bench bench;
  bench.add_notes(5);
  auto lines = bench.lines();
  lines.erase(lines.begin() + 2);
  bench.set_lines(lines);
  bench.expect_found("CG-AUDIT-002", "audit chain broken at entry 2");
}

TEST(Damage, EntryInserted) {
  const Bench bench;
  bench.add_notes(5);
  auto lines = bench.lines();
  const auto entry = record::parse_entry(lines[2]);
  lines.insert(lines.begin() + 2,
               record::encode_entry({std::string(entry->log), "spanning", 2, entry->t, entry->prev},
                                    record::OperatorNoted{"never said"}));
  bench.set_lines(lines);
  bench.expect_found("CG-AUDIT-002", "audit chain broken at entry 3");
}

TEST(Damage, EntriesSwapped) {
  const Bench bench;
  bench.add_notes(5);
  auto lines = bench.lines();
  std::swap(lines[2], lines[3]);
  bench.set_lines(lines);
  bench.expect_found("CG-AUDIT-002", "audit chain broken at entry 2");
}

TEST(Damage, EntryDuplicated) {
  const Bench bench;
  bench.add_notes(5);
  auto lines = bench.lines();
  lines.insert(lines.begin() + 3, lines[3]);
  bench.set_lines(lines);
  bench.expect_found("CG-AUDIT-002", "audit chain broken at entry 4");
}

TEST(Damage, TruncatedByOneEntry) {
  const Bench bench;
  bench.add_notes(5);
  auto lines = bench.lines();
  lines.pop_back();
  bench.set_lines(lines);
  bench.expect_found("CG-AUDIT-005", "entries are missing from the end");
}

TEST(Damage, TruncatedByOneByte) {
  const Bench bench;
  bench.add_notes(5);
  const std::string good = read(bench.append_file());
  write(bench.append_file(), good.substr(0, good.size() - 1));
  bench.expect_found("CG-AUDIT-005", "entries are missing from the end");
}

TEST(Damage, TruncatedToTheLastCheckpoint) {
  const Bench bench;
  bench.add_notes(2);
  const std::string at_checkpoint = read(bench.append_file());
  {
    os::SystemClock clock;
    audit::Log log = bench.open(clock, bench.guard());
    ASSERT_TRUE(log.append({record::OperatorNoted{"above the checkpoint"}}));
  }
  bench.expect_intact();
  write(bench.append_file(), at_checkpoint);
  bench.expect_found("CG-AUDIT-005", "entries are missing from the end");
}

TEST(Damage, TruncatedToNothing) {
  const Bench bench;
  bench.add_notes(5);
  write(bench.append_file(), "");
  bench.expect_found("CG-AUDIT-005", "entries are missing from the end");
  fs::remove(bench.append_file());
  bench.expect_found("CG-AUDIT-001", "not found");
}

TEST(Damage, TruncatedAndContinued) {
  const Bench bench;
  bench.add_notes(5);
  auto lines = bench.lines();
  lines.resize(4);
  for (int i = 0; i < 2; ++i) {
    const auto entry = record::parse_entry(lines[3]);
    lines.push_back(record::encode_entry({std::string(entry->log), "spanning", 0, entry->t, {}},
                                         record::OperatorNoted{"history, rewritten"}));
  }
  forge(bench, lines);  // as many entries as before, all consistent, signed with the stolen key
  bench.expect_found("CG-AUDIT-006", "not the log that was seen before");
  EXPECT_EQ(bench.run({"audit", "note", "x"}).exit, 4);
}

TEST(Damage, WholeLogReplacedByAConsistentOne) {
  const Bench bench;
  bench.add_notes(3);
  const Bench other;
  other.add_notes(7);
  copy(other.path("events"), bench.path("events"));
  copy(other.path("keys"), bench.path("keys"));
  bench.expect_found("CG-AUDIT-006", "not the log that was seen here before");
  EXPECT_EQ(bench.run({"audit", "note", "x"}).exit, 4);
}

TEST(Damage, RolledBackToAnOlderCopy) {
  const Bench bench;
  bench.add_notes(3);
  copy(bench.path("events"), bench.scratch() / "older");
  bench.add_notes(3);
  copy(bench.scratch() / "older", bench.path("events"));
  bench.expect_found("CG-AUDIT-005", "when last seen");
  EXPECT_EQ(bench.run({"audit", "verify", "--no-guard"}).exit, 0);  // a copy judged on its own
}

TEST(Damage, OldCheckpointReplayed) {
  const Bench bench;
  bench.add_notes(3);
  copy(bench.path("events/tiles"), bench.scratch() / "tiles");
  const std::string state = read(bench.path("events/state.json"));
  bench.add_notes(3);
  copy(bench.scratch() / "tiles", bench.path("events/tiles"));
  bench.expect_found("CG-AUDIT-008", "checkpoint is older than");
  write(bench.path("events/state.json"), state);
  bench.expect_found("CG-AUDIT-008", "checkpoint is older than one that was seen");
}

TEST(Damage, TwoAnchorsThatDisagree) {
  const Bench bench;
  bench.add_notes(3);
  const sign::Seed signer = {4};
  const auto lines = bench.lines();
  const auto publish = [&](const std::string& date) {
    const std::string note = read(bench.path("events/tiles/checkpoint"));
    const std::string log = key_of(bench).verifier.name().substr(record::origin_of("").size());
    ASSERT_TRUE(audit::publish_anchor(
        bench.path("audit/anchors"), log, date, note,
        audit::AnchorSignature{".sig", sign::ssh_sign(signer, audit::kAnchorNamespace, note)}));
  };
  publish("2026-11-14");
  bench.expect_intact();
  auto forged = lines;
  const auto entry = record::parse_entry(lines[1]);
  forged[1] = record::encode_entry({std::string(entry->log), "spanning", 0, entry->t, {}},
                                   record::OperatorNoted{"another story"});
  forge(bench, forged);
  publish("2026-11-15");
  forge(bench, lines);
  bench.expect_found("CG-AUDIT-014", "two anchors disagree on the first 4 entries");
  const test::Ran ran = bench.run({"audit", "anchor", "verify"});
  EXPECT_EQ(ran.exit, 4) << ran.out;
}

TEST(Damage, LogRewrittenUnderAnAnchorWithoutAGuard) {
  const Bench bench;
  bench.add_notes(3);
  const test::ScratchDir keys;
  ASSERT_EQ(test::run({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", keys / "k"}).exit, 0);
  ASSERT_EQ(bench.run({"audit", "anchor", "publish", "--sign", "ssh:" + (keys / "k")}).exit, 0);
  auto forged = bench.lines();
  const auto entry = record::parse_entry(forged[1]);
  forged[1] = record::encode_entry({std::string(entry->log), "spanning", 0, entry->t, {}},
                                   record::OperatorNoted{"another story"});
  forge(bench, forged);
  fs::remove_all(bench.guard());
  bench.expect_found("CG-AUDIT-013", "other entries were there at 4");
}

TEST(Damage, ProofForTheWrongIndexSizeOrEmpty) {
  const Bench bench;
  bench.add_notes(9);
  const std::string good = bench.run({"audit", "prove", "5"}).out;
  const std::string entry = bench.run({"audit", "export", "--entry", "5"}).out;
  const auto check = [&](const std::string& proof, const std::string& line) {
    write(bench.scratch() / "proof", proof);
    write(bench.scratch() / "entry", line);
    return bench.run({"audit", "verify", "--proof", bench.scratch() / "proof", "--entry",
                      bench.scratch() / "entry"});
  };
  EXPECT_EQ(check(good, entry).exit, 0);
  const auto proof = *record::parse_proof(good);
  const auto head = *record::open_checkpoint(proof.checkpoint, key_of(bench).verifier);
  const std::string smaller =
      record::sign_checkpoint({head.log, head.size - 1, head.root, head.head}, key_of(bench).seed);
  const std::string larger =
      record::sign_checkpoint({head.log, head.size * 4, head.root, head.head}, key_of(bench).seed);
  for (const std::string& bad : {record::write_proof({4, proof.path, proof.checkpoint}),
                                 record::write_proof({5, {}, proof.checkpoint}),
                                 record::write_proof({5, proof.path, larger}),
                                 record::write_proof({999, proof.path, smaller}), std::string()}) {
    const test::Ran ran = check(bad, entry);
    EXPECT_EQ(ran.exit, 4) << bad;
    EXPECT_NE(ran.err.find("error[CG-AUDIT-015]"), std::string::npos) << ran.err;
  }
  EXPECT_EQ(check(good, bench.run({"audit", "export", "--entry", "4"}).out).exit, 4);
}

TEST(Damage, NoteWithAnUnknownKey) {
  const Bench bench;
  bench.add_notes(3);
  const auto key = key_of(bench);
  const auto head =
      *record::open_checkpoint(read(bench.path("events/tiles/checkpoint")), key.verifier);
  write(bench.path("events/tiles/checkpoint"), record::sign_checkpoint(head, {99}));
  bench.expect_found("CG-AUDIT-008", "signed by a key that is not this log's");
  EXPECT_EQ(bench.run({"audit", "note", "x"}).exit, 4);
}

TEST(Damage, TileCorruptUnderAnIntactCheckpoint) {
  const Bench bench;
  bench.add_notes(300);
  for (const std::string name : {"0/000", "0/001.p/45", "1/000.p/1"}) {
    const std::string path = bench.path("events/tiles/tile/" + name);
    const std::string good = read(path);
    std::string bad = good;
    bad[17] = static_cast<char>(bad[17] ^ 1);
    write(path, bad);
    bench.expect_found("CG-AUDIT-009", "tile does not hold the hashes of the entries");
    fs::remove(path);
    bench.expect_found("CG-AUDIT-009", "tile is missing");
    write(path, good);
  }
  bench.expect_intact();
}

}  // namespace
}  // namespace cg::damage
