// Whatever is done to a bundle, it is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/archive/stream.h"
#include "base/archive/tar.h"
#include "prove/evidence/manifest.h"
#include "prove/evidence/samples_test.h"
#include "prove/evidence/verify.h"
#include "trust/hash/sha256.h"

namespace cg::evidence {
namespace {

namespace fs = std::filesystem;
using cg::test::read;
using test::Bench;
using test::Stage;

sign::Seed seed() {
  sign::Seed out{};
  out.fill(7);
  return out;
}

/// A file with its digests put right again: what somebody would do who can write.
Files remade(Files files) {
  const auto c = report::from_json(files.at("case.json"));
  if (c) files["manifest.json"] = manifest_text(files, c->workflow, c->tool);
  files.erase("manifest.json.sig");
  return files;
}

std::string first_break(const Files& files) {
  const BundleReport report = verify_bundle(files, {});
  return report.breaks.empty() ? "" : report.breaks.front().file;
}

TEST(Damage, EveryFlippedByteIsFoundAndItsFileNamed) {
  Bench bench;
  const Files whole = *read_bundle(bench.write(seed()));
  ASSERT_EQ(first_break(whole), "");
  std::size_t flips = 0;
  for (const auto& [path, bytes] : whole) {
    Files files = whole;
    // All of what is small or of a form of its own; a sample of the rest, whose digest
    // covers every byte alike.
    const std::size_t step = path == kManifest || path == kSignature || bytes.size() < 800 ? 1 : 97;
    for (std::size_t i = 0; i < bytes.size(); i += step) {
      for (const unsigned bit : {0U, 5U}) {
        std::string& target = files.at(path);
        target[i] = static_cast<char>(static_cast<unsigned char>(target[i]) ^ (1U << bit));
        const std::string found = first_break(files);
        ASSERT_NE(found, "") << path << " " << i;
        ASSERT_TRUE(path == kManifest || found == path) << path << " " << i;
        target[i] = bytes[i];
        ++flips;
      }
    }
  }
  EXPECT_GT(flips, 5000U);
}

TEST(Damage, MissingAndAddedFilesAreNamed) {
  Bench bench;
  const Files whole = *read_bundle(bench.write());
  for (const auto& [path, bytes] : whole) {
    Files files = whole;
    files.erase(path);
    EXPECT_EQ(first_break(files), path);
  }
  for (const char* more : {"more", "manifest.json2", "a/b", "proof/entry.json2"}) {
    Files files = whole;
    files[more] = "";
    EXPECT_EQ(first_break(files), more);
  }
}

/// Digests put right: what is left are the events, the plan and the commit.
TEST(Damage, ARemadeManifestDoesNotHelp) {
  Bench bench;
  const Files whole = *read_bundle(bench.write());
  const auto tampered = [&](const std::string& path, const std::string& from,
                            const std::string& to) {
    Files files = whole;
    std::string& text = files.at(path);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << path << " " << from;
    text.replace(at, from.size(), to);
    return first_break(remade(files));
  };
  EXPECT_EQ(tampered("SUMMARY.md", "184 passed", "999 passed"), "events.jsonl");
  EXPECT_EQ(tampered("patch.diff", "package.json", "package.exe"), "events.jsonl");
  EXPECT_EQ(tampered("sbom/after.cdx.json", "1.2.6", "1.2.7"), "events.jsonl");
  EXPECT_EQ(tampered("plan.json", "1.2.6", "1.2.9"), "plan.json");
  EXPECT_EQ(tampered("case.json", "\"introduced\": 0", "\"introduced\": 1"), "events.jsonl");
  EXPECT_EQ(tampered("case.json", "\"to\": \"1.2.6\"", "\"to\": \"1.2.9\""), "plan.json");
  EXPECT_EQ(tampered("commit.txt", "Codegenie-Plan", "Codegenie-Plam"), "commit.txt");
  EXPECT_EQ(tampered("events.jsonl", "\"exit 0\"", "\"exit 1\""), "events.jsonl");
  EXPECT_EQ(tampered("proof/entry.json", "\"fixed\"", "\"Fixed\""), "proof/entry.json");
  EXPECT_EQ(tampered("proof/entry.json", "\"seq\":2", "\"seq\":1"), "proof/entry.tlog-proof");
  EXPECT_NE(tampered("proof/log.vkey", "+", "-"), "");
  EXPECT_NE(tampered("proof/entry.tlog-proof", "index 2", "index 1"), "");
}

TEST(Damage, CutEventsAreFound) {
  Bench bench;
  const Files whole = *read_bundle(bench.write());
  const std::string& lines = whole.at("events.jsonl");
  for (std::size_t n = 0; n < lines.size(); n += 7) {
    Files files = whole;
    files["events.jsonl"] = lines.substr(0, n);
    EXPECT_EQ(first_break(remade(files)), "events.jsonl") << n;
  }
}

TEST(Damage, EvidenceOfAnotherWorkflowIsFound) {
  Bench bench;
  const Files one = *read_bundle(bench.write());
  const Files two = *read_bundle(bench.write());
  for (const char* path : {"events.jsonl", "proof/entry.json", "case.json"}) {
    Files files = one;
    files[path] = two.at(path);
    EXPECT_NE(first_break(remade(files)), "") << path;
  }
}

TEST(Damage, AnArchiveIsRefusedWhereverItIsCutOrChanged) {
  Bench bench;
  const std::string folder = bench.write(seed());
  const std::string whole = read(folder + ".tar.zst");
  const std::string path = bench.scratch / "changed.tar.zst";
  const Files original = *read_bundle(folder);
  // zstd has several spellings of the same bytes; what counts is what comes out.
  const auto holds = [&](const std::string& bytes) {
    cg::test::write(path, bytes);
    const auto files = read_bundle(path);
    return files && *files != original && verify_bundle(*files, {}).breaks.empty();
  };
  for (std::size_t n = 0; n < whole.size(); n += 61) {
    cg::test::write(path, whole.substr(0, n));
    ASSERT_FALSE(read_bundle(path)) << n;
  }
  std::string changed = whole;
  for (std::size_t i = 0; i < whole.size(); i += i < 64 ? 1 : 29) {
    for (const unsigned bit : {0U, 4U, 7U}) {
      changed[i] = static_cast<char>(static_cast<unsigned char>(whole[i]) ^ (1U << bit));
      ASSERT_FALSE(holds(changed)) << i << " " << bit;
    }
    changed[i] = whole[i];
  }
  cg::test::write(path, whole + "x");
  EXPECT_FALSE(read_bundle(path));
}

TEST(Damage, AnArchiveHoldsPlainFilesOfOneFolderAlone) {
  Bench bench;
  const std::string folder = bench.write();
  const auto tar = archive::unzstd(read(folder + ".tar.zst"));
  ASSERT_TRUE(tar);
  const std::string path = bench.scratch / "changed.tar.zst";
  const auto refused = [&](const std::string& bytes) {
    cg::test::write(path, archive::zstd_compress(bytes));
    const auto files = read_bundle(path);
    return !files && files.error().exit() == ExitCode::integrity;
  };
  ASSERT_FALSE(refused(*tar));
  // The type of the first entry: link, symbolic link, device, folder, pipe.
  for (const char type : {'1', '2', '3', '5', '6'}) {
    std::string changed = *tar;
    unsigned sum = 0;
    for (std::size_t i = 0; i < 6; ++i)
      sum = sum * 8 + static_cast<unsigned>(changed[148 + i] - '0');
    sum += static_cast<unsigned>(type) - static_cast<unsigned>(changed[156]);
    changed[156] = type;
    for (std::size_t i = 6; i-- > 0; sum /= 8) changed[148 + i] = static_cast<char>('0' + sum % 8);
    EXPECT_TRUE(refused(changed)) << type;
  }
  archive::TarWriter two(0);
  ASSERT_TRUE(two.add("01JCN4Q0000000000000000000/a", "x"));
  ASSERT_TRUE(two.add("elsewhere/b", "x"));
  EXPECT_TRUE(refused(std::move(two).finish()));
  archive::TarWriter other(0);
  ASSERT_TRUE(other.add("not-an-id/a", "x"));
  EXPECT_TRUE(refused(std::move(other).finish()));
  archive::TarWriter late(1);
  ASSERT_TRUE(late.add("01JCN4Q0000000000000000000/a", "x"));
  EXPECT_TRUE(refused(std::move(late).finish()));
}

TEST(Damage, AFolderHoldsPlainFilesAlone) {
  Bench bench;
  const std::string folder = bench.write();
  fs::create_symlink("case.json", folder + "/link");
  const auto files = read_bundle(folder);
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().exit(), ExitCode::integrity);
  fs::remove(folder + "/link");
  ASSERT_EQ(mkfifo((folder + "/pipe").c_str(), 0600), 0);
  EXPECT_FALSE(read_bundle(folder));
  EXPECT_EQ(read_bundle(bench.scratch / "none").error().exit(), ExitCode::usage);
}

/// How much of a bundle is there, whole or partial.
std::size_t pieces(const std::string& evidence) {
  std::size_t count = 0;
  std::error_code error;  // things come and go while we look
  for (fs::recursive_directory_iterator at(evidence, error), end; !error && at != end;
       at.increment(error)) {
    ++count;
  }
  return count;
}

/// Killed at any point: no bundle or all of it, and the next writer cleans up.
TEST(Kill, LeavesAllOrNothing) {
  Bench bench;
  const Draft draft = bench.run();
  const std::string evidence = bench.home_path + "/evidence";
  const std::string folder = bench.home_path + "/" + folder_of(draft.workflow);
  int interrupted = 0;
  for (std::size_t round = 0; round < 60; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      const auto written = write_bundle(bench.home, draft, {});
      _exit(written ? 0 : 1);
    }
    int status = 0;
    bool over = false;
    while (!over && pieces(evidence) < round) over = waitpid(child, &status, WNOHANG) == child;
    if (!over) {
      kill(child, SIGKILL);
      ASSERT_EQ(waitpid(child, &status, 0), child);
    }
    if (!fs::exists(folder)) {
      ++interrupted;
      continue;
    }
    const auto files = read_bundle(folder);
    ASSERT_TRUE(files) << files.error().what;
    EXPECT_TRUE(verify_bundle(*files, {}).breaks.empty());
    EXPECT_TRUE(fs::exists(folder + ".tar.zst"));
    fs::remove_all(evidence);
  }
  EXPECT_GT(interrupted, 0);
  fs::remove_all(folder);
  ASSERT_TRUE(write_bundle(bench.home, draft, {}));
  for (const auto& entry : fs::directory_iterator(evidence)) {
    EXPECT_TRUE(entry.path().filename().string().starts_with(draft.workflow)) << entry.path();
  }
}

}  // namespace
}  // namespace cg::evidence
