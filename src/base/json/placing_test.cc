#include "base/json/placing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/base/text.h"
#include "support/support.h"

namespace cg::json {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string modified(const std::string& hunks) { return "--- a/x\n+++ b/x\n" + hunks; }

/// The hunks as they are read, written again.
std::string read(const std::string& text) {
  const auto patch = parse_loose_diff(text);
  return patch ? write_diff(*patch) : describe(patch.error());
}

TEST(LooseDiff, NumbersAreOursWhateverWasWritten) {
  const std::string lines = " one\n-two\n+2\n+2.5\n three\n";
  const std::string own = modified("@@ -1,3 +1,4 @@\n" + lines);
  for (const char* header : {"@@", "@@ ... @@", "@@ -1,3 +1,4 @@", "@@ -9,99 +0,1 @@", "@@ -x +y",
                             "@@ function f() {", "@@ -18446744073709551616 +3 @@id", "@@ @@"}) {
    EXPECT_EQ(read(modified(std::string(header) + "\n" + lines)), own) << header;
  }
  EXPECT_EQ(read(modified("@@\n-a\n+b\n@@ ... @@\n c\n+d\n")),
            modified("@@ -1 +1 @@\n-a\n+b\n@@ -2 +2,2 @@\n c\n+d\n"));
}

TEST(LooseDiff, AHunkGoesOnUntilSomethingElseBegins) {
  const std::string second = "--- a/y\n+++ b/y\n@@ -1 +1 @@\n-c\n+d\n";
  EXPECT_EQ(read(modified("@@ -1,9 +1,9 @@\n-a\n+b\n") + second),
            modified("@@ -1 +1 @@\n-a\n+b\n") + second);
  EXPECT_EQ(read(modified("@@\n-a\n+b\n") + "diff --git a/y b/y\nindex 12..34\n" + second),
            modified("@@ -1 +1 @@\n-a\n+b\n") + second);
  // One line that looks like a header is none.
  EXPECT_EQ(read(modified("@@\n--- a/y\n+b\n")), modified("@@ -1 +1 @@\n--- a/y\n+b\n"));
  EXPECT_EQ(read(modified("@@\n a\n+++ b/y\n")), modified("@@ -1 +1,2 @@\n a\n+++ b/y\n"));
}

TEST(LooseDiff, LineEndsAndMarksAreNotSeen) {
  const std::string own = modified("@@ -1,3 +1,3 @@\n one\n \n-two\n+2\n");
  EXPECT_EQ(read(modified("@@\n one\n\n-two\n+2")), own);
  EXPECT_EQ(read(modified("@@\n one\n\n-two\n+2\n\n\n")), own);
  EXPECT_EQ(read(replaced(modified("@@\n one\n\n-two\n+2\n"), "\n", "\r\n")), own);
  EXPECT_EQ(read(modified("@@\n one\n \n-two\r\n+2\n")), own);
  EXPECT_EQ(read(modified("@@\n one\n \n-two\n\\ No newline at end of file\n+2\n"
                          "\\ No newline at end of file\n")),
            own);
  // What ends between two hunks is no context, as nobody can say whose.
  EXPECT_EQ(read(modified("@@\n-a\n+b\n\n@@\n-c\n+d\n \n")),
            modified("@@ -1 +1 @@\n-a\n+b\n@@ -2,2 +2,2 @@\n-c\n+d\n \n"));
}

TEST(LooseDiff, WhatIsWrongIsToldWithTheLineAsItWas) {
  const struct {
    std::string text;
    std::string error;
  } cases[] = {
      {"", "line 1: the diff is empty"},
      {"@@\n-a\n+b\n", "line 1: not a line of a unified diff in this place: @@ -1,1 +1,1 @@"},
      {modified("@@\n a\n\n"), "line 4: the hunk changes nothing"},
      {modified("@@\n"), "line 3: the hunk changes nothing"},
      {modified("@@\n\\ No newline at end of file\n-a\n"), "line 3: the hunk changes nothing"},
      {modified("@@\n-a\n+b\n\nThat is all.\n"),
       "line 7: not a line of a unified diff in this place: That is all."},
      {modified("@@\n-a\n+b\n```\n"), "line 6: not a line of a unified diff in this place: ```"},
      {modified("@@\n-a\n+b\n\\ Kein Zeilenumbruch\n"),
       "line 6: not a line of a unified diff in this place: \\ Kein Zeilenumbruch"},
      {modified("@@@ -1 -1 +1 @@@\n- a\n++b\n"), "line 3: expected a hunk"},
      {modified("@@\n-a\n\n+b\n\n") + modified("@@\n-a\n+b\n"),
       "line 8: a second patch for the same path: x"},
      {"--- a/x\n+++ b/y\n@@\n-a\n+b\n", "line 2: the lines of the header name different paths: y"},
      {"--- x\n+++ x\n@@\n-a\n+b\n", "line 1: not an allowed path: x"},
  };
  for (const auto& c : cases) EXPECT_EQ(read(c.text), c.error) << printable(c.text);
  EXPECT_EQ(parse_loose_diff(modified("@@\n-a\n+b\n"), {.max_bytes = 10}).error().kind,
            DiffError::Kind::too_large);
}

TEST(LooseDiff, WhatIsReadIsWrittenSoThatBothReadersReadIt) {
  const std::string sample =
      modified("@@ -1,9\n a\n\n-b\n+c\r\n@@\n+d\n e\n\\ No newline at end of file");
  std::size_t accepted = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = sample;
      text[i] = static_cast<char>(byte);
      const auto patch = parse_loose_diff(text);
      if (!patch) continue;
      ++accepted;
      const std::string own = write_diff(*patch);
      EXPECT_EQ(parse_diff(own).value(), *patch) << own;
      EXPECT_EQ(parse_loose_diff(own).value(), *patch) << own;
    }
  }
  EXPECT_GT(accepted, sample.size());
}

class Placing : public testing::Test {
 protected:
  /// The new text, or the kind of what is wrong, its hunk and its places.
  std::string placed(const std::string& hunks, const std::string& original) {
    const auto patch = parse_loose_diff(modified(hunks));
    if (!patch) return describe(patch.error());
    const auto text = place(patch->files[0], original);
    if (text) return *text;
    static const char* const kNames[] = {"absent", "out_of_order", "ambiguous"};
    std::string out = kNames[static_cast<int>(text.error().kind)];
    out += " " + std::to_string(text.error().hunk) + ":";
    for (const std::size_t line : text.error().places) out += " " + std::to_string(line);
    return out;
  }
};

TEST_F(Placing, WhereTheLinesStandOnce) {
  EXPECT_EQ(placed("@@ -77 @@\n-c\n+C\n", "a\nb\nc\nd\n"), "a\nb\nC\nd\n");
  EXPECT_EQ(placed("@@\n b\n+x\n c\n", "a\nb\nc\nb\n"), "a\nb\nx\nc\nb\n");
  EXPECT_EQ(placed("@@\n b\n-c\n", "a\nb\nc"), "a\nb");
  EXPECT_EQ(placed("@@\n-a\n", "a\n"), "");
  EXPECT_EQ(placed("@@\n-b\n+B\n@@\n-d\n+D\n", "a\nb\nc\nd\ne\n"), "a\nB\nc\nD\ne\n");
}

TEST_F(Placing, NeverByLikeness) {
  EXPECT_EQ(placed("@@\n-b\n+x\n", "a\nb \nc\n"), "absent 1: 2");
  EXPECT_EQ(placed("@@\n a\n-b\n c\n", "x\na\nb\nb\nc\n"), "absent 1: 2");
  EXPECT_EQ(placed("@@\n one\n-  two\n three\n", "zero\none\n\ttwo\nthree\n"), "absent 1: 2");
  EXPECT_EQ(placed("@@\n-z\n+x\n", "a\n"), "absent 1:");
  EXPECT_EQ(placed("@@\n-z\n+x\n", ""), "absent 1:");
  EXPECT_EQ(placed("@@\n-a\n-b\n", "b\na\n"), "absent 1: 1");
}

TEST_F(Placing, NotWhereThereAreSeveralPlaces) {
  EXPECT_EQ(placed("@@ -3 +3 @@\n-a\n+b\n", "a\nx\na\n"), "ambiguous 1: 1 3");
  EXPECT_EQ(placed("@@\n-a\n+b\n", "a\na\na\na\na\na\n"), "ambiguous 1: 1 2 3 4");
  EXPECT_EQ(placed("@@\n a\n-a\n+b\n", "a\na\na\n"), "ambiguous 1: 1 2");
  EXPECT_EQ(placed("@@\n-x\n+y\n@@\n-a\n+b\n", "a\nx\na\na\n"), "ambiguous 2: 1 3 4");
}

TEST_F(Placing, NeighboursAndOrderMayLeaveOne) {
  EXPECT_EQ(placed("@@\n-x\n+y\n@@\n-a\n+b\n", "a\nx\na\n"), "a\ny\nb\n");
  EXPECT_EQ(placed("@@\n-a\n+b\n@@\n-x\n+y\n", "a\nx\na\n"), "b\ny\na\n");
  EXPECT_EQ(placed("@@\n-a\n+b\n@@\n-a\n+c\n", "a\nx\na\n"), "b\nx\nc\n");
  EXPECT_EQ(placed("@@\n-a\n+b\n@@\n-a\n+c\n", "a\na\na\n"), "ambiguous 1: 1 2 3");
}

TEST_F(Placing, HunksComeInTheirOrder) {
  EXPECT_EQ(placed("@@\n-c\n+C\n@@\n-a\n+A\n", "a\nb\nc\n"), "out_of_order 2: 1");
  EXPECT_EQ(placed("@@\n-b\n+B\n@@\n-b\n+C\n", "a\nb\nc\n"), "out_of_order 2: 2");
}

TEST_F(Placing, ContextIsSharedAndChangesAreNot) {
  EXPECT_EQ(placed("@@\n-a\n+A\n b\n c\n@@\n b\n c\n-d\n+D\n", "a\nb\nc\nd\n"), "A\nb\nc\nD\n");
  // Two ways are two ways, even if one of them shares context.
  EXPECT_EQ(placed("@@\n-a\n+A\n b\n@@\n b\n-c\n+C\n", "a\nb\nc\nx\nb\nc\n"), "ambiguous 2: 2 5");
  EXPECT_EQ(placed("@@\n a\n+x\n b\n@@\n a\n+y\n b\n", "a\nb\n"), "out_of_order 2: 1");
  EXPECT_EQ(placed("@@\n-a\n-b\n+x\n@@\n b\n-c\n", "a\nb\nc\n"), "out_of_order 2: 2");
}

TEST_F(Placing, LineEndsAreTheFiles) {
  EXPECT_EQ(placed("@@\n-a\n+x\n+y\n", "a\r\nb\r\n"), "x\r\ny\r\nb\r\n");
  EXPECT_EQ(placed("@@\r\n-a\r\n+x\r\n b\r\n", "a\nb\n"), "x\nb\n");
  EXPECT_EQ(placed("@@\n a\n+x\n b\n+y\n", "a\r\nb\nc\n"), "a\r\nx\r\nb\ny\nc\n");
  EXPECT_EQ(placed("@@\n+x\n a\n", "a\r\nb\n"), "x\r\na\r\nb\n");
  // The newline at the end is there if it was there.
  EXPECT_EQ(placed("@@\n-b\n+x\n", "a\nb"), "a\nx");
  EXPECT_EQ(placed("@@\n b\n+x\n", "a\r\nb"), "a\r\nb\r\nx");
  EXPECT_EQ(placed("@@\n a\n+x\n", "a"), "a\nx");
  EXPECT_EQ(placed("@@\n-a\n\\ No newline at end of file\n+x\n", "a\n"), "x\n");
}

/// Nobody sees it, so it is on no line of a diff; it stays where it was.
TEST_F(Placing, AByteOrderMarkIsTheFiles) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(placed("@@\n-a\n+x\n", mark + "a\r\nb\r\n"), mark + "x\r\nb\r\n");
  EXPECT_EQ(placed("@@\n a\n-b\n", mark + "a\nb\n"), mark + "a\n");
  EXPECT_EQ(placed("@@\n+x\n a\n", mark + "a\n"), mark + "x\na\n");
  EXPECT_EQ(placed("@@\n-a\n", mark + "a\n"), mark);
  EXPECT_EQ(placed("@@\n-a\n+x\n", mark), "absent 1:");
  EXPECT_EQ(placed("@@\n-a\n+x\n", "b\n" + mark + "a\n"), "absent 1:");
}

TEST_F(Placing, LinesThatRepeatAreReadOnce) {
  std::string many;
  for (int i = 0; i < 200'000; ++i) many += "a\n";
  std::string hunk = "@@\n";
  for (int i = 0; i < 5'000; ++i) hunk += " a\n";
  EXPECT_EQ(placed(hunk + "-b\n", many).substr(0, 8), "absent 1");
  EXPECT_EQ(placed(hunk + "+b\n", many), "ambiguous 1: 1 2 3 4");
  std::string hunks;
  for (int i = 0; i < 3'000; ++i) hunks += "@@\n-a\n+b\n";
  EXPECT_EQ(placed(hunks, many), "ambiguous 1: 1 2 3 4");
  EXPECT_EQ(placed(hunks + "@@\n-c\n", many + "c\n"), "ambiguous 1: 1 2 3 4");
}

/// All ways to place the hunks, by trying every one.
std::size_t ways(const std::vector<Hunk>& hunks, const std::vector<std::string>& lines,
                 std::size_t hunk, std::ptrdiff_t changed, std::ptrdiff_t behind) {
  if (hunk == hunks.size()) return 1;
  std::vector<std::string> wanted;
  std::ptrdiff_t first = -1;
  std::ptrdiff_t last = 0;
  for (const DiffLine& line : hunks[hunk].lines) {
    if (line.kind != DiffLine::Kind::context && first < 0) {
      first = static_cast<std::ptrdiff_t>(wanted.size());
    }
    if (line.is_old()) wanted.push_back(line.text);
    if (line.kind != DiffLine::Kind::context) last = static_cast<std::ptrdiff_t>(wanted.size());
  }
  std::size_t out = 0;
  const auto size = static_cast<std::ptrdiff_t>(wanted.size());
  for (std::ptrdiff_t at = 0; at + size <= static_cast<std::ptrdiff_t>(lines.size()); ++at) {
    if (at < behind && at + first <= changed) continue;
    if (!std::equal(wanted.begin(), wanted.end(), lines.begin() + at)) continue;
    out += ways(hunks, lines, hunk + 1, at + last, at + size);
  }
  return out;
}

/// One way is placed, none and several are not; with few different lines, all of it happens.
TEST_F(Placing, ByTryingEveryPlace) {
  std::mt19937 random{20261201};
  std::size_t seen[3] = {0, 0, 0};
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::string> lines;
    std::string text;
    for (std::size_t n = 1 + random() % 8; n > 0; --n) {
      lines.emplace_back(1, static_cast<char>('a' + random() % 3));
      text += lines.back() + "\n";
    }
    FilePatch patch;
    for (std::size_t hunks = 1 + random() % 3; hunks > 0; --hunks) {
      Hunk hunk;
      hunk.lines.push_back(
          {DiffLine::Kind::context, std::string(1, static_cast<char>('a' + random() % 3))});
      for (std::size_t n = random() % 3; n > 0; --n) {
        hunk.lines.push_back({static_cast<DiffLine::Kind>(random() % 3),
                              std::string(1, static_cast<char>('a' + random() % 3))});
      }
      const auto change = static_cast<std::ptrdiff_t>(random() % (hunk.lines.size() + 1));
      hunk.lines.insert(hunk.lines.begin() + change, {DiffLine::Kind::added, "new"});
      patch.hunks.push_back(std::move(hunk));
    }
    const auto placed = place(patch, text);
    const std::size_t count = ways(patch.hunks, lines, 0, -1, 0);
    SCOPED_TRACE(text + write_diff({{patch}}));
    ++seen[std::min<std::size_t>(count, 2)];
    ASSERT_EQ(placed.has_value(), count == 1);
    if (placed) continue;
    ASSERT_EQ(placed.error().kind == Misplaced::Kind::ambiguous, count > 1);
  }
  for (const std::size_t each : seen) EXPECT_GT(each, 500U);
}

// --- the difference of two texts ---

TEST(Difference, SaysNoMoreThanWhatChanges) {
  const std::string before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
  EXPECT_THAT(difference("x", before, before).hunks, IsEmpty());
  EXPECT_EQ(write_diff({{difference("x", before, replaced(before, "\n6\n", "\nsix\n6b\n"))}}),
            modified("@@ -3,7 +3,8 @@\n 3\n 4\n 5\n-6\n+six\n+6b\n 7\n 8\n 9\n"));
  EXPECT_EQ(write_diff({{difference("x", "", "a\n")}}), modified("@@ -0,0 +1 @@\n+a\n"));
  EXPECT_EQ(write_diff({{difference("x", "a\n", "")}}), modified("@@ -1 +0,0 @@\n-a\n"));
  EXPECT_EQ(write_diff({{difference("x", "a\nb", "a\nc")}}),
            modified("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n"
                     "\\ No newline at end of file\n"));
  EXPECT_EQ(write_diff({{difference("x", "a\r\n", "b\r\n")}}),
            modified("@@ -1 +1 @@\n-a\r\n+b\r\n"));
}

TEST(Difference, FarApartIsTwoHunksAndNearIsOne) {
  const auto text = [](const char* second, const char* other, std::size_t between) {
    std::string out = "0\n" + std::string(second) + "\n";
    for (std::size_t i = 0; i < between; ++i) out += "=" + std::to_string(i) + "\n";
    return out + other + "\n";
  };
  EXPECT_EQ(difference("x", text("a", "b", 6), text("A", "B", 6)).hunks.size(), 1U);
  const auto two = difference("x", text("a", "b", 7), text("A", "B", 7)).hunks;
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].old_start, 1U);
  EXPECT_EQ(two[1].old_start, 7U);
  EXPECT_EQ(two[1].lines.size(), 5U);
}

std::size_t changed_lines(const std::string& diff) {
  std::size_t out = 0;
  const std::string body = diff.substr(std::min(diff.find("@@"), diff.size()));
  for (const std::string_view line : split(body, '\n')) {
    out += line.starts_with('-') || line.starts_with('+') ? 1U : 0U;
  }
  return out;
}

/// diff --minimal on random texts: ours applies and is as short.
TEST(Difference, IsExactAndShortest) {
  std::mt19937 random{20261202};
  const auto text = [&](std::size_t most) {
    std::string out;
    for (std::size_t n = random() % most; n > 0; --n) {
      out += std::string(1, static_cast<char>('a' + random() % 4)) + "\n";
    }
    if (!out.empty() && random() % 4 == 0) out.pop_back();
    return out;
  };
  const test::ScratchDir dir;
  for (int i = 0; i < 2000; ++i) {
    const std::string before = text(20);
    const std::string after = text(20);
    SCOPED_TRACE(before + "=>\n" + after);
    const FilePatch patch = difference("x", before, after);
    if (before == after) {
      EXPECT_THAT(patch.hunks, IsEmpty());
      continue;
    }
    const auto applied = apply_patch(patch, before);
    ASSERT_TRUE(applied) << describe(applied.error());
    ASSERT_EQ(*applied, after);
    const std::string written = write_diff({{patch}});
    const auto again = parse_diff(written);
    ASSERT_TRUE(again) << describe(again.error());
    ASSERT_EQ(again->files.front(), patch);
    if (i % 20 != 0) continue;
    test::write(dir / "before", before);
    test::write(dir / "after", after);
    const test::Ran ran =
        test::run({"diff", "--minimal", "-U3", dir / "before", dir / "after"}, {"LC_ALL=C"});
    EXPECT_EQ(changed_lines(written), changed_lines(ran.out)) << written << ran.out;
  }
}

TEST(Difference, IsBoundedWhereAllIsDifferent) {
  std::string before;
  std::string after;
  for (int i = 0; i < 20'000; ++i) {
    before += "b" + std::to_string(i) + "\n";
    after += (i % 2 == 0 ? "a" : "b") + std::to_string(i) + "\n";
  }
  const FilePatch patch = difference("x", before, after);
  EXPECT_EQ(patch.hunks.size(), 1U);
  EXPECT_EQ(*apply_patch(patch, before), after);
}

}  // namespace
}  // namespace cg::json
