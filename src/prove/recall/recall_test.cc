// Steps that are recalled: what makes one the same, who vouches for it, what is not believed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "base/os/dir.h"
#include "prove/recall/room.h"
#include "support/support.h"
#include "trust/hash/sha256.h"

namespace cg::recall {
namespace {

using sandbox::Step;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kFirst = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
constexpr const char* kSecond = "01BX5ZZKBKACTAV9WEVGEMMVRZ";

struct Script {
  std::map<std::string, std::deque<sandbox::Ran>> ran;  // by name of the step, in order
  std::vector<Step> asked;
};

/// No step is run: what came of each is written down beforehand.
class WrittenChamber final : public sandbox::Chamber {
 public:
  explicit WrittenChamber(Script& script) : script_(script) {
    in_force_.isolation = sandbox::Isolation::namespaces;
  }
  [[nodiscard]] const sandbox::InForce& in_force() const override { return in_force_; }
  [[nodiscard]] Result<sandbox::Ran, sandbox::Error> run(
      const Step& step, const sandbox::OnOutput& /*on_output*/) override {
    script_.asked.push_back(step);
    auto& left = script_.ran[step.name];
    if (left.empty()) return fail(sandbox::Error{sandbox::Error::Kind::broken, "not written down"});
    sandbox::Ran out = std::move(left.front());
    left.pop_front();
    return out;
  }

 private:
  Script& script_;
  sandbox::InForce in_force_;
};

sandbox::Ran ran(int exit, const std::string& text = "") {
  sandbox::Ran out;
  out.ending = sandbox::Exited{exit};
  out.out = {text, text.size(), hash::sha256(as_bytes(text))};
  out.trace.kept = true;
  out.trace.started = {{"", "/bin/sh"}, {"/bin/sh", "/usr/bin/node"}};
  return out;
}

class FixedClock final : public os::Clock {
 public:
  Time at{1'000'000'000'000};
  [[nodiscard]] Time now() override { return at; }
};

Step step_of(std::string name, sandbox::Tree tree = sandbox::Tree::own) {
  Step out;
  out.name = std::move(name);
  out.argv = {"/usr/bin/node", out.name};
  out.tree = tree;
  return out;
}

/// A workspace, a log of one page, and a chamber whose steps are written down.
class RecallTest : public testing::Test {
 protected:
  Memory memory(const std::string& workflow, Use use = Use::recall) {
    return Memory(
        home_, workflow,
        [this](const std::string& ran_by, const hash::Digest& key) {
          const auto stream = log_.find(ran_by);
          if (stream == log_.end()) return std::optional<hash::Digest>();
          const auto found = stream->second.find(key);
          return found == stream->second.end() ? std::nullopt : std::optional(found->second);
        },
        use);
  }
  Room room(Memory* memory, unsigned char scene = 1, const std::string& folder = "") {
    hash::Digest digest{};
    digest[0] = scene;
    return Room(
        memory, clock_, {digest, folder, "base"},
        [this]() -> Result<std::unique_ptr<sandbox::Chamber>, Problem> {
          ++opened_;
          return std::unique_ptr<sandbox::Chamber>(std::make_unique<WrittenChamber>(script_));
        });
  }
  /// The workflow ends: what its events say is in the log from now on.
  void end(const std::string& workflow, const record::Events& events) {
    for (const record::Event& event : events) {
      if (const auto* kept = event.as<record::StepKept>()) log_[workflow][kept->key] = kept->digest;
    }
  }
  [[nodiscard]] std::vector<std::string> asked() const {
    std::vector<std::string> out;
    for (const Step& step : script_.asked) out.push_back(step.name);
    return out;
  }
  static std::vector<std::string> kinds(const record::Events& events) {
    std::vector<std::string> out;
    for (const record::Event& event : events) {
      if (event.as<record::StepRan>()) out.emplace_back("ran");
      if (event.as<record::StepKept>()) out.emplace_back("kept");
      if (event.as<record::StepRecalled>()) out.emplace_back("recalled");
      if (event.as<record::RecallRefused>()) out.emplace_back("refused");
      if (event.as<record::SandboxOpened>()) out.emplace_back("opened");
    }
    return out;
  }
  /// Install and tests by kFirst, whose workflow has ended.
  void run_first() {
    script_.ran["install"] = {ran(0)};
    script_.ran["tests"] = {ran(1, "one failed")};
    Memory first = memory(kFirst);
    Room before = room(&first);
    ASSERT_TRUE(before.run(step_of("install", sandbox::Tree::shared), {}));
    ASSERT_TRUE(before.run(step_of("tests"), {}));
    end(kFirst, before.take_events());
    script_.asked.clear();
    opened_ = 0;
  }
  std::string only_file() {
    const auto names = home_.list("cache/steps", 10);
    return names && names->size() == 1 ? "cache/steps/" + names->front() : "";
  }

  test::ScratchDir folder_;
  os::Dir home_ = *os::Dir::open(folder_.path());
  FixedClock clock_;
  Script script_;
  std::map<std::string, std::map<hash::Digest, hash::Digest>> log_;
  int opened_ = 0;
};

TEST_F(RecallTest, WhatWasSeenIsSeenAgainAndNothingIsOpened) {
  run_first();
  Memory second = memory(kSecond);
  Room again = room(&second);
  ASSERT_TRUE(again.run(step_of("install", sandbox::Tree::shared), {}));
  const auto tests = again.run(step_of("tests"), {});
  ASSERT_TRUE(tests);
  EXPECT_EQ(tests->out.kept, "one failed");
  EXPECT_EQ(std::get<sandbox::Exited>(tests->ending).code, 1);
  EXPECT_EQ(tests->trace.started.size(), 2U);
  EXPECT_EQ(opened_, 0);
  EXPECT_EQ(again.in_force().isolation, sandbox::Isolation::namespaces);
  EXPECT_THAT(kinds(again.take_events()), ElementsAre("recalled", "recalled"));
  EXPECT_THAT(again.recalled(), ElementsAre(kFirst));
}

TEST_F(RecallTest, ANewStepIsRunOnWhatRecalledOnesLeft) {
  run_first();
  script_.ran["install"] = {ran(0)};
  script_.ran["load"] = {ran(0)};
  Memory second = memory(kSecond);
  Room again = room(&second);
  ASSERT_TRUE(again.run(step_of("install", sandbox::Tree::shared), {}));
  EXPECT_EQ(opened_, 0);
  ASSERT_TRUE(again.run(step_of("load"), {}));
  EXPECT_THAT(asked(), ElementsAre("install", "load"));
  EXPECT_THAT(kinds(again.take_events()), ElementsAre("recalled", "opened", "ran", "ran", "kept"));
}

TEST_F(RecallTest, AnInstallThatEndsOtherwiseThanBeforeIsAnError) {
  run_first();
  script_.ran["install"] = {ran(1)};
  Memory second = memory(kSecond);
  Room again = room(&second);
  ASSERT_TRUE(again.run(step_of("install", sandbox::Tree::shared), {}));
  const auto loaded = again.run(step_of("load"), {});
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().what, testing::HasSubstr("--fresh"));
}

TEST_F(RecallTest, ALastingStepIsDoneOnceInARoom) {
  script_.ran["install"] = {ran(0)};
  Room one = room(nullptr);
  ASSERT_TRUE(one.run(step_of("install", sandbox::Tree::shared), {}));
  ASSERT_TRUE(one.run(step_of("install", sandbox::Tree::shared), {}));
  EXPECT_THAT(asked(), ElementsAre("install"));
}

TEST_F(RecallTest, AnotherSceneAnotherStepOrAnotherPastIsAnotherKey) {
  run_first();
  Memory second = memory(kSecond);
  record::Events events;
  script_.ran["install"] = {ran(0), ran(0)};
  script_.ran["tests"] = {ran(0), ran(0), ran(0)};
  Room other_files = room(&second, 2);
  ASSERT_TRUE(other_files.run(step_of("install", sandbox::Tree::shared), {}));
  ASSERT_TRUE(other_files.run(step_of("tests"), {}));
  Room other_step = room(&second);
  Step limited = step_of("tests");
  limited.limits.memory = 1;
  ASSERT_TRUE(other_step.run(step_of("install", sandbox::Tree::shared), {}));  // recalled
  ASSERT_TRUE(other_step.run(limited, {}));
  Room no_install = room(&second);
  ASSERT_TRUE(no_install.run(step_of("tests"), {}));
  EXPECT_THAT(asked(), ElementsAre("install", "tests", "install", "tests", "tests"));
}

TEST_F(RecallTest, TheNameOfAPrivateFolderIsNoDifference) {
  const auto with = [](const std::string& folder) {
    Step out = step_of("install", sandbox::Tree::shared);
    out.env = {"MIRROR=" + folder + "/mirror"};
    return out;
  };
  script_.ran["install"] = {ran(0)};
  Memory first = memory(kFirst);
  Room before = room(&first, 1, "/w/one");
  ASSERT_TRUE(before.run(with("/w/one"), {}));
  end(kFirst, before.take_events());
  Memory second = memory(kSecond);
  Room again = room(&second, 1, "/w/another");
  EXPECT_TRUE(again.run(with("/w/another"), {}));
  EXPECT_EQ(opened_, 1);
}

TEST_F(RecallTest, AFileThatWasChangedIsToldOfAndRunAgain) {
  script_.ran["tests"] = {ran(1), ran(1)};
  Memory first = memory(kFirst);
  Room before = room(&first);
  ASSERT_TRUE(before.run(step_of("tests"), {}));
  end(kFirst, before.take_events());
  // As if they had passed: a whole and sound file, only not the one that the log knows.
  auto kept = read_kept(*home_.read(only_file(), kMaxKeptBytes));
  ASSERT_TRUE(kept);
  kept->ran.ending = sandbox::Exited{0};
  ASSERT_TRUE(home_.write_atomic(only_file(), *write_kept(*kept)));
  Memory second = memory(kSecond);
  Room again = room(&second);
  const auto tests = again.run(step_of("tests"), {});
  ASSERT_TRUE(tests);
  EXPECT_EQ(std::get<sandbox::Exited>(tests->ending).code, 1);
  EXPECT_THAT(kinds(again.take_events()), ElementsAre("refused", "opened", "ran", "kept"));
}

TEST_F(RecallTest, EveryByteOfAFileCounts) {
  script_.ran["tests"] = {ran(1)};
  Memory first = memory(kFirst);
  Room before = room(&first);
  ASSERT_TRUE(before.run(step_of("tests"), {}));
  record::Events events = before.take_events();
  const auto* kept = events.back().as<record::StepKept>();
  ASSERT_NE(kept, nullptr);
  end(kFirst, events);
  const std::string whole = *home_.read(only_file(), kMaxKeptBytes);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    ASSERT_TRUE(home_.write_atomic(only_file(), changed));
    Memory second = memory(kSecond);
    record::Events told;
    EXPECT_FALSE(second.find(kept->key, clock_.now(), told)) << at;
  }
}

TEST_F(RecallTest, WithoutTheWordOfAnEndedWorkflowItIsAsGoodAsNone) {
  script_.ran["tests"] = {ran(0), ran(0)};
  Memory first = memory(kFirst);
  Room before = room(&first);
  ASSERT_TRUE(before.run(step_of("tests"), {}));
  // Killed: its events never came to an end.
  Memory second = memory(kSecond);
  Room again = room(&second);
  ASSERT_TRUE(again.run(step_of("tests"), {}));
  EXPECT_THAT(kinds(again.take_events()), ElementsAre("opened", "ran", "kept"));
}

TEST_F(RecallTest, ARunKnowsWhatItHasSeenItselfAlsoWhenItIsToBeFresh) {
  run_first();
  script_.ran["tests"] = {ran(0)};
  Memory fresh = memory(kSecond, Use::fresh);
  Room one = room(&fresh, 3);
  ASSERT_TRUE(one.run(step_of("tests"), {}));
  Room other = room(&fresh, 3);
  ASSERT_TRUE(other.run(step_of("tests"), {}));
  EXPECT_THAT(asked(), ElementsAre("tests"));
  script_.ran["install"] = {ran(0)};
  Room known = room(&fresh, 1);
  ASSERT_TRUE(known.run(step_of("install", sandbox::Tree::shared), {}));
  EXPECT_THAT(asked(), ElementsAre("tests", "install"));
}

TEST_F(RecallTest, WhatChanceDecidedIsNotKept) {
  sandbox::Ran slow = ran(0);
  slow.ending = sandbox::Capped{sandbox::Cap::wall};
  script_.ran["tests"] = {slow};
  script_.ran["install"] = {ran(1)};
  Memory first = memory(kFirst);
  Room one = room(&first);
  Step install = step_of("install", sandbox::Tree::shared);
  install.shelf = sandbox::Shelf::open;
  ASSERT_TRUE(one.run(install, {}));
  ASSERT_TRUE(one.run(step_of("tests"), {}));
  EXPECT_THAT(kinds(one.take_events()), ElementsAre("opened", "ran", "ran"));
  EXPECT_FALSE(home_.list("cache/steps", 10));
}

TEST_F(RecallTest, WhatWasDisturbedIsRunAgainAndNothingElse) {
  Memory memory = this->memory(kFirst);
  script_.ran["install"] = {ran(0), ran(0)};
  script_.ran["build"] = {ran(0)};
  script_.ran["tests"] = {ran(1), ran(0)};
  Room beside = room(&memory);
  ASSERT_TRUE(beside.run(step_of("install", sandbox::Tree::shared), {}));
  ASSERT_TRUE(beside.run(step_of("build"), {}));
  ASSERT_TRUE(beside.run(step_of("tests"), {}));
  beside.forget({"tests", "challenge"});
  script_.asked.clear();
  Room alone = room(&memory);
  ASSERT_TRUE(alone.run(step_of("install", sandbox::Tree::shared), {}));
  ASSERT_TRUE(alone.run(step_of("build"), {}));
  const auto again = alone.run(step_of("tests"), {});
  ASSERT_TRUE(again);
  EXPECT_TRUE(sandbox::is_success(again->ending));
  EXPECT_THAT(asked(), ElementsAre("install", "tests"));
}

TEST_F(RecallTest, OldOnesAreRunAgainAndRemoved) {
  run_first();
  clock_.at.ms += std::int64_t{kRememberedDays} * 24 * 3600 * 1000;
  Memory later = memory(kSecond);
  script_.ran["install"] = {ran(0)};
  Room again = room(&later);
  ASSERT_TRUE(again.run(step_of("install", sandbox::Tree::shared), {}));
  EXPECT_THAT(asked(), ElementsAre("install"));
}

TEST_F(RecallTest, OrderOfTheChallengeIsNotTold) {
  script_.ran["challenge"] = {ran(1)};
  script_.ran["tests"] = {ran(0)};
  Room one = room(nullptr);
  ASSERT_TRUE(one.run(step_of("challenge"), {}));
  ASSERT_TRUE(one.run(step_of("tests"), {}));
  const record::Events events = one.take_events();
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events.back().as<record::StepRan>()->step, "challenge");
}

}  // namespace
}  // namespace cg::recall
