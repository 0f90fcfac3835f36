// Judges of what needs no run: the lock and the advisories.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "prove/gate/samples.h"

namespace cg::gate {
namespace {

using test::entry_sample;
using test::facts_sample;
using test::signal_of;
using test::trial_sample;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Signal judged(const Facts& facts, std::string_view name) {
  return signal_of(trial_sample(), trial_sample(), facts, name);
}

/// The sample, with the entry that the fix changed spoilt.
template <class Spoil>
Signal lock_signal(Spoil spoil) {
  Facts facts = facts_sample();
  spoil(facts.lock_after->entries[0]);
  return judged(facts, "lockfile_policy");
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

TEST(LockGate, WhatTheFixDidNotTouchIsNotItsFault) {
  Facts facts = facts_sample();
  for (auto* side : {&*facts.lock_before, &*facts.lock_after}) {
    side->entries[1].resolved = "http://old.example/right.tgz";
    side->entries[1].integrity.clear();
    side->lint.lies = {{"node_modules/right", "comes from elsewhere"}};
  }
  const Signal signal = judged(facts, "lockfile_policy");
  EXPECT_TRUE(signal.passed()) << testing::PrintToString(signal.reasons);
  const auto& numbers = std::get<LockNumbers>(*signal.after);
  EXPECT_EQ(numbers.foreign, 1U);
  EXPECT_EQ(numbers.without_integrity, 1U);
  EXPECT_EQ(numbers.lies, 1U);
}

TEST(LockGate, ANewLieFails) {
  Facts facts = facts_sample();
  facts.lock_after->lint.lies = {{"node_modules/left", "comes from elsewhere"}};
  EXPECT_EQ(judged(facts, "lockfile_policy").state, State::failed);
}

TEST(LockGate, BundledCopiesAndStrongerHashesAreFine) {
  EXPECT_TRUE(lock_signal([](LockEntry& e) {
                e.bundled = true;
                e.integrity.clear();
                e.resolved.clear();
              }).passed());
  Facts facts = facts_sample();
  facts.lock_before->entries[0].integrity = "sha1-abc";
  facts.lock_after->entries[0].version = "1.0.0";
  EXPECT_TRUE(judged(facts, "lockfile_policy").passed());
}

TEST(LockGate, ARegistryOnLoopbackIsFineWhereConfigured) {
  Facts facts = facts_sample();
  facts.lock_after->entries[0].resolved = "http://127.0.0.1:4873/left/-/left-1.0.1.tgz";
  EXPECT_FALSE(judged(facts, "lockfile_policy").passed());
  facts.registries.emplace_back("http://127.0.0.1:4873/");
  EXPECT_TRUE(judged(facts, "lockfile_policy").passed());
}

TEST(LockGate, ALockThatCouldNotBeReadIsMissing) {
  Facts facts = facts_sample();
  facts.lock_after.reset();
  EXPECT_EQ(judged(facts, "lockfile_policy").state, State::missing);
}

TEST(AdvisoryGate, TheFixedOnesMustBeGone) {
  Facts facts = facts_sample();
  EXPECT_TRUE(judged(facts, "cve_delta").passed());
  facts.advisories_after = facts.advisories_before;
  EXPECT_THAT(judged(facts, "cve_delta").reasons,
              Contains("GHSA-1 still applies to node_modules/left"));
}

TEST(AdvisoryGate, ACopyThatOnlyMovedIsNotFixed) {
  Facts facts = facts_sample();
  facts.advisories_after->push_back({"GHSA-1", "left", "node_modules/a/node_modules/left"});
  EXPECT_EQ(judged(facts, "cve_delta").state, State::failed);
}

TEST(AdvisoryGate, ACopyThatWasNotToBeFixedMayMove) {
  Facts facts = facts_sample();
  facts.advisories_after = {{{"GHSA-2", "right", "node_modules/a/node_modules/right"}}};
  EXPECT_TRUE(judged(facts, "cve_delta").passed());
}

TEST(AdvisoryGate, NoneMayBeNew) {
  Facts facts = facts_sample();
  facts.advisories_after->push_back({"GHSA-3", "left", "node_modules/left"});
  const Signal signal = judged(facts, "cve_delta");
  EXPECT_EQ(signal.state, State::failed);
  EXPECT_THAT(signal.reasons, ElementsAre("GHSA-3 applies to 1 copy of left, to 0 before"));
  facts = facts_sample();
  facts.advisories_after->push_back({"GHSA-2", "right", "node_modules/a/node_modules/right"});
  EXPECT_EQ(judged(facts, "cve_delta").state, State::failed);
}

TEST(AdvisoryGate, WithoutAComparisonItIsMissing) {
  Facts facts = facts_sample();
  facts.advisories_after.reset();
  EXPECT_EQ(judged(facts, "cve_delta").state, State::missing);
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

}  // namespace
}  // namespace cg::gate
