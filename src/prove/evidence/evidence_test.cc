#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/archive/stream.h"
#include "base/base/bytes.h"
#include "fix/report/samples.h"
#include "prove/evidence/samples_test.h"
#include "prove/evidence/verify.h"
#include "trust/audit/layout.h"
#include "trust/hash/sha256.h"
#include "trust/sign/sshsig.h"

namespace cg::evidence {
namespace {

namespace fs = std::filesystem;
using cg::test::read;
using cg::test::run;
using test::Bench;
using test::Stage;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

sign::Seed seed_of(Byte b) {
  sign::Seed seed{};
  seed.fill(b);
  return seed;
}

sign::AllowedSigners signers(const sign::Seed& seed, const std::string& space) {
  const auto parsed =
      sign::parse_allowed_signers("reviewer@example namespaces=\"" + space + "\" " +
                                  sign::write_ssh_public_key(sign::public_key(seed)) + "\n");
  EXPECT_TRUE(parsed.has_value());
  return *parsed;
}

BundleReport verify(const std::string& path, const Trust& trust = {}) {
  const auto files = read_bundle(path);
  EXPECT_TRUE(files) << files.error().what;
  return verify_bundle(*files, trust);
}

void expect_whole(const BundleReport& report) {
  for (const Break& b : report.breaks) ADD_FAILURE() << b.file << " " << b.what;
}

TEST(Bundle, FolderAndArchiveSayTheSame) {
  Bench bench;
  const std::string folder = bench.write();
  expect_whole(verify(folder));
  expect_whole(verify(folder + "/"));
  expect_whole(verify(folder + ".tar.zst"));
  EXPECT_EQ(*read_bundle(folder), *read_bundle(folder + ".tar.zst"));
  const auto files = *read_bundle(folder);
  for (const char* name : {"SUMMARY.md",
                           "VERIFY.md",
                           "case.json",
                           "plan.json",
                           "patch.diff",
                           "commit.txt",
                           "sbom/before.cdx.json",
                           "sbom/after.cdx.json",
                           "vex/openvex.json",
                           "vex/cyclonedx-vex.json",
                           "scan/before.json",
                           "scan/after.json",
                           "scan/results.sarif",
                           "tier/recipe.json",
                           "context/repo-context.json",
                           "gates/tests.json",
                           "gates/build.json",
                           "events.jsonl",
                           "proof/entry.json",
                           "proof/entry.tlog-proof",
                           "proof/log.vkey",
                           "manifest.json"}) {
    EXPECT_TRUE(files.contains(name)) << name;
  }
  EXPECT_EQ(files.size(), 22U);
}

TEST(Bundle, TellsWhatWasAndWasNotChecked) {
  Bench bench;
  const BundleReport report = verify(bench.write());
  EXPECT_THAT(report.checked, Contains("14 events in one chain"));
  EXPECT_THAT(report.checked, Contains("the events name the digest of the evidence"));
  EXPECT_THAT(report.checked, Contains("each commit has the case's id, parent, tier and plan"));
  EXPECT_THAT(report.checked, Contains("the workflow's end is in the log of 3 entries"));
  EXPECT_THAT(report.checked, Contains("the case is what the events come to: 1 branch, 1 attempt, "
                                       "1 copy"));
  EXPECT_THAT(report.checked,
              Contains("1 finding before, 0 after: as the scans and events have them"));
  EXPECT_THAT(report.checked, Contains("the words are the case's"));
  EXPECT_THAT(report.checked,
              Contains("every branch passed its gates, 1 in all, isolation namespaces"));
  EXPECT_THAT(report.unchecked, Contains(HasSubstr("the manifest is not signed")));
  EXPECT_THAT(report.unchecked, Contains(HasSubstr("whose log it is")));
}

TEST(Bundle, IsPrivate) {
  Bench bench;
  const std::string folder = bench.write();
  for (const auto& entry : fs::recursive_directory_iterator(bench.home_path + "/evidence")) {
    const auto mode = entry.status().permissions() & fs::perms::all;
    EXPECT_EQ(mode, entry.is_directory() ? fs::perms::owner_all
                                         : fs::perms::owner_read | fs::perms::owner_write)
        << entry.path();
  }
}

TEST(Bundle, IsNeverReplaced) {
  Bench bench;
  Draft draft = bench.run();
  ASSERT_TRUE(write_bundle(bench.home, draft, {}));
  EXPECT_FALSE(write_bundle(bench.home, draft, {}));
  expect_whole(verify(bench.home_path + "/" + folder_of(draft.workflow)));
}

TEST(Bundle, SameFilesGiveTheSameArchive) {
  Bench bench;
  Draft draft = bench.run();
  const auto first = write_bundle(bench.home, draft, {});
  ASSERT_TRUE(first);
  const std::string archive = bench.home_path + "/" + first->archive;
  const std::string bytes = read(archive);
  EXPECT_EQ(first->digest, "sha256:" + to_hex(hash::sha256(as_bytes(bytes))));
  fs::remove_all(bench.home_path + "/evidence");
  ASSERT_TRUE(write_bundle(bench.home, draft, {}));
  EXPECT_EQ(read(archive), bytes);
}

TEST(Bundle, IsWrittenOnlyOfWhatTheLogCanProve) {
  for (const Stage stage : {Stage::running, Stage::ended}) {
    Bench bench;
    const auto written = write_bundle(bench.home, bench.run(stage), {});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().exit(), ExitCode::integrity);
    EXPECT_FALSE(fs::exists(bench.home_path + "/evidence"));
  }
}

TEST(Bundle, OfSeveralBranchesHolds) {
  Bench bench;
  bench.about = report::test::mixed_case();
  const BundleReport report = verify(bench.write());
  expect_whole(report);
  EXPECT_THAT(report.checked, Contains("the case is what the events come to: 2 branches, 2 "
                                       "attempts, 4 copies"));
}

TEST(Bundle, OfSeveralBranchesHasAFolderForEach) {
  report::Case c = report::test::mixed_case();
  const test::Made made = test::make(c);
  const Draft draft = draft_bundle(made.c, made.parts);
  for (const char* name :
       {"branches/1/commit.txt", "branches/1/patch.diff", "branches/1/plan.json",
        "branches/2/commit.txt", "branches/2/plan.json", "patch.diff", "plan.json", "handoff.md"}) {
    EXPECT_TRUE(draft.files.contains(name)) << name;
  }
  EXPECT_FALSE(draft.files.contains("commit.txt"));
  EXPECT_NE(draft.files.at("branches/1/plan.json"), draft.files.at("branches/2/plan.json"));
  EXPECT_EQ(draft.files.at("patch.diff").size(), 2 * made.parts.commits[0].patch.size());
}

TEST(Signature, CountsOnlyByAnAllowedKey) {
  Bench bench;
  const std::string folder = bench.write(seed_of(1));
  Trust trust;
  trust.signers = signers(seed_of(1), "codegenie-evidence");
  const BundleReport good = verify(folder, trust);
  expect_whole(good);
  EXPECT_EQ(good.signer, "reviewer@example");
  trust.signers = signers(seed_of(2), "codegenie-evidence");
  EXPECT_THAT(verify(folder, trust).breaks, Not(IsEmpty()));
  trust.signers = signers(seed_of(1), "codegenie-anchor");
  EXPECT_THAT(verify(folder, trust).breaks, Not(IsEmpty()));
  expect_whole(verify(folder));
}

TEST(Signature, IsDemandedByAllowedSigners) {
  Bench bench;
  Trust trust;
  trust.signers = signers(seed_of(1), "codegenie-evidence");
  const BundleReport report = verify(bench.write(), trust);
  ASSERT_EQ(report.breaks.size(), 1U);
  EXPECT_EQ(report.breaks[0].what, "is missing: nobody has signed the manifest");
}

TEST(Anchor, TellsWhoseLogItIs) {
  Bench bench;
  const std::string folder = bench.write(seed_of(1));
  Trust trust;
  trust.anchor = read(bench.home_path + "/events/tiles/checkpoint");
  trust.anchor_signature = sign::ssh_sign(seed_of(1), audit::kAnchorNamespace, trust.anchor);
  trust.signers = signers(seed_of(1), "codegenie-*");
  const BundleReport report = verify(folder, trust);
  expect_whole(report);
  EXPECT_THAT(report.checked, Contains("the log's key is the anchor's"));
  EXPECT_THAT(report.checked, Contains("the anchor is signed by reviewer@example"));

  Bench other;
  static_cast<void>(other.write());
  trust.anchor = read(other.home_path + "/events/tiles/checkpoint");
  const BundleReport foreign = verify(folder, trust);
  ASSERT_FALSE(foreign.breaks.empty());
  EXPECT_EQ(foreign.breaks[0].file, "proof/log.vkey");
}

TEST(Anchor, OfAnotherSizeLeavesAQuestion) {
  Bench bench;
  const std::string folder = bench.write();
  audit::Log log = bench.open_log();
  ASSERT_TRUE(log.append({record::OperatorNoted{"later"}}));
  ASSERT_TRUE(log.checkpoint());
  Trust trust;
  trust.anchor = read(bench.home_path + "/events/tiles/checkpoint");
  const BundleReport report = verify(folder, trust);
  expect_whole(report);
  EXPECT_THAT(report.unchecked, Contains(HasSubstr("that the anchor covers the entry")));
}

/// What VERIFY.md tells a person to run, run.
TEST(VerifyMd, WorksWithoutCodegenie) {
  Bench bench;
  const std::string folder = bench.write(seed_of(1));
  cg::test::write(
      bench.scratch / "allowed_signers",
      "reviewer@example " + sign::write_ssh_public_key(sign::public_key(seed_of(1))) + "\n");
  const std::string script =
      "cd " + folder +
      " && jq -r '.files[] | .sha256 + \"  \" + .path' manifest.json | sha256sum -c --quiet"
      " && diff <(jq -r '.files[].path' manifest.json | sort)"
      " <(find * -type f ! -name 'manifest.json*' | sort)"
      " && ssh-keygen -Y verify -f ../../../allowed_signers -I reviewer@example"
      " -n codegenie-evidence -s manifest.json.sig < manifest.json"
      " && [ \"$(git hash-object -t commit commit.txt)\" = \"$(jq -r '.commits[].commit' "
      "case.json)\" ]"
      " && [ \"Codegenie-Plan: sha256:$(sha256sum < plan.json | cut -d' ' -f1)\" ="
      " \"$(grep '^Codegenie-Plan: ' commit.txt)\" ]";
  const auto ran = run({"/bin/bash", "-c", script});
  EXPECT_EQ(ran.exit, 0) << ran.out << ran.err;
}

TEST(FindWorkflow, TakesPrefixesAndLatest) {
  cg::test::ScratchDir scratch;
  const os::Dir home = *os::Dir::make(scratch / "home");
  EXPECT_FALSE(find_workflow(home, "latest"));
  for (const char* name :
       {"01JCN4Q0000000000000000000", "01JCN4Q0000000000000000001", "01JCN4R0000000000000000000",
        ".partial-01JCN4S0000000000000000000", "01JCN4R0000000000000000000.tar.zst"}) {
    ASSERT_TRUE(home.make_dir(std::string("evidence/") + name));
  }
  EXPECT_EQ(find_workflow(home, "latest")->str(), "01JCN4R0000000000000000000");
  EXPECT_EQ(find_workflow(home, "01jcn4r")->str(), "01JCN4R0000000000000000000");
  EXPECT_EQ(find_workflow(home, "01JCN4Q0000000000000000001")->str(), "01JCN4Q0000000000000000001");
  for (const char* bad : {"", "01JCN4", "01JCN4Q", "../../etc", "01JCN4S", "LATEST"}) {
    EXPECT_FALSE(find_workflow(home, bad)) << bad;
  }
}

}  // namespace
}  // namespace cg::evidence
