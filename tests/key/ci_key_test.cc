// The key that CI gives by the environment, with two flags and no other way.
#include "ci_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string.h>
#include <unistd.h>

#include <deque>

#include "key/bench.h"

namespace cg::test {
namespace {

using leaf::KeyStore;
using testing::ElementsAre;
using testing::HasSubstr;

/// An environment that can be written to, as a process has it.
class Environment {
 public:
  explicit Environment(const std::vector<std::string>& entries) {
    for (const std::string& entry : entries) {
      texts_.emplace_back(entry.begin(), entry.end()).push_back('\0');
      pointers_.push_back(texts_.back().data());
    }
    pointers_.push_back(nullptr);
  }
  char** get() { return pointers_.data(); }
  [[nodiscard]] std::vector<std::string> left() const {
    std::vector<std::string> out;
    for (char* const* entry = pointers_.data(); *entry != nullptr; ++entry)
      out.emplace_back(*entry);
    return out;
  }
  /// All bytes that ever belonged to it.
  [[nodiscard]] std::string memory() const {
    std::string out;
    for (const auto& text : texts_) out.append(text.begin(), text.end());
    return out;
  }

 private:
  std::deque<std::vector<char>> texts_;
  std::vector<char*> pointers_;
};

const std::string kVariable = "CODEGENIE_ANTHROPIC_KEY_CI=";

TEST(CiKey, GoesToCodegenieKeyAndNowhereElse) {
  ASSERT_TRUE(join_new_session());
  for (const char* ci : {"CI=1", "CI=true"}) {
    Environment environment({"A=b", kVariable + kFirstKey, ci, "ALLOW_CI_ENV_KEY=1"});
    program::CiKey taken = program::take_ci_key(environment.get());
    EXPECT_EQ(taken.warning, "");
    EXPECT_THAT(environment.left(), ElementsAre("A=b", ci, "ALLOW_CI_ENV_KEY=1"));
    EXPECT_EQ(environment.memory().find(kFirstKey.substr(0, 8)), std::string::npos);
    ASSERT_TRUE(taken.memory.is_open());
    Keys keys({}, std::move(taken.memory));
    for (const KeyStore store : {KeyStore::env_ci, KeyStore::automatic}) {
      const Delivered delivered = keys.deliver(store);
      EXPECT_EQ(delivered.source, "env_ci_explicit");
      EXPECT_EQ(delivered.key, kFirstKey);
    }
  }
}

TEST(CiKey, IsWipedAndIgnoredWithoutBothFlags) {
  const std::vector<std::vector<std::string>> cases = {{},
                                                       {"CI=1"},
                                                       {"ALLOW_CI_ENV_KEY=1"},
                                                       {"CI=1", "ALLOW_CI_ENV_KEY=0"},
                                                       {"CI=yes", "ALLOW_CI_ENV_KEY=1"},
                                                       {"CI=", "ALLOW_CI_ENV_KEY=1"},
                                                       {"XCI=1", "ALLOW_CI_ENV_KEY=1"},
                                                       {"CI=1", "ALLOW_CI_ENV_KEY=1 "}};
  for (const auto& flags : cases) {
    std::vector<std::string> entries = flags;
    entries.push_back(kVariable + kFirstKey);
    entries.push_back("Z=z");
    Environment environment(entries);
    const program::CiKey taken = program::take_ci_key(environment.get());
    EXPECT_FALSE(taken.memory.is_open());
    EXPECT_THAT(taken.warning, HasSubstr("together"));
    EXPECT_EQ(taken.warning.find(kFirstKey), std::string::npos);
    EXPECT_EQ(environment.left().size(), flags.size() + 1);
    EXPECT_EQ(environment.memory().find(kFirstKey.substr(0, 8)), std::string::npos);
  }
}

TEST(CiKey, OnlyTheFirstOfSeveralCountsAndAllAreWiped) {
  ASSERT_TRUE(join_new_session());
  Environment environment(
      {kVariable + kFirstKey, "CI=1", kVariable + kSecondKey, "ALLOW_CI_ENV_KEY=1"});
  program::CiKey taken = program::take_ci_key(environment.get());
  EXPECT_EQ(environment.memory().find("sk-test"), std::string::npos);
  Keys keys({}, std::move(taken.memory));
  EXPECT_EQ(keys.deliver(KeyStore::automatic).key, kFirstKey);
}

TEST(CiKey, WhatIsNoKeyIsSaidToBeNone) {
  ASSERT_TRUE(join_new_session());
  for (const std::string& value : {std::string(), std::string(5000, 'k')}) {
    Environment environment({kVariable + value, "CI=1", "ALLOW_CI_ENV_KEY=1"});
    const program::CiKey taken = program::take_ci_key(environment.get());
    EXPECT_FALSE(taken.memory.is_open());
    EXPECT_THAT(taken.warning, HasSubstr("no key"));
  }
  for (const std::string& value : {std::string("short"), std::string(2000, 'k'), kFirstKey + " "}) {
    Environment environment({kVariable + value, "CI=1", "ALLOW_CI_ENV_KEY=1"});
    Keys keys({}, program::take_ci_key(environment.get()).memory);
    EXPECT_EQ(keys.deliver(KeyStore::automatic).source, "malformed");
  }
}

TEST(CiKey, NothingThereIsNothingToSay) {
  Environment environment({"A=b", "CI=1"});
  const program::CiKey taken = program::take_ci_key(environment.get());
  EXPECT_FALSE(taken.memory.is_open());
  EXPECT_EQ(taken.warning, "");
  EXPECT_THAT(environment.left(), ElementsAre("A=b", "CI=1"));
}

TEST(CiKey, TheStoresAreAllThatCodegenieKeyIsToldAbout) {
  const cli::Environment environment = {{"HOME", "/h"},
                                        {"PATH", "/bin"},
                                        {"LD_PRELOAD", "x"},
                                        {"GIO_EXTRA_MODULES", "x"},
                                        {"DBUS_SESSION_BUS_ADDRESS", "unix:path=/b"},
                                        {"CREDENTIALS_DIRECTORY", "/c"},
                                        {"ANTHROPIC_API_KEY", "k"}};
  EXPECT_THAT(
      program::key_environment(environment),
      ElementsAre("CREDENTIALS_DIRECTORY=/c", "DBUS_SESSION_BUS_ADDRESS=unix:path=/b", "HOME=/h"));
}

}  // namespace
}  // namespace cg::test
