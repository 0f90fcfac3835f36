// Permissions to spend more: for one repository, by who may, once.
#include "flow/propose/overrun.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "flow/workspace/recording.h"
#include "support/new_workspace.h"
#include "trust/sign/ed25519.h"
#include "trust/sign/sshsig.h"

namespace cg::propose {
namespace {

using testing::HasSubstr;
using workspace::Recording;

constexpr std::string_view kRepo = "/home/operator/shop";

class Overruns : public testing::Test {
 protected:
  Overruns() {
    const auto written = access_.workspace.home.write_atomic(
        "policy/allowed_signers", "operator@example namespaces=\"codegenie-budget\" " +
                                      sign::write_ssh_public_key(sign::public_key(key_)) + "\n");
    EXPECT_TRUE(written.has_value());
  }

  std::string statement(std::string_view repo, std::string_view extra = "") {
    return "schema: codegenie/overrun/v1\nrepo: \"" + std::string(repo) +
           "\"\ntokens: 500000\nusd: \"3.00\"\nexpires: 2026-12-31\n" + std::string(extra);
  }
  /// The file, signed.
  std::string file(const std::string& text) {
    const std::string path = scratch_ / "ack.yaml";
    test::write(path, text);
    test::write(path + ".sig", sign::ssh_sign(key_, kBudgetNamespace, text));
    return path;
  }
  Result<record::BudgetOverrideGranted, Problem> ask(const std::string& text) {
    caps_ = {};
    return allow_overrun(access_, file(text), std::string(kRepo), *parse_date("2026-11-16"), caps_);
  }
  /// As a run does that goes on with it.
  void use(const record::BudgetOverrideGranted& granted) {
    auto run = Recording::start(access_, "remediate");
    ASSERT_TRUE(run.has_value());
    run->events().emplace_back(granted);
    ASSERT_TRUE(run->write().has_value());
  }

  test::ScratchDir scratch_;
  sign::Seed key_{7};
  workspace::Access access_ = test::new_workspace(scratch_);
  budget::Caps caps_;
};

TEST_F(Overruns, RaiseTheCapsOfTheRepositoryTheyName) {
  const auto granted = ask(statement(kRepo));
  ASSERT_TRUE(granted) << granted.error().what;
  EXPECT_EQ(granted->tokens, 500'000U);
  EXPECT_EQ(caps_.usd, Money::parse_or_die("3.00"));
}

TEST_F(Overruns, NameTheRealRepositoryAndNothingLikeIt) {
  for (const std::string other :
       {".", "", "shop", "./shop", "/home/operator", "/home/operator/shop/",
        "/home/operator/../operator/shop", "/home/operator/shop2", "/HOME/operator/shop", "*"}) {
    const auto granted = ask(statement(other));
    ASSERT_FALSE(granted) << other;
    EXPECT_EQ(granted.error().code, ErrorCode::model_overrun);
    EXPECT_THAT(granted.error().what, HasSubstr("another repository than /home/operator/shop"));
  }
}

TEST_F(Overruns, AreUsedOnce) {
  const auto first = ask(statement(kRepo));
  ASSERT_TRUE(first);
  use(*first);
  const auto again = ask(statement(kRepo));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::model_overrun);
  EXPECT_THAT(again.error().what, HasSubstr("used already, by workflow"));
  EXPECT_EQ(caps_.tokens, budget::Caps().tokens);
  const auto other = ask(statement(kRepo, "# the second\n"));
  ASSERT_TRUE(other) << other.error().what;
  use(*other);
  EXPECT_FALSE(ask(statement(kRepo, "# the second\n")));
  EXPECT_FALSE(ask(statement(kRepo)));
}

TEST_F(Overruns, NeedASignatureOverTheseVeryBytes) {
  const std::string path = file(statement(kRepo));
  test::write(path, statement(kRepo, "# changed\n"));
  EXPECT_FALSE(allow_overrun(access_, path, std::string(kRepo), *parse_date("2026-11-16"), caps_));
  key_ = sign::Seed{8};
  EXPECT_THAT(ask(statement(kRepo)).error().what, HasSubstr("who signed it may not"));
}

TEST_F(Overruns, RunOut) {
  const std::string path = file(statement(kRepo));
  EXPECT_THAT(allow_overrun(access_, path, std::string(kRepo), *parse_date("2027-01-01"), caps_)
                  .error()
                  .what,
              HasSubstr("run out"));
}

}  // namespace
}  // namespace cg::propose
