// A filter says the same in words, in user space and in the kernel.
#include "jail/seal/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/audit.h>

#include <cerrno>

namespace cg::seal {
namespace {

using testing::HasSubstr;

Filter sample(Otherwise otherwise) {
  auto filter = Filter::build("sample",
                              {{"read"},
                               {"write", {int_bits(0, 0xffff'fffcU, 4)}},
                               {"sendto", {int_is(0, 0), int_is(3, 0x4000), is_null(4)}},
                               {"sendto", {int_is(0, 1), int_is(3, 0x4000), is_null(4)}}},
                              otherwise);
  EXPECT_TRUE(filter.has_value());
  return *std::move(filter);
}

TEST(Filter, AllowsWhatARuleSaysAndNothingElse) {
  const Filter filter = sample(Otherwise::kill);
  const struct {
    Call call;
    Reaction reaction;
  } cases[] = {
      {{"read", {}}, Reaction::allow},
      {{"write", {3}}, Reaction::kill},
      {{"write", {4}}, Reaction::allow},
      {{"write", {7}}, Reaction::allow},
      {{"write", {8}}, Reaction::kill},
      {{"sendto", {0, 0, 0, 0x4000, 0}}, Reaction::allow},
      {{"sendto", {1, 0, 0, 0x4000, 0}}, Reaction::allow},
      {{"sendto", {2, 0, 0, 0x4000, 0}}, Reaction::kill},
      {{"sendto", {0, 0, 0, 0x20004000, 0}}, Reaction::kill},
      {{"sendto", {0, 0, 0, 0x4000, 0x1'0000'0000}}, Reaction::kill},
      {{"execve", {}}, Reaction::kill},
      {{"no_such_call", {}}, Reaction::unknown},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.call.name + " " + std::to_string(c.call.args[0]));
    EXPECT_EQ(filter.evaluate(c.call), c.reaction);
  }
}

TEST(Filter, ReadsOfAnIntWhatTheKernelReads) {
  const Filter filter = sample(Otherwise::kill);
  EXPECT_EQ(filter.evaluate({"write", {0x1'0000'0003}}), Reaction::kill);
  EXPECT_EQ(filter.evaluate({"write", {0x1'0000'0005}}), Reaction::allow);
}

TEST(Filter, EndsCallsOfAnotherArchitecture) {
  for (const Otherwise otherwise : {Otherwise::kill, Otherwise::refuse}) {
    const Filter filter = sample(otherwise);
    EXPECT_EQ(filter.evaluate_raw(AUDIT_ARCH_I386, 3), Reaction::kill);
    EXPECT_EQ(filter.evaluate_raw(AUDIT_ARCH_ARM, 3), Reaction::kill);
#ifdef __x86_64__
    EXPECT_NE(filter.evaluate_raw(AUDIT_ARCH_X86_64, 0x4000'0000), Reaction::allow);  // x32
#endif
  }
}

TEST(Filter, RefusesInsteadWhereAsked) {
  EXPECT_EQ(sample(Otherwise::refuse).evaluate({"execve", {}}), Reaction::refuse);
}

TEST(Filter, GivesTheAnswerOfTheFirstRuleThatHolds) {
  const auto filter = Filter::build("ordered",
                                    {{"read"},
                                     {"clone3", {}, fails_with(ENOSYS)},
                                     {"execve", {}, reported()},
                                     {"socket", {int_is(0, 2), int_bits(1, 0xf, 1)}},
                                     {"socket", {}, fails_with(EAFNOSUPPORT)},
                                     {"ioctl", {int_is(1, 0x5412)}, fails_with(EPERM)},
                                     {"ioctl"},
                                     {"sendto", {is_null(4)}},
                                     {"sendto", {int_is(0, 3)}, reported()}},
                                    Otherwise::kill);
  ASSERT_TRUE(filter.has_value());
  const struct {
    Call call;
    Reaction reaction;
    int code;
  } cases[] = {
      {{"read", {}}, Reaction::allow, 0},
      {{"write", {}}, Reaction::kill, 0},
      {{"clone3", {}}, Reaction::refuse, ENOSYS},
      {{"execve", {}}, Reaction::report, 0},
      {{"socket", {2, 0x80801, 0}}, Reaction::allow, 0},
      {{"socket", {2, 3, 0}}, Reaction::refuse, EAFNOSUPPORT},
      {{"socket", {40, 1, 0}}, Reaction::refuse, EAFNOSUPPORT},
      {{"ioctl", {0, 0x5412}}, Reaction::refuse, EPERM},
      {{"ioctl", {0, 0x1'0000'5412}}, Reaction::refuse, EPERM},
      {{"ioctl", {0, 0x5413}}, Reaction::allow, 0},
      {{"sendto", {3, 0, 0, 0, 0}}, Reaction::allow, 0},
      {{"sendto", {3, 0, 0, 0, 0x1'0000'0000}}, Reaction::report, 0},
      {{"sendto", {4, 0, 0, 0, 1}}, Reaction::kill, 0},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.call.name + " " + std::to_string(c.call.args[0]));
    EXPECT_EQ(filter->evaluate(c.call), c.reaction);
    EXPECT_EQ(filter->code(c.call), c.code);
  }
  EXPECT_EQ(filter->evaluate_raw(AUDIT_ARCH_I386, 11), Reaction::kill);
  EXPECT_EQ(filter->evaluate_raw(AUDIT_ARCH_ARM, 59), Reaction::kill);
  EXPECT_THAT(filter->print(), HasSubstr("\n  clone3 -> ENOSYS\n  execve -> reported\n"));
  EXPECT_THAT(filter->print(), HasSubstr("ioctl(1: 21522) -> EPERM"));

  EXPECT_FALSE(Filter::build("x", {{"no_such_call", {}, reported()}}, Otherwise::kill));
  EXPECT_FALSE(
      Filter::build("x", {{"write", {int_is(0, 1), int_is(0, 2)}, reported()}}, Otherwise::kill));
}

TEST(Filter, RefusesARuleThatMeansNothing) {
  const auto unknown = Filter::build("x", {{"no_such_call"}}, Otherwise::kill);
  ASSERT_FALSE(unknown.has_value());
  EXPECT_EQ(unknown.error().stage, Error::Stage::filter_rule);
  EXPECT_THAT(describe(unknown.error()), HasSubstr("no_such_call"));

  const auto twice = Filter::build("x", {{"write", {int_is(0, 1), int_is(0, 2)}}}, Otherwise::kill);
  ASSERT_FALSE(twice.has_value());
  EXPECT_EQ(twice.error().stage, Error::Stage::filter_rule);
}

TEST(Filter, IsPrintedRuleByRule) {
  const std::string text = sample(Otherwise::kill).print();
  EXPECT_THAT(text, HasSubstr("all else ends the process"));
  EXPECT_THAT(text, HasSubstr("\n  read\n"));
  EXPECT_THAT(text, HasSubstr("sendto(0: 0, 3: 16384, 4: 0)"));
  EXPECT_THAT(text, HasSubstr("write(0: 4 of mask 4294967292)"));
}

}  // namespace
}  // namespace cg::seal
