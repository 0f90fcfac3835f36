#include <gtest/gtest.h>

#include "base/base/text.h"
#include "support/support.h"
#include "trust/hash/merkle.h"
#include "trust/record/checkpoint.h"
#include "trust/record/entry.h"
#include "trust/record/event_any.h"
#include "trust/record/event_codec.h"
#include "trust/record/frame.h"
#include "trust/record/proof.h"
#include "trust/record/state.h"
#include "trust/record/tile.h"

namespace cg::record {
namespace {

constexpr sign::Seed kSeed = {7};
const std::string kLog(32, 'a');

hash::Digest digest(Byte fill) {
  hash::Digest d{};
  d.fill(fill);
  return d;
}

Events samples() {
  return {LogCreated{"codegenie/log/x+00000000+AAAA", "codegenie 0.1.0"},
          TailRepaired{digest(1), 17},
          OperatorNoted{"line one\nquote \" backslash \\ bell \x07 é"},
          AnchorPublished{"2026-11-15.note", "ssh", digest(2), "SHA256:abc", 12},
          WorkflowStarted{"self_check", "01ARYZ6S41000G40R40M30E209"},
          WorkflowEnded{3, digest(3), "ok", "01ARYZ6S41000G40R40M30E209"},
          CheckRan{"clock", "fine", "ok"},
          AdvisoryIndexReplaced{5736, {}, "refresh osv.jsonl", 2},
          EmbedderInitialized{384, "encoder-1/fp32/00ff", "all-MiniLM-L6-v2", "as_read", digest(6)},
          EmbedderHashMismatch{digest(7), "vocab.txt", std::string(64, '0'), "all-MiniLM-L6-v2"},
          RemediationStarted{std::string(40, 'c'), "shop", "CVE-2000-1"},
          ContextGathered{digest(4), 2, 1284},
          RegistryConsulted{digest(5), 31},
          ProvenanceClassified{"GHSA-1", 2, "app_transitive", "node_modules/a"},
          RecipeAnswered{"no", "node_modules/a", "a", "the range of b allows no safe version",
                         "npm-relock@1"},
          PlanMade{1, digest(6), 4, 3, 1, 0},
          OverrideAdded{"b > a", "no release of b asks for a safe version", "1.0.1"},
          PluginLoaded{digest(7), "universal--any--any"},
          CapabilityMinted{"git_local_ops", "shop codegenie/"},
          CapabilityUsed{"git_local_ops", "write the branch"},
          EditsApplied{digest(8), 2},
          BranchWritten{"codegenie/cve-2000-1", std::string(40, 'd'), "new"},
          UnprovenWritten{"codegenie-unproven/cve-2000-1", std::string(40, 'd'), "created"},
          PlanCommitted{std::string(40, 'd'), "group", digest(8)},
          EvidenceSigned{"SHA256:47DEQpj8HBSa"},
          EvidenceWritten{digest(9), "evidence/01ARYZ6S41000G40R40M30E209"},
          HandoffWritten{"evidence/01ARYZ6S41000G40R40M30E209/handoff.md"},
          RemediationRefused{7, "nothing matches this repository"},
          EgressViolation{"socket", "AF_INET stream"},
          PluginRejected{"CG-PLUG-001", "another digest than the pinned one", "npm--node--npm"},
          FilesystemRaceDetected{"package-lock.json", "it is a symbolic link now"},
          PreflightDone{1, 2, 3, "a@1.0.0 comes from git"},
          ManagerFetched{"sha512-QQ==", "pnpm-lock.yaml", "pnpm", "9.15.4"},
          PackagesStocked{4096, 3, 1, "package-lock.json"},
          SandboxOpened{"namespaces", "user namespace, seccomp", "base"},
          StepRan{"exit 0", digest(10), 812, digest(11), "fix", "tests"},
          StepKept{digest(10), digest(11), "tests"},
          StepRecalled{"exit 0", digest(10), "namespaces", digest(12), digest(11), "fix", "tests",
                       "01M7Q0JZ4J"},
          RecallRefused{digest(10), "the log has another digest for it"},
          SignalJudged{"passed 4", 1, "passed 4", "0f", "yes", "", "tests"},
          ProofWeak{1, "0f", "their exit code alone was judged", "tests"},
          BaseUnprovable{1, "the packages cannot be installed", "0f", "package-lock.json"},
          AnswerForged{1, "0f", "a > adds: not reported as failed", "tests"},
          AttemptEnded{1, "tests", "0f", "namespaces", "a 1.0.1"},
          RecipeMissed{"GHSA-1", "node_modules/a", "a", "major bump needed"},
          RagHit{"GHSA-1", 1, "0f", "0.87", "hit"},
          RagMiss{"GHSA-1", 1, "0.21", "no example is near enough"},
          FenceCreated{120, digest(12), 4000, "repo_readme"},
          CanaryCollision{80, "folded", 2, "cve_description", digest(13), 17, "override-1", "no"},
          SecretsRedacted{40, 1, "source_snippet", "github-token"},
          PayloadTruncated{2048, 9000, "repo_readme"},
          SegmentDropped{900, "transitive_dep_meta", "left-pad"},
          BudgetPrecharged{1, "model-a", 12000, "0.12"},
          BudgetReconciled{0, 900, 1, 5000, "yes", 300, "0.02"},
          BudgetReconciledOver{1, 12000, "0.12", 12001, "0.13"},
          BudgetWarned{250000, "1.50", 201000, "0.90"},
          BudgetExceeded{"usd", "a call could cost 0.40, 0.10 are left", 240000, "1.40"},
          BudgetOverrideGranted{"SHA256:abc", digest(14), 500000, "3.00"},
          LeafKeyLoaded{"memfd_secret", "kernel"},
          LeafInvoked{1, 1, digest(15), "0f", 4096, "model-a"},
          LeafReturned{1, 1, digest(16), 5000, "seccomp", "model-a", "plan", 300, digest(17), 1},
          LeafFailed{1, 1, "no answer", "timeout", 3, 0},
          EgressCertPinFailed{"no pinned key in the chain", "model.example"},
          CassetteLoaded{digest(18), 2, "fix.cassette"},
          CassetteMissed{digest(19), "fix.cassette"},
          CassetteRecorded{digest(20), 2, "fix.cassette"},
          PlanProposalAccepted{1, digest(21), "0f", "callsite_rewrite", digest(22)},
          PlanProposalRejected{1, digest(23), "0f", "unknown_key", 2, "command"},
          PlanRecalled{1, "codegenie/cve-2000-1", std::string(40, 'd'), "0f", "dep_bump",
                       "01ARYZ6S41TSV4RRFFQ69G5FAV"},
          BranchStale{std::string(40, 'b'), "codegenie/cve-2000-1", std::string(40, 'd'), "0f",
                      "01ARYZ6S41TSV4RRFFQ69G5FAV"},
          SolvedExampleWritten{digest(24), 1, 2, "rec-0f",
                               "{\"advisory\":", "01ARYZ6S41TSV4RRFFQ69G5FAV", 7, digest(25)},
          SolvedExampleImported{digest(26), digest(27), digest(28), kLog, 2, 2, "rec-0f", 12,
                                "SHA256:abc", "\"GHSA-1\"}"},
          SolvedExampleSkipped{1, "a record says the same", "rec-0f"},
          PersonsFixRead{std::string(40, 'b'), std::string(40, 'd'), "SHA256:abc"},
          RagEmbedded{digest(29), "built-in/1", "rec-0f"},
          RagQuery{"GHSA-1", 1, 2, 0, "built-in/1", "rec-0f 0.873 verified\nrec-1f 0.700 edited"},
          RagRecordChainOrphan{"GHSA-1", 1, "the log has no such record", "rec-0f", "orphan"},
          RagQuarantined{digest(30), "override-1", "summary gives orders", "rec-0f", "verified"},
          RagReleased{"looked at", "rec-0f", "SHA256:abc", digest(31)},
          RagRepaired{1, "behind", 0}};
}

TEST(Events, RoundTripAndOneSpelling) {
  ASSERT_EQ(samples().size(), std::variant_size_v<AnyEvent>);
  for (const Event& event : samples()) {
    const std::string body = encode_body(event);
    SCOPED_TRACE(body);
    const auto back = decode_body(kind_of(event), body);
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, event);
    EXPECT_EQ(decode_body("no_such_kind", body).error(), EventError::unknown_kind);
    // No other text decodes to the same event.
    for (std::size_t i = 0; i < body.size(); ++i) {
      for (const std::string& other :
           {body.substr(0, i), body.substr(0, i) + " " + body.substr(i)}) {
        const auto damaged = decode_body(kind_of(event), other);
        EXPECT_TRUE(!damaged || *damaged != event) << other;
      }
    }
  }
  EXPECT_FALSE(decode_body("operator_noted", "{\"text\":\"\\u0041\"}"));
  EXPECT_FALSE(decode_body("operator_noted", "{\"text\":\"\\u000a\"}"));
  EXPECT_FALSE(decode_body("operator_noted", "{\"text\":\"\xff\"}"));
  EXPECT_FALSE(decode_body("operator_noted", "{\"text\":\"a\",\"text\":\"b\"}"));
}

TEST(Events, EntriesFromBeforeAFieldWasAddedReadAsEver) {
  const std::string before = R"({"advisory":"GHSA-1","best":"0.21","reason":"none is near"})";
  const auto old = decode_body("rag_miss", before);
  ASSERT_TRUE(old);
  EXPECT_EQ(old->as<RagMiss>()->attempt, 0U);
  EXPECT_EQ(encode_body(*old), before);
  const std::string now = R"({"advisory":"GHSA-1","attempt":2,"best":"","reason":"none"})";
  EXPECT_EQ(decode_body("rag_miss", now)->as<RagMiss>()->attempt, 2U);
  for (const char* other :
       {R"({"advisory":"GHSA-1","attempt":0,"best":"","reason":"none"})",
        R"({"advisory":"GHSA-1","best":"","attempt":2,"reason":"none"})",
        R"({"advisory":"GHSA-1","attempt":2,"attempt":2,"best":"","reason":"none"})"}) {
    EXPECT_FALSE(decode_body("rag_miss", other)) << other;
  }
}

TEST(Events, WhatSomebodyShouldBeWokenForIsSaidByTheKind) {
  EXPECT_EQ(severity_of(EgressViolation{}), Severity::block);
  EXPECT_EQ(severity_of(BudgetWarned{}), Severity::warning);
  EXPECT_EQ(severity_of(OperatorNoted{}), Severity::note);
}

TEST(Events, FieldsStandInCanonicalOrder) {
  for (const EventRow& row : event_table()) {
    for (std::size_t i = 1; i < row.fields.size(); ++i) {
      EXPECT_LT(row.fields[i - 1].name, row.fields[i].name) << row.kind;
    }
  }
}

TEST(Events, WhateverIsInThemTheyAreRecorded) {
  const std::string body = encode_body(OperatorNoted{std::string(10'000, 'x')});
  EXPECT_EQ(decode_body("operator_noted", body)->as<OperatorNoted>()->text.size(), 2048U);
  const std::string binary = encode_body(OperatorNoted{std::string("\xff\x00", 2)});
  EXPECT_TRUE(decode_body("operator_noted", binary));
  const std::string wide = encode_body(OperatorNoted{std::string(2047, 'x') + "é"});
  EXPECT_EQ(decode_body("operator_noted", wide)->as<OperatorNoted>()->text.size(), 2047U);
}

/// A record of the store is long, and who wrote it may choose what has to be escaped.
TEST(Entry, ThePartOfARecordFitsIntoALineWhateverIsInIt) {
  const Place place{kLog, std::string(kSpanning), UINT64_MAX, Time{1'795'000'000'123}, digest(9)};
  SolvedExampleImported worst{digest(1),
                              digest(2),
                              digest(3),
                              std::string(64, '\x01'),
                              UINT64_MAX,
                              UINT64_MAX,
                              std::string(64, '\x01'),
                              UINT64_MAX,
                              std::string(128, '\x01'),
                              std::string(kMaxPart, '\x01')};
  const std::string line = encode_entry(place, worst);
  EXPECT_GT(line.size(), 6 * kMaxPart);
  EXPECT_LE(line.size(), kMaxLine);
  EXPECT_TRUE(parse_entry(line));
}

TEST(Entry, RoundTripAndOneSpelling) {
  const Place place{kLog, "spanning", 41, Time{1'795'000'000'123}, digest(9)};
  for (const Event& event : samples()) {
    const std::string line = encode_entry(place, event);
    const auto entry = parse_entry(line);
    ASSERT_TRUE(entry) << line;
    EXPECT_EQ(entry->seq, 41U);
    EXPECT_EQ(entry->prev, digest(9));
    EXPECT_EQ(*decode_body(entry->kind, entry->body), event);
    for (std::size_t i = 0; i < line.size(); ++i) {
      EXPECT_FALSE(parse_entry(line.substr(0, i)));
    }
    EXPECT_FALSE(parse_entry(line + " "));
  }
  EXPECT_EQ(parse_entry(std::string(kMaxLine + 1, 'x')).error(), EntryError::too_long);
}

TEST(StoredFrame, IsOrdinaryZstd) {
  const test::ScratchDir scratch;
  const std::string content = "{\"a\":1}\n{\"b\":2}\n";
  test::write(scratch / "f.zst", stored_frame(content) + stored_frame("x\n"));
  EXPECT_EQ(test::run({"zstdcat", scratch / "f.zst"}).out, content + "x\n");
  const std::string largest = std::string(kMaxFrameContent - 1, 'y') + "\n";
  test::write(scratch / "g.zst", stored_frame(largest));
  EXPECT_EQ(test::run({"zstdcat", scratch / "g.zst"}).out, largest);
}

TEST(StoredFrame, EveryHeaderByteIsForeseen) {
  const std::string frame = stored_frame("hello\n");
  const auto parsed = parse_stored_frame(frame);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->content, "hello\n");
  EXPECT_EQ(parsed->size, frame.size());
  for (std::size_t i = 0; i < kStoredHeader; ++i) {
    for (unsigned bit = 1; bit < 256; bit <<= 1U) {
      std::string bad = frame;
      bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ bit);
      EXPECT_FALSE(parse_stored_frame(bad)) << i;
    }
  }
  for (std::size_t i = 1; i < frame.size(); ++i) {
    EXPECT_EQ(parse_stored_frame(frame.substr(0, i)).error(), FrameError::torn) << i;
  }
}

TEST(Segment, RoundTripZstdcatAndEveryBit) {
  std::string content;
  for (int i = 0; i < 50; ++i) content += "{\"line\":" + std::to_string(i) + "}\n";
  const SegmentHeader header{12, 50, digest(1), digest(2)};
  const std::string file = seal_segment(header, content);
  const auto segment = open_segment(file);
  ASSERT_TRUE(segment);
  EXPECT_EQ(segment->header, header);
  EXPECT_EQ(segment->content, content);
  const test::ScratchDir scratch;
  test::write(scratch / "s.zst", file);
  EXPECT_EQ(test::run({"zstdcat", scratch / "s.zst"}).out, content);
  for (std::size_t i = 0; i < file.size(); ++i) {
    for (unsigned bit = 1; bit < 256; bit <<= 1U) {
      std::string bad = file;
      bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ bit);
      const auto opened = open_segment(bad);
      // first, count, prev and head are claims that the reader of the lines checks.
      EXPECT_TRUE(!opened || opened->header != header) << i;
    }
    EXPECT_FALSE(open_segment(file.substr(0, i)));
  }
  EXPECT_FALSE(open_segment(file + "x"));
  EXPECT_EQ(segment_name(42), "sealed-000000000042.jsonl.zst");
  EXPECT_TRUE(is_segment_name(segment_name(42)));
  EXPECT_FALSE(is_segment_name("sealed-.jsonl.zst"));
  EXPECT_FALSE(is_segment_name("append.jsonl.zst"));
}

TEST(Tiles, PathsAsC2spSpellsThem) {
  EXPECT_EQ(tile_path(0, 0, 256), "tile/0/000");
  EXPECT_EQ(tile_path(0, 0, 5), "tile/0/000.p/5");
  EXPECT_EQ(tile_path(1, 1234067, 256), "tile/1/x001/x234/067");
  EXPECT_EQ(tile_path(2, 1000, 7), "tile/2/x001/000.p/7");
}

TEST(Tiles, TreeAgreesWithRfc6962AtEverySizeAndAfterEveryResume) {
  std::vector<hash::Digest> leaves;
  TileTree tree;
  for (int i = 0; i < 1400; ++i) {
    leaves.push_back(hash::leaf_hash(as_bytes(std::to_string(i))));
    tree.push(leaves.back(), nullptr);
    if (i > 600 && i % 97 != 0) continue;
    ASSERT_EQ(tree.root(), hash::tree_root(leaves)) << i;
    std::vector<std::string> partials;
    for (const Tile& tile : tree.partials()) partials.push_back(tile_bytes(tile));
    const auto resumed = TileTree::resume(tree.size(), partials);
    ASSERT_TRUE(resumed);
    EXPECT_EQ(resumed->root(), tree.root());
    tree = *resumed;
  }
}

TEST(Checkpoint, RoundTripAndDamage) {
  const TreeHead head{kLog, 12, digest(4), digest(5)};
  const auto key = sign::NoteKey::make(origin_of(kLog), sign::public_key(kSeed));
  const std::string good = sign_checkpoint(head, kSeed);
  EXPECT_EQ(*open_checkpoint(good, *key), head);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ 1U);
    EXPECT_FALSE(open_checkpoint(bad, *key)) << i;
    EXPECT_FALSE(open_checkpoint(good.substr(0, i), *key)) << i;
  }
  const auto other = sign::NoteKey::make(origin_of(std::string(32, 'b')), sign::public_key(kSeed));
  EXPECT_EQ(open_checkpoint(good, *other).error(), CheckpointError::foreign);
  const auto stranger = sign::NoteKey::make(origin_of(kLog), sign::public_key({8}));
  EXPECT_EQ(open_checkpoint(good, *stranger).error(), CheckpointError::unknown_key);
}

TEST(Proof, HoldsForItsEntryAndNoOther) {
  std::vector<hash::Digest> leaves;
  for (int i = 0; i < 21; ++i)
    leaves.push_back(hash::leaf_hash(as_bytes("line " + std::to_string(i))));
  const auto key = sign::NoteKey::make(origin_of(kLog), sign::public_key(kSeed));
  const std::string checkpoint =
      sign_checkpoint({kLog, 21, hash::tree_root(leaves), digest(1)}, kSeed);
  const Proof proof{13, hash::inclusion_path(leaves, 13), checkpoint};
  const std::string text = write_proof(proof);
  EXPECT_EQ(*parse_proof(text), proof);
  EXPECT_TRUE(check_proof(proof, "line 13", *key));
  EXPECT_EQ(check_proof(proof, "line 12", *key).error(), ProofError::not_the_entry);
  EXPECT_EQ(check_proof({12, proof.path, checkpoint}, "line 13", *key).error(),
            ProofError::not_the_entry);
  EXPECT_EQ(check_proof({13, {}, checkpoint}, "line 13", *key).error(), ProofError::not_the_entry);
  const std::string smaller =
      sign_checkpoint({kLog, 13, hash::tree_root(leaves), digest(1)}, kSeed);
  EXPECT_EQ(check_proof({13, proof.path, smaller}, "line 13", *key).error(),
            ProofError::not_the_entry);
  EXPECT_EQ(parse_proof("").error(), ProofError::malformed);
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string bad = text;
    bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ 1U);
    const auto parsed = parse_proof(bad);
    EXPECT_TRUE(!parsed || !check_proof(*parsed, "line 13", *key)) << i;
  }
}

TEST(State, RoundTripAndOneSpelling) {
  State state{kLog, 0, {}, {}, {}};
  for (const Event& event : samples()) apply(state, event, digest(1));
  apply(state, WorkflowStarted{"t", "01ARYZ6S41000G40R40M30E20A"}, digest(2));
  EXPECT_EQ(state.entries, samples().size() + 1);
  EXPECT_EQ(state.kinds["workflow_started"], 2U);
  EXPECT_EQ(state.open_workflows.size(), 1U);
  const std::string bytes = write_state(state);
  EXPECT_EQ(*parse_state(bytes), state);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(parse_state(bytes.substr(0, i)));
    std::string bad = bytes;
    bad[i] = static_cast<char>(static_cast<Byte>(bad[i]) ^ 1U);
    const auto parsed = parse_state(bad);
    EXPECT_TRUE(!parsed || *parsed != state) << i;
  }
}

}  // namespace
}  // namespace cg::record
