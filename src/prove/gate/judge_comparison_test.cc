// Judges of what needs no run: the lock and the advisories.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "prove/gate/samples.h"

namespace cg::gate {
namespace {

using test::comparison_sample;
using test::entry_sample;
using test::signal_of;
using test::trial_sample;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Signal judged(const Comparison& comparison, std::string_view name) {
  return signal_of(trial_sample(), trial_sample(), comparison, name);
}

/// The sample, with the entry that the fix changed spoilt.
template <class Spoil>
Signal lock_signal(Spoil spoil) {
  Comparison comparison = comparison_sample();
  spoil(comparison.lock_after->entries[0]);
  return judged(comparison, "lockfile_policy");
}

TEST(LockGate, EachWayToSpoilAChangedEntryIsSeen) {
  const struct {
    const char* what;
    std::function<void(LockEntry&)> spoil;
    const char* reason;
  } cases[] = {
      {"foreign", [](LockEntry& e) { e.resolved = "https://evil.example/left.tgz"; },
       "no registry of the configuration"},
      {"a host that only starts alike",
       [](LockEntry& e) { e.resolved = "https://registry.example.evil/left.tgz"; },
       "no registry of the configuration"},
      {"http", [](LockEntry& e) { e.resolved = "http://registry.example/left.tgz"; },
       "no registry of the configuration"},
      {"no integrity", [](LockEntry& e) { e.integrity.clear(); }, "has no integrity"},
      {"git", [](LockEntry& e) { e.source = npm::Source::git; }, "a git repository"},
      {"folder", [](LockEntry& e) { e.source = npm::Source::directory; }, "a folder"},
      {"file", [](LockEntry& e) { e.resolved = "file:left.tgz"; }, "a file now"},
      {"name", [](LockEntry& e) { e.name = "../left"; }, "its name is no package's"},
      {"weaker", [](LockEntry& e) { e.integrity = "sha1-abc"; }, "weaker"},
      {"same version, other bytes",
       [](LockEntry& e) {
         e.version = "1.0.0";
         e.integrity = "sha512-other";
       },
       "though its version did not"},
  };
  for (const auto& c : cases) {
    const Signal signal = lock_signal(c.spoil);
    EXPECT_EQ(signal.state, State::failed) << c.what;
    EXPECT_THAT(signal.reasons, Contains(HasSubstr(c.reason))) << c.what;
  }
}

TEST(LockGate, WhatOnlyYarnCanComputeIsForTheReviewer) {
  Comparison comparison = comparison_sample();
  comparison.checks.lock = npm::LockKind::yarn_berry;
  comparison.lock_after->entries[0].integrity.clear();
  const Signal signal = judged(comparison, "lockfile_policy");
  EXPECT_TRUE(signal.passed()) << testing::PrintToString(signal.reasons);
  EXPECT_THAT(signal.reasons, ElementsAre(HasSubstr("has no checksum until the next install")));
  comparison.lock_after->entries[0].source = npm::Source::tarball;
  EXPECT_FALSE(judged(comparison, "lockfile_policy").passed());
}

TEST(LockGate, WhatTheFixDidNotTouchIsNotItsFault) {
  Comparison comparison = comparison_sample();
  for (auto* side : {&*comparison.lock_before, &*comparison.lock_after}) {
    side->entries[1].resolved = "http://old.example/right.tgz";
    side->entries[1].integrity.clear();
    side->lint.lies = {{"node_modules/right", "comes from elsewhere"}};
  }
  const Signal signal = judged(comparison, "lockfile_policy");
  EXPECT_TRUE(signal.passed()) << testing::PrintToString(signal.reasons);
  const auto& numbers = std::get<LockNumbers>(*signal.after);
  EXPECT_EQ(numbers.foreign, 1U);
  EXPECT_EQ(numbers.without_integrity, 1U);
  EXPECT_EQ(numbers.lies, 1U);
}

TEST(LockGate, ANewLieFails) {
  Comparison comparison = comparison_sample();
  comparison.lock_after->lint.lies = {{"node_modules/left", "comes from elsewhere"}};
  EXPECT_EQ(judged(comparison, "lockfile_policy").state, State::failed);
}

TEST(LockGate, BundledCopiesAndStrongerHashesAreFine) {
  EXPECT_TRUE(lock_signal([](LockEntry& e) {
                e.bundled = true;
                e.integrity.clear();
                e.resolved.clear();
              }).passed());
  Comparison comparison = comparison_sample();
  comparison.lock_before->entries[0].integrity = "sha1-abc";
  comparison.lock_after->entries[0].version = "1.0.0";
  EXPECT_TRUE(judged(comparison, "lockfile_policy").passed());
}

TEST(LockGate, ARegistryOnLoopbackIsFineWhereConfigured) {
  Comparison comparison = comparison_sample();
  comparison.lock_after->entries[0].resolved = "http://127.0.0.1:4873/left/-/left-1.0.1.tgz";
  EXPECT_FALSE(judged(comparison, "lockfile_policy").passed());
  comparison.registries.emplace_back("http://127.0.0.1:4873/");
  EXPECT_TRUE(judged(comparison, "lockfile_policy").passed());
}

TEST(LockGate, ALockThatCouldNotBeReadIsMissing) {
  Comparison comparison = comparison_sample();
  comparison.lock_after.reset();
  EXPECT_EQ(judged(comparison, "lockfile_policy").state, State::missing);
}

TEST(AdvisoryGate, TheFixedOnesMustBeGone) {
  Comparison comparison = comparison_sample();
  EXPECT_TRUE(judged(comparison, "cve_delta").passed());
  comparison.advisories_after = comparison.advisories_before;
  EXPECT_THAT(judged(comparison, "cve_delta").reasons,
              Contains("GHSA-1 still applies to node_modules/left"));
}

TEST(AdvisoryGate, ACopyThatOnlyMovedIsNotFixed) {
  Comparison comparison = comparison_sample();
  comparison.advisories_after->push_back({"GHSA-1", "left", "node_modules/a/node_modules/left"});
  EXPECT_EQ(judged(comparison, "cve_delta").state, State::failed);
}

TEST(AdvisoryGate, ACopyThatWasNotToBeFixedMayMove) {
  Comparison comparison = comparison_sample();
  comparison.advisories_after = {{{"GHSA-2", "right", "node_modules/a/node_modules/right"}}};
  EXPECT_TRUE(judged(comparison, "cve_delta").passed());
}

TEST(AdvisoryGate, NoneMayBeNew) {
  Comparison comparison = comparison_sample();
  comparison.advisories_after->push_back({"GHSA-3", "left", "node_modules/left"});
  const Signal signal = judged(comparison, "cve_delta");
  EXPECT_EQ(signal.state, State::failed);
  EXPECT_THAT(signal.reasons, ElementsAre("GHSA-3 applies to 1 copy of left, to 0 before"));
  comparison = comparison_sample();
  comparison.advisories_after->push_back({"GHSA-2", "right", "node_modules/a/node_modules/right"});
  EXPECT_EQ(judged(comparison, "cve_delta").state, State::failed);
}

TEST(AdvisoryGate, WithoutAComparisonItIsMissing) {
  Comparison comparison = comparison_sample();
  comparison.advisories_after.reset();
  EXPECT_EQ(judged(comparison, "cve_delta").state, State::missing);
}

TEST(LockSide, HoldsCopiesWithoutImporters) {
  npm::GraphBuilder builder(npm::LockKind::package_lock, "{}");
  npm::Node root;
  root.source = npm::Source::root;
  builder.add(root);
  npm::Node copy;
  copy.location = "node_modules/left";
  copy.name = "left";
  copy.version = "1.0.0";
  builder.add(copy);
  const LockSide side = lock_side(std::move(builder).finish());
  ASSERT_EQ(side.entries.size(), 1U);
  EXPECT_EQ(side.entries[0].location, "node_modules/left");
  EXPECT_THAT(side.lint.lies, IsEmpty());
}

/// The sample with one more entry, of before and of after; nothing: none.
Signal lock_with(const std::optional<LockEntry>& before, const std::optional<LockEntry>& after,
                 std::vector<std::string> registries = {"https://registry.example/"}) {
  Comparison comparison = comparison_sample();
  comparison.registries = std::move(registries);
  if (before) comparison.lock_before->entries.push_back(*before);
  if (after) comparison.lock_after->entries.push_back(*after);
  return judged(comparison, "lockfile_policy");
}

LockEntry git_entry(const std::string& version, const std::string& resolved) {
  return {"node_modules/far", "far", version, resolved, "", npm::Source::git, false};
}

TEST(LockGate, WhatCameFromGitMayStayAndNotMove) {
  const LockEntry was = git_entry("1.0.0", "git+https://git.example/far.git#1");
  EXPECT_TRUE(lock_with(was, git_entry("1.0.1", was.resolved)).passed());
  const LockEntry moved = git_entry("1.0.0", "git+https://git.example/far.git#2");
  EXPECT_THAT(lock_with(was, moved).reasons, Contains(HasSubstr("a git repository now")));
  EXPECT_THAT(lock_with({}, was).reasons, Contains(HasSubstr("a git repository now")));
  LockEntry folder = was;
  folder.source = npm::Source::directory;
  EXPECT_THAT(lock_with(folder, was).reasons, Contains(HasSubstr("a git repository now")));
}

TEST(LockGate, ATarballNeedsItsIntegrityAndAFolderNone) {
  LockEntry tarball = entry_sample("far", "1.0.0");
  tarball.source = npm::Source::tarball;
  tarball.integrity.clear();
  EXPECT_THAT(lock_with({}, tarball).reasons, ElementsAre("node_modules/far has no integrity"));
  LockEntry link = tarball;
  link.source = npm::Source::link;
  link.resolved = "packages/far";
  EXPECT_TRUE(lock_with({}, link).passed());
}

TEST(LockGate, WhatLiesInsideAnotherPackageComesFromThere) {
  LockEntry inside = entry_sample("far", "1.0.0");
  inside.bundled = true;
  inside.resolved = "https://evil.example/far.tgz";
  EXPECT_TRUE(lock_with({}, inside).passed());
}

TEST(LockGate, ARegistryEndsWhereItsAddressEnds) {
  const std::vector<std::string> bare = {"", "https://registry.example"};
  LockEntry entry = entry_sample("far", "1.0.0");
  EXPECT_FALSE(lock_with({}, entry, {""}).passed());
  EXPECT_TRUE(lock_with({}, entry, {"https://registry.example"}).passed());
  EXPECT_TRUE(lock_with({}, entry, bare).passed());
  entry.resolved = "https://registry.example.evil/far.tgz";
  EXPECT_FALSE(lock_with({}, entry, bare).passed());
  entry.resolved = "https://registry.example";
  EXPECT_TRUE(lock_with({}, entry, bare).passed());
}

TEST(LockGate, PlainHttpIsSaidWhereItIsNotConfigured) {
  LockEntry entry = entry_sample("far", "1.0.0");
  entry.resolved = "http://far.example/far.tgz";
  const std::string said = "node_modules/far is fetched over plain http";
  EXPECT_THAT(lock_with({}, entry).reasons, Contains(said));
  EXPECT_THAT(lock_with({}, entry, {"http://127.0.0.1:4873/"}).reasons, Contains(said));
  EXPECT_TRUE(lock_with({}, entry, {"https://registry.example/", "http://far.example/"}).passed());
}

TEST(LockGate, HashesOfOneReleaseAreComparedInTheirOwnForm) {
  const auto changed = [](const char* before, const char* after) {
    LockEntry was = entry_sample("far", "1.0.0");
    was.integrity = before;
    LockEntry now = entry_sample("far", "1.0.0");
    now.integrity = after;
    now.resolved += "?again";
    return lock_with(was, now).passed();
  };
  EXPECT_TRUE(changed("10c0/aa", "10c0/aa"));
  EXPECT_FALSE(changed("10c0/aa", "10c0/bb"));
  EXPECT_FALSE(changed("10c0/aa", "sha512-aa"));
  EXPECT_TRUE(changed("sha512-aa", "sha512-aa sha1-bb"));
  EXPECT_FALSE(changed("sha512-aa", "sha512-bb"));
}

TEST(LockGate, ANewEntryMayHaveAnOldHash) {
  LockEntry entry = entry_sample("far", "1.0.0");
  entry.integrity = "sha1-abc";
  EXPECT_TRUE(lock_with({}, entry).passed());
}

TEST(LockGate, CountsWhatIsWrongOnBothSides) {
  const Signal signal = judged(comparison_sample(), "lockfile_policy");
  const auto& numbers = std::get<LockNumbers>(*signal.after);
  EXPECT_EQ(numbers.entries, 2U);
  EXPECT_EQ(numbers.foreign, 0U);
  EXPECT_EQ(numbers.without_integrity, 0U);
}

TEST(AdvisoryGate, SaysHowManyThereAre) {
  Comparison comparison = comparison_sample();
  EXPECT_EQ(judged(comparison, "cve_delta").words, "2 -> 1, none new");
  comparison.advisories_after = comparison.advisories_before;
  EXPECT_EQ(judged(comparison, "cve_delta").words, "2 -> 2");
}

TEST(LockSide, IsInTheOrderOfLocations) {
  npm::GraphBuilder builder(npm::LockKind::package_lock, "{}");
  for (const char* location : {"node_modules/b", "node_modules/c", "node_modules/a"}) {
    npm::Node copy;
    copy.location = location;
    copy.name = "x";
    copy.version = "1.0.0";
    builder.add(copy);
  }
  const LockSide side = lock_side(std::move(builder).finish());
  ASSERT_EQ(side.entries.size(), 3U);
  EXPECT_EQ(side.entries[0].location, "node_modules/a");
  EXPECT_EQ(side.entries[2].location, "node_modules/c");
}

}  // namespace
}  // namespace cg::gate
