#include "flow/workspace/prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/support.h"

namespace cg::workspace {
namespace {

class PromptsTest : public testing::Test {
 protected:
  PromptsTest() : workspace_{*os::Dir::open(folder_.path().string()), folder_.path().string()} {}

  static prompt::Kept sample(std::size_t number) {
    return {"system", "# Task\n\npackage: p" + std::to_string(number) + "\n\n"};
  }
  static hash::Digest digest(std::size_t number) {
    const prompt::Kept kept = sample(number);
    return prompt::digest_of(kept.system, kept.user);
  }
  [[nodiscard]] std::size_t count() const { return workspace_.home.list(kPrompts, 9999)->size(); }

  test::ScratchDir folder_;
  Workspace workspace_;
};

TEST_F(PromptsTest, OneIsReadBackAndIsForItsOwnerAlone) {
  ASSERT_TRUE(keep_prompt(workspace_, sample(1)));
  const auto read = read_prompt(workspace_, digest(1));
  ASSERT_TRUE(read && *read);
  EXPECT_EQ(**read, sample(1));
  EXPECT_EQ(workspace_.home.stat(prompt_path(digest(1)))->mode, 0600U);
  EXPECT_EQ(workspace_.home.stat(kPrompts)->mode, 0700U);
}

TEST_F(PromptsTest, OneThatIsNotThereIsNoneAndAnotherIsAProblem) {
  const auto none = read_prompt(workspace_, digest(1));
  ASSERT_TRUE(none);
  EXPECT_FALSE(*none);
  ASSERT_TRUE(keep_prompt(workspace_, sample(2)));
  ASSERT_TRUE(workspace_.home.rename(prompt_path(digest(2)), prompt_path(digest(1))));
  const auto other = read_prompt(workspace_, digest(1));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::model_prompt);
  EXPECT_EQ(other.error().exit(), ExitCode::integrity);
}

TEST_F(PromptsTest, ThereAreNeverMoreThanThereMayBe) {
  ASSERT_TRUE(keep_prompt(workspace_, sample(0)));
  for (std::size_t i = 1; i < kMaxPrompts; ++i) {
    test::write(folder_ / prompt_path(digest(i)), "another");
  }
  for (std::size_t i = kMaxPrompts; i < kMaxPrompts + 3; ++i) {
    ASSERT_TRUE(keep_prompt(workspace_, sample(i)));
    EXPECT_EQ(count(), kMaxPrompts);
    EXPECT_TRUE(*read_prompt(workspace_, digest(i))) << "the last one stays";
  }
}

}  // namespace
}  // namespace cg::workspace
