#include "base/json/diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "base/base/text.h"
#include "support/support.h"

namespace cg::json {
namespace {

namespace fs = std::filesystem;
using Kind = DiffError::Kind;
using Action = FilePatch::Action;

const std::string kDiffSample =
    "diff --git a/src/x.js b/src/x.js\n"
    "index 0123abc..456def0 100644\n"
    "--- a/src/x.js\n"
    "+++ b/src/x.js\n"
    "@@ -1,3 +1,4 @@ function f() {\n"
    " one\n"
    "-two\n"
    "+TWO\n"
    "+2.5\n"
    " three\n"
    "@@ -10 +11 @@\n"
    "-ten\n"
    "+TEN\n"
    "\\ No newline at end of file\n"
    "--- /dev/null\n"
    "+++ b/new.txt\n"
    "@@ -0,0 +1 @@\n"
    "+é\n"
    "--- a/old file.txt\t\n"
    "+++ /dev/null\n"
    "@@ -1,2 +0,0 @@\n"
    "-a\n"
    "-b\n"
    "\\ No newline at end of file\n";

std::optional<Kind> error_kind(const Result<Patch, DiffError>& patch) {
  return patch ? std::nullopt : std::optional(patch.error().kind);
}

std::string message(const Result<Patch, DiffError>& patch) {
  return patch ? "accepted" : describe(patch.error());
}

/// A patch for one file from its hunks.
std::string modify(const std::string& hunks) { return "--- a/x\n+++ b/x\n" + hunks; }

TEST(ParseDiff, ReadsEveryPart) {
  const auto patch = parse_diff(kDiffSample);
  ASSERT_TRUE(patch) << message(patch);
  ASSERT_EQ(patch->files.size(), 3U);
  const FilePatch& x = patch->files[0];
  EXPECT_EQ(x.path, "src/x.js");
  EXPECT_EQ(x.action, Action::modify);
  ASSERT_EQ(x.hunks.size(), 2U);
  EXPECT_EQ(x.hunks[0].section, "function f() {");
  EXPECT_EQ(x.hunks[0].old_count(), 3U);
  EXPECT_EQ(x.hunks[0].new_count(), 4U);
  EXPECT_EQ(x.hunks[0].lines[1], (DiffLine{DiffLine::Kind::removed, "two"}));
  EXPECT_EQ(x.hunks[1].lines_before(), 9U);
  EXPECT_EQ(x.hunks[1].lines[1].end, DiffLine::End::none);
  EXPECT_EQ(patch->files[1].action, Action::create);
  EXPECT_EQ(patch->files[1].path, "new.txt");
  EXPECT_EQ(patch->files[2].action, Action::remove);
  EXPECT_EQ(patch->files[2].path, "old file.txt");
}

TEST(ParseDiff, RefusesBadHeaders) {
  const std::string hunk = "@@ -1 +1 @@\n-a\n+b\n";
  const struct {
    std::string text;
    Kind error;
  } cases[] = {
      {"", Kind::no_patch},
      {"\n", Kind::bad_header},
      {"Subject: fix\n" + modify(hunk), Kind::bad_header},
      {modify(hunk) + "\n", Kind::bad_header},
      {modify(hunk) + "-- \n2.39\n", Kind::counts_differ},
      {"--- a/x\n", Kind::bad_header},
      {"--- a/x\n+++ b/x", Kind::truncated},
      {"--- a/x\n+++ b/x\n", Kind::no_hunks},
      {"+++ b/x\n--- a/x\n" + hunk, Kind::bad_header},
      {"--- /dev/null\n+++ /dev/null\n" + hunk, Kind::bad_header},
      {"--- a/x\n+++ b/y\n" + hunk, Kind::paths_differ},
      {"diff --git a/y b/y\n" + modify(hunk), Kind::paths_differ},
      {"diff --git a/x b/y\n" + modify(hunk), Kind::paths_differ},
      {"diff --git a/x\n" + modify(hunk), Kind::paths_differ},
      {"diff --git a/x b/x\nindex zz..yy\n" + modify(hunk), Kind::bad_header},
      {"diff --git a/x b/x\nindex 12..34 120000\n" + modify(hunk), Kind::bad_header},
      {"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n" + modify(hunk), Kind::mode_line},
      {"diff --git a/x b/x\nnew file mode 100755\n", Kind::mode_line},
      {"diff --git a/x b/x\nnew file mode 120000\n", Kind::mode_line},
      {"diff --git a/x b/x\ndeleted file mode 160000\n", Kind::mode_line},
      {"diff --git a/x b/x\nnew file mode 100644\n" + modify(hunk), Kind::bad_header},
      {"diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n", Kind::bad_header},
      {"diff --git a/x b/x\nsimilarity index 90%\n", Kind::rename_line},
      {"diff --git a/x b/x\nrename from x\n", Kind::rename_line},
      {"diff --git a/x b/x\ncopy from x\n", Kind::copy_line},
      {"diff --git a/x b/x\nindex 12..34\nGIT binary patch\n", Kind::binary},
      {"Binary files a/x and b/x differ\n", Kind::binary},
      {modify(hunk) + modify(hunk), Kind::duplicate_path},
      {std::string("--- a/x\0\n", 9), Kind::not_text},
      {"--- a/\xff\n", Kind::not_utf8},
      {std::string((64U << 10U) + 1, '\n'), Kind::too_large},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(printable(c.text.substr(0, 200)));
    const auto patch = parse_diff(c.text);
    EXPECT_EQ(error_kind(patch), c.error) << message(patch);
  }
}

TEST(ParseDiff, RefusesPathsThatLeadAstray) {
  for (const std::string path :
       {"",     "/",           "/etc/passwd", "..",   "../x",  "x/../y",   "x/..",   "./x", "x//y",
        "x/",   ".git/config", "x/.GIT/y",    "x\\y", "x%2e",  "\"x\"",    " x",     "x ",  "d/ x",
        "d /x", "x\r",         "x\t",         "x\ty", "x\x01", "x\u202Ey", "x\u200b"}) {
    const std::string text = "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n-a\n+b\n";
    EXPECT_EQ(error_kind(parse_diff(text)), Kind::bad_path) << printable(path);
  }
  for (const std::string path :
       {"x", "d/e/x.txt", ".github/x", "x..y", "...", "é", "a b", "@x/+y", "-x"}) {
    const std::string tab = path.find(' ') == std::string::npos ? "" : "\t";
    const std::string text =
        "--- a/" + path + tab + "\n+++ b/" + path + tab + "\n@@ -1 +1 @@\n-a\n+b\n";
    const auto patch = parse_diff(text);
    ASSERT_TRUE(patch) << message(patch);
    EXPECT_EQ(patch->files[0].path, path);
    EXPECT_EQ(write_diff(*patch), text);
  }
  EXPECT_EQ(error_kind(parse_diff("--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n")), Kind::bad_path);
  EXPECT_EQ(error_kind(parse_diff("--- b/x\n+++ a/x\n@@ -1 +1 @@\n-a\n+b\n")), Kind::bad_path);
}

TEST(ParseDiff, RefusesBadHunks) {
  const struct {
    std::string hunks;
    Kind error;
  } cases[] = {
      {"@@ -1 +1\n-a\n+b\n", Kind::bad_hunk_header},
      {"@@ 1 +1 @@\n-a\n+b\n", Kind::bad_hunk_header},
      {"@@ -01 +1 @@\n-a\n+b\n", Kind::bad_hunk_header},
      {"@@ -0 +1 @@\n-a\n+b\n", Kind::bad_hunk_header},
      {"@@ -1,x +1 @@\n-a\n+b\n", Kind::bad_hunk_header},
      {"@@ -1 +1 @@x\n-a\n+b\n", Kind::bad_hunk_header},
      {"@@ -99999999999 +1 @@\n-a\n+b\n", Kind::bad_hunk_header},
      {"@@ -1,2 +1 @@\n-a\n+b\n", Kind::counts_differ},
      {"@@ -1 +1,2 @@\n-a\n+b\n", Kind::counts_differ},
      {"@@ -1 +1 @@\n-a\n-b\n+c\n", Kind::counts_differ},
      {"@@ -1 +1 @@\n-a\n+b\n+c\n", Kind::counts_differ},
      {"@@ -1 +1 @@\n-a\n+b\n c\n", Kind::counts_differ},
      {"@@ -1,2 +1,2 @@\n-a\n+b\nc\n", Kind::bad_line},
      {"@@ -1,2 +1,2 @@\n-a\n+b\n\n", Kind::bad_line},
      {"@@ -1 +1 @@\n a\n", Kind::no_change},
      {"@@ -0,0 +0,0 @@\n", Kind::no_change},
      {"@@ -5 +5 @@\n-a\n+b\n@@ -5 +5 @@\n-a\n+b\n", Kind::hunks_overlap},
      {"@@ -5 +5 @@\n-a\n+b\n@@ -1 +1 @@\n-a\n+b\n", Kind::hunks_overlap},
      {"@@ -5,2 +5 @@\n-a\n-b\n+b\n@@ -5,0 +6 @@\n+b\n", Kind::hunks_overlap},
      {"@@ -5 +6 @@\n-a\n+b\n", Kind::starts_disagree},
      {"@@ -1 +1,2 @@\n-a\n+b\n+c\n@@ -9 +9 @@\n-a\n+b\n", Kind::starts_disagree},
      {"@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n", Kind::bad_end_marker},
      {"@@ -1,2 +1 @@\n-a\n\\ No newline at end of file\n-b\n+c\n", Kind::bad_end_marker},
      {"@@ -1 +1,2 @@\n a\n\\ No newline at end of file\n+c\n", Kind::bad_end_marker},
      {"@@ -1 +1 @@\n-a\n\\ No newline\n+c\n", Kind::bad_end_marker},
      {"@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n@@ -9 +9 @@\n-a\n+b\n",
       Kind::bad_end_marker},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(printable(c.hunks));
    const auto patch = parse_diff(modify(c.hunks));
    EXPECT_EQ(error_kind(patch), c.error) << message(patch);
  }
}

TEST(ParseDiff, ACreationOrRemovalIsWhole) {
  const struct {
    std::string text;
    Kind error;
  } cases[] = {
      {"--- /dev/null\n+++ b/x\n@@ -1 +1,2 @@\n a\n+b\n", Kind::bad_creation},
      {"--- /dev/null\n+++ b/x\n@@ -3,0 +4 @@\n+b\n", Kind::bad_creation},
      {"--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n@@ -9,0 +11 @@\n+c\n", Kind::bad_creation},
      {"--- a/x\n+++ /dev/null\n@@ -1,2 +1 @@\n a\n-b\n", Kind::bad_removal},
      {"--- a/x\n+++ /dev/null\n@@ -2 +1,0 @@\n-b\n", Kind::bad_removal},
  };
  for (const auto& c : cases) EXPECT_EQ(error_kind(parse_diff(c.text)), c.error) << c.text;
}

TEST(ParseDiff, ErrorsNameTheLine) {
  EXPECT_EQ(message(parse_diff(modify("@@ -1 +1 @@\n-a\n-b\n"))),
            "line 5: the hunk has other line counts than its header says");
  EXPECT_EQ(message(parse_diff("--- a/../x\n")), "line 1: not an allowed path: ../x");
  EXPECT_EQ(message(parse_diff("--- a/x\n+++ b/y\n")),
            "line 2: the lines of the header name different paths: y");
  EXPECT_LT(message(parse_diff(std::string(5000, '\x1b') + "\n")).size(), 400U);
}

TEST(ParseDiff, SurvivesEveryTruncationAndDamagedByte) {
  for (std::size_t n = 0; n < kDiffSample.size(); ++n) {
    static_cast<void>(parse_diff(kDiffSample.substr(0, n)));
  }
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < kDiffSample.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = kDiffSample;
      text[i] = static_cast<char>(byte);
      const auto patch = parse_diff(text);
      if (!patch) continue;
      ++accepted;
      const auto again = parse_diff(write_diff(*patch));
      ASSERT_TRUE(again) << message(again);
      EXPECT_EQ(*again, *patch);
    }
  }
  EXPECT_GT(accepted, kDiffSample.size());
}

TEST(ApplyPatch, IsExact) {
  const struct {
    std::string hunks;
    std::string original;
    std::optional<std::string> result;  // empty: does not match
  } cases[] = {
      {"@@ -1 +1 @@\n-a\n+b\n", "a\n", "b\n"},
      {"@@ -1 +1 @@\n-a\n+b\n", "a\nz\n", "b\nz\n"},
      {"@@ -1 +1 @@\n-a\n+b\n", "a", {}},
      {"@@ -1 +1 @@\n-a\n+b\n", "", {}},
      {"@@ -1 +1 @@\n-a\n+b\n", "z\na\n", {}},
      {"@@ -2 +2 @@\n-a\n+b\n", "a\na\n", "a\nb\n"},
      {"@@ -1,2 +1,2 @@\n-a\n+b\n c\n", "a\nc \n", {}},
      {"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", "a", "a\n"},
      {"@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", "a\n", {}},
      {"@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "a\n", "b"},
      {"@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n", "a\nc\n", {}},
      {"@@ -1,0 +2 @@\n+b\n", "a\n", "a\nb\n"},
      {"@@ -1,0 +2 @@\n+b\n", "a", {}},
      {"@@ -0,0 +1 @@\n+b\n", "a\n", "b\na\n"},
      {"@@ -9,0 +10 @@\n+b\n", "a\n", {}},
      {"@@ -1 +0,0 @@\n-a\n", "a\nb\n", "b\n"},
      {"@@ -1 +1 @@\n-a\r\n+b\r\n", "a\r\n", "b\r\n"},
      {"@@ -1 +1 @@\n-a\n+b\n@@ -3,0 +4 @@\n+d\n", "a\nb\nc\ne\n", "b\nb\nc\nd\ne\n"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(printable(c.hunks + " on " + c.original));
    const auto patch = parse_diff(modify(c.hunks));
    ASSERT_TRUE(patch) << message(patch);
    const auto result = apply_patch(patch->files[0], c.original);
    EXPECT_EQ(result ? std::optional(*result) : std::nullopt, c.result);
    if (!result) {
      EXPECT_EQ(result.error().kind, Kind::does_not_match);
    }
  }
}

TEST(ApplyPatch, CreatesAndRemovesWholeFiles) {
  const Patch patch = *parse_diff(kDiffSample);
  EXPECT_EQ(*apply_patch(patch.files[1], ""), "é\n");
  EXPECT_EQ(apply_patch(patch.files[1], "x\n").error().kind, Kind::file_not_empty);
  EXPECT_EQ(*apply_patch(patch.files[2], "a\nb"), "");
  EXPECT_EQ(apply_patch(patch.files[2], "a\nb\n").error().kind, Kind::does_not_match);
  const Patch removal = *parse_diff("--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
  EXPECT_EQ(apply_patch(removal.files[0], "a\nb\n").error().kind, Kind::contents_left);
}

// --- diff and git as oracles, on random texts ---

const std::vector<std::string> kPlainEnvironment = {"LC_ALL=C", "GIT_CONFIG_GLOBAL=/dev/null",
                                                    "GIT_CONFIG_SYSTEM=/dev/null", "GIT_DIR"};

/// What diff -u says about two texts; "" if they are the same.
std::string unified_diff(const std::string& before, const std::string& after, std::size_t context) {
  const test::ScratchDir dir;
  test::write(dir / "before", before);
  test::write(dir / "after", after);
  const test::Ran ran = test::run({"diff", "-U" + std::to_string(context), "--label", "a/x",
                                   "--label", "b/x", dir / "before", dir / "after"},
                                  kPlainEnvironment);
  EXPECT_EQ(ran.exit, before == after ? 0 : 1) << ran.err;
  return ran.out;
}

class Random {
 public:
  std::size_t below(std::size_t n) { return engine_() % n; }

  /// Few different lines, so that a diff has several ways to go wrong.
  std::string text() {
    static const std::string kLines[] = {"a",  "b",  "c",       "",   " x",
                                         "-y", "+z", "--- a/x", "@@", "é\t"};
    std::string out;
    for (std::size_t n = below(14); n > 0; --n) out += kLines[below(10)] + "\n";
    if (!out.empty() && below(4) == 0) out.pop_back();
    return out;
  }

  std::string changed(const std::string& text) {
    if (below(8) == 0) return this->text();
    std::string out;
    std::size_t start = 0;
    while (start < text.size()) {
      const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
      const std::size_t choice = below(7);
      if (choice == 0) out += "new\n";
      if (choice != 1) out += text.substr(start, end - start);
      start = end;
    }
    if (below(8) == 0 && out.ends_with('\n')) out.pop_back();
    return out;
  }

 private:
  std::mt19937 engine_{20261115};
};

TEST(DiffOracle, WhatDiffWritesIsReadAppliedAndWrittenTheSame) {
  Random random;
  for (int i = 0; i < 250; ++i) {
    const std::string before = random.text();
    const std::string after = random.changed(before);
    const std::string text = unified_diff(before, after, random.below(4));
    if (text.empty()) continue;
    SCOPED_TRACE(text);
    const auto patch = parse_diff(text);
    ASSERT_TRUE(patch) << message(patch);
    EXPECT_EQ(write_diff(*patch), text);
    const auto result = apply_patch(patch->files[0], before);
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_EQ(*result, after);
  }
}

/// What git diff says between the folders `a` and `b` of `dir`.
std::string git_diff(const test::ScratchDir& dir) {
  const std::string script = R"(
    set -e
    cd "$1"
    git init -q repo
    for side in a b; do
      git -C repo --work-tree=../$side add -A .
      git -C repo write-tree > $side.tree
    done
    git -C repo -c core.quotepath=off diff --no-renames $(cat a.tree) $(cat b.tree)
  )";
  const test::Ran ran = test::run({"sh", "-c", script, "sh", dir.path()}, kPlainEnvironment);
  EXPECT_EQ(ran.exit, 0) << ran.err;
  return ran.out;
}

TEST(GitOracle, WhatGitWritesIsReadAndAppliedTheSame) {
  Random random;
  std::set<Action> actions;
  for (int i = 0; i < 40; ++i) {
    const test::ScratchDir dir;
    std::map<std::string, std::pair<std::string, std::string>> files;
    for (const std::string side : {"a", "b"}) fs::create_directories(dir / (side + "/sub dir"));
    for (const std::string name : {"one", "two.txt", "sub dir/three", "sub dir/é"}) {
      const std::string before = random.below(4) == 0 ? "" : random.text() + "k\n";
      const std::string after = random.below(4) == 0 ? "" : random.changed(before) + "l\n";
      if (!before.empty()) test::write(dir / ("a/" + name), before);
      if (!after.empty()) test::write(dir / ("b/" + name), after);
      files[name] = {before, after};
    }
    const std::string text = git_diff(dir);
    if (text.empty()) continue;
    SCOPED_TRACE(text);
    const auto patch = parse_diff(text);
    ASSERT_TRUE(patch) << message(patch);
    EXPECT_EQ(*parse_diff(write_diff(*patch)), *patch);
    for (const FilePatch& file : patch->files) {
      const auto& [before, after] = files[file.path];
      EXPECT_EQ(*apply_patch(file, before), after);
      actions.insert(file.action);
    }
  }
  EXPECT_EQ(actions.size(), 3U);
}

/// The text that git apply makes, nothing if it refuses.
std::optional<std::string> git_apply(const std::string& patch, const std::string& original) {
  const test::ScratchDir dir;
  test::write(dir / "x", original);
  const test::Ran ran = test::run({"git", "-C", dir.path(), "apply", "--whitespace=nowarn", "-"},
                                  kPlainEnvironment, patch);
  if (ran.exit != 0) return std::nullopt;
  return test::read(dir / "x");
}

/// git takes a hunk without context at its end for one at the end of the file.
bool has_context_at_its_ends(const FilePatch& patch) {
  return std::all_of(patch.hunks.begin(), patch.hunks.end(), [](const Hunk& hunk) {
    return hunk.lines.front().kind == DiffLine::Kind::context &&
           hunk.lines.back().kind == DiffLine::Kind::context;
  });
}

TEST(GitOracle, GitAppliesWhatWeApplyWithTheSameResult) {
  const std::string bytes = "0123456789 +-ab\n";
  Random random;
  int applied = 0;
  for (int i = 0; i < 250; ++i) {
    const std::string before = random.text();
    const std::string after = random.changed(before);
    std::string text = unified_diff(before, after, 1 + random.below(3));
    if (text.empty()) continue;
    // One changed byte makes a patch that is often wrong but seldom malformed.
    if (random.below(2) == 0) text[random.below(text.size())] = bytes[random.below(bytes.size())];
    const auto patch = parse_diff(text);
    if (!patch || patch->files[0].path != "x") continue;
    const auto result = apply_patch(patch->files[0], before);
    if (!result) continue;
    SCOPED_TRACE(text);
    const auto by_git = git_apply(text, before);
    if (!by_git && !has_context_at_its_ends(patch->files[0])) continue;
    EXPECT_EQ(by_git, *result);
    ++applied;
  }
  EXPECT_GT(applied, 50);
}

}  // namespace
}  // namespace cg::json
